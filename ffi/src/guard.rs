//! Outcomes as C knows them.

use std::ffi::c_int;
use std::io::ErrorKind;
use std::panic::{AssertUnwindSafe, catch_unwind};

use rustix::io::Errno;
use ztera_range::Error;

/// What a function of the interface fails with.
pub(crate) struct Failure(c_int);

impl Failure {
    pub const INVALID: Self = Self(Errno::INVAL.raw_os_error());
    pub const TOO_BIG: Self = Self(Errno::TOOBIG.raw_os_error());
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let errno = match error {
            Error::Invalid(_) | Error::Staging(_) => Errno::INVAL,
            Error::Forbidden => Errno::PERM,
            Error::Unsupported(_) => Errno::NOSYS,
            Error::System(_, error) => match (error.raw_os_error(), error.kind()) {
                (Some(raw), _) => return Self(raw),
                (None, ErrorKind::OutOfMemory) => Errno::NOMEM,
                (None, ErrorKind::InvalidInput) => Errno::INVAL,
                (None, _) => Errno::IO,
            },
        };
        Self(errno.raw_os_error())
    }
}

/// Runs the body of an interface function. A panic, which is a bug of the engine, ends here as -EIO.
pub(crate) fn guard(body: impl FnOnce() -> Result<(), Failure>) -> c_int {
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(())) => 0,
        Ok(Err(Failure(errno))) => -errno,
        Err(_) => -Errno::IO.raw_os_error(),
    }
}
