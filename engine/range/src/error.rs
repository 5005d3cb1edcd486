//! The errors of a range that is opened or used.

use std::{fmt, io};

use ztera_store::StagingError;

/// Result of a range operation.
pub type Result<T> = std::result::Result<T, Error>;

/// Why an operation failed. Nothing has changed when one does.
#[derive(Debug)]
pub enum Error {
    /// An argument cannot be; says which.
    Invalid(&'static str),
    /// The kernel forbids userfaultfd to this process, at least for faults of system calls.
    Forbidden,
    /// The kernel lacks userfaultfd or something about it that is needed; says what.
    Unsupported(&'static str),
    /// A system call failed; says what it was for.
    System(&'static str, io::Error),
    /// Somebody uses the units by their addresses.
    Pinned,
    /// A staging buffer was misused.
    Staging(StagingError),
}

impl Error {
    pub(crate) fn system(doing: &'static str) -> impl FnOnce(io::Error) -> Self {
        move |error| Self::System(doing, error)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invalid(what) => write!(f, "invalid argument: {what}"),
            Self::Forbidden => f.write_str(
                "userfaultfd for system calls is forbidden here: set vm.unprivileged_userfaultfd=1, give access to \
                 /dev/userfaultfd, or grant CAP_SYS_PTRACE (containers: also a seccomp profile that allows it); from \
                 Linux 5.11 on, threads that serve their own faults need no permission but the profile's",
            ),
            Self::Unsupported(what) => write!(f, "the kernel does not support {what}"),
            Self::System(doing, error) => write!(f, "{doing}: {error}"),
            Self::Pinned => f.write_str("some of the units are pinned"),
            Self::Staging(StagingError::NotLent) => f.write_str("not a staging buffer in the caller's hands"),
            Self::Staging(StagingError::BadExtent) => f.write_str("not whole units inside the range"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::System(_, error) => Some(error),
            _ => None,
        }
    }
}

impl From<StagingError> for Error {
    fn from(error: StagingError) -> Self {
        Self::Staging(error)
    }
}
