//! The logic of a range on a [simulated kernel](kernel), under shuttle's control: faults, evictions,
//! submissions, discards and shutdown in many random interleavings.
//!
//! The modules that decide and do are the range's own sources. In place of its system calls and of the
//! threads that wait in them are [`os`] and [`machine`].

#![allow(missing_docs, dead_code, reason = "the range's sources, without all that uses them")]
#![allow(clippy::missing_safety_doc, reason = "as in the module whose place this takes")]

#[path = "../../../range/src/core/mod.rs"]
mod core;
#[path = "../../../range/src/doorbell.rs"]
mod doorbell;
#[path = "../../../range/src/fault/mod.rs"]
mod fault;
pub mod kernel;
pub mod machine;
mod os;
#[path = "../../../range/src/parts.rs"]
mod parts;
#[path = "../../../range/src/reclaim/mod.rs"]
mod reclaim;
#[path = "../../../range/src/residency/mod.rs"]
mod residency;
#[path = "../../../range/src/stats.rs"]
mod stats;
#[path = "../../../range/src/trace.rs"]
mod trace;
