//! Named points at which a test makes the engine fail.
//!
//! Without the feature `on`, [`at`] is the constant `None` and a point costs nothing. With it, a test
//! takes the [`Scenario`], of which there is one per process, and says which points fail and how:
//!
//! ```text
//! let scenario = ztera_fail::Scenario::begin();
//! scenario.fail("uffd.copy", Failure::Errno(12)).after(1).times(3);
//! ...
//! assert_eq!(scenario.failed("uffd.copy"), 3);
//! ```
//!
//! A program that is tested as a whole says it by a [text](instruct).

#[cfg(feature = "on")]
mod scenario;
#[cfg(feature = "on")]
mod text;

#[cfg(feature = "on")]
pub use scenario::{Failure, Plan, Scenario, at, failed};
#[cfg(feature = "on")]
pub use text::{Mistake, instruct};

/// The failure that is due at this point now: an errno value. Panics if the test said so.
#[cfg(not(feature = "on"))]
#[inline(always)]
pub const fn at(_point: &str) -> Option<i32> {
    None
}

/// [`at`] for points that are system calls.
#[inline(always)]
pub fn check(point: &str) -> std::io::Result<()> {
    at(point).map_or(Ok(()), |errno| Err(std::io::Error::from_raw_os_error(errno)))
}
