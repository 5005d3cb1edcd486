//! Calls that the kernel refuses for the moment: mappings are just changing, or somebody is being killed for memory.
//!
//! The kernel's own users of these calls make them again. The thread that makes one here holds slots, and an access waits
//! for it; so it gives up after about a second.

use std::time::Duration;

use rustix::io::{Errno, Result};
use ztera_sync::thread;

/// Tries in a row: the reason is mostly gone when another thread has run.
const AT_ONCE: u32 = 100;

/// Tries in all, a millisecond apart from then on.
const TRIES: u32 = AT_ONCE + 1000;

/// Makes `call` until it succeeds, or fails for another reason than that of the moment.
pub(crate) fn patiently<T>(mut call: impl FnMut() -> Result<T>) -> Result<T> {
    for tries in 1..TRIES {
        match call() {
            Err(Errno::AGAIN | Errno::NOMEM | Errno::INTR) if tries < AT_ONCE => thread::yield_now(),
            Err(Errno::AGAIN | Errno::NOMEM | Errno::INTR) => thread::sleep(Duration::from_millis(1)),
            result => return result,
        }
    }
    call()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The outcome, and how often the call was made, where it fails so often for want of a moment's patience.
    fn after(failures: u32, errno: Errno) -> (Result<u32>, u32) {
        let mut made = 0;
        let result = patiently(|| {
            made += 1;
            if made <= failures { Err(errno) } else { Ok(7) }
        });
        (result, made)
    }

    #[test]
    fn what_fails_for_the_moment_is_tried_again() {
        for errno in [Errno::AGAIN, Errno::NOMEM, Errno::INTR] {
            assert_eq!(after(0, errno), (Ok(7), 1));
            assert_eq!(after(1, errno), (Ok(7), 2));
            assert_eq!(after(AT_ONCE + 5, errno), (Ok(7), AT_ONCE + 6));
        }
    }

    #[test]
    fn what_fails_for_good_is_an_error() {
        assert_eq!(after(u32::MAX, Errno::AGAIN), (Err(Errno::AGAIN), TRIES));
        assert_eq!(after(1, Errno::INVAL), (Err(Errno::INVAL), 1));
    }
}
