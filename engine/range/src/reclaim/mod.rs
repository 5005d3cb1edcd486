//! Reclaim: making room in memory, in the pool, and within a budget of both. [`ztera_policy`] makes the decisions.
//!
//! * [`evictor`] takes units out of memory, [`demoter`] out of the pool, to SSD.
//! * [`spare`] offers memory to the kernel, which takes it when it likes. [`room`] gives it to threads that are about to use
//!   some beside the range.
//! * [`idleness`] knows what is idle: that leaves ahead of need, or gets smaller. [`writeback`] does it by hand.
//! * [`recompressor`] makes objects of idle units smaller; [`compactor`] moves objects together; [`splitter`] makes those anew
//!   of which one page at a time is read.
//! * [`governor`] divides memory anew once per second, and looks when the kernel says that memory is short.

pub(crate) mod compactor;
pub(crate) mod demoter;
pub(crate) mod evictor;
pub(crate) mod governor;
pub(crate) mod idleness;
pub(crate) mod recompressor;
pub(crate) mod room;
pub(crate) mod spare;
pub(crate) mod splitter;
pub(crate) mod writeback;
