//! Memory cgroups, version 1 and 2, and pressure stall information. All that the repository knows of their files is here.
//!
//! * [`group`] finds the groups of a process, be it in a container or not.
//! * [`files`] has the names of their files, which differ between the versions, and reads numbers.
//! * [`stall`] says how long threads waited for memory.

pub mod files;
pub mod group;
pub mod stall;

pub use files::Version;
pub use group::Group;
