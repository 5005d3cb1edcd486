//! Outcomes as C knows them.

use std::ffi::c_int;
use std::io::ErrorKind;

use rustix::io::Errno;
use ztera_range::Error;

/// The error of a function of the interface.
pub(crate) struct Failure(c_int);

impl Failure {
    pub const BUSY: Self = Self(Errno::BUSY.raw_os_error());
    pub const INVALID: Self = Self(Errno::INVAL.raw_os_error());
    pub const NO_MEMORY: Self = Self(Errno::NOMEM.raw_os_error());
    pub const NO_SPACE: Self = Self(Errno::NOSPC.raw_os_error());
    pub const TOO_BIG: Self = Self(Errno::TOOBIG.raw_os_error());
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let errno = match error {
            Error::Invalid(_) | Error::Staging(_) => Errno::INVAL,
            Error::Pinned => Errno::BUSY,
            Error::Forbidden => Errno::PERM,
            Error::Unsupported(_) => Errno::NOSYS,
            Error::System(_, error) => {
                match (error.raw_os_error().map(Errno::from_raw_os_error), error.kind()) {
                    // These two say that userfaultfd is not to be had, whatever else may give them.
                    (Some(Errno::PERM), _) => Errno::ACCESS,
                    (Some(Errno::NOSYS), _) => Errno::OPNOTSUPP,
                    (Some(errno), _) => errno,
                    (None, ErrorKind::OutOfMemory) => Errno::NOMEM,
                    (None, ErrorKind::InvalidInput) => Errno::INVAL,
                    (None, ErrorKind::StorageFull) => Errno::NOSPC,
                    (None, ErrorKind::AlreadyExists) => Errno::EXIST,
                    (None, ErrorKind::Unsupported) => Errno::OPNOTSUPP,
                    (None, _) => Errno::IO,
                }
            }
        };
        Self(errno.raw_os_error())
    }
}

/// Tells the host why something failed, if an errno cannot.
pub(crate) fn tell(error: &Error) {
    if let Error::System(_, cause) = error
        && cause.get_ref().is_some()
    {
        ztera_log::say(format_args!("{error}"));
    }
}

/// The outcome of an interface function's body.
///
/// A panic is a bug of the engine and ends the process, as `extern "C"` does by itself: the caller's
/// thread may have been compressing what it had submitted, or been changing units, and nobody could
/// put that right.
pub(crate) fn outcome(body: impl FnOnce() -> Result<(), Failure>) -> c_int {
    match body() {
        Ok(()) => 0,
        Err(Failure(errno)) => -errno,
    }
}
