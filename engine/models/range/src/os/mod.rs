//! In place of the range's own: the simulated [kernel](crate::kernel).

pub(crate) mod memory;
pub(crate) mod neighbours;
pub(crate) mod psi;
pub(crate) mod uffd;
