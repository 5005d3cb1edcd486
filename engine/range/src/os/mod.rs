//! The kernel, as the range sees it.

mod again;
pub(crate) mod events;
pub(crate) mod memory;
pub(crate) mod neighbours;
pub(crate) mod psi;
pub(crate) mod uffd;
