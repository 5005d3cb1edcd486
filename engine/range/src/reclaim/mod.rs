//! Reclaim: making room in memory, in the pool, and within a budget of both. [`ztera_policy`] makes the decisions.
//!
//! * [`evictor`] takes units out of memory, [`demoter`] out of the pool, to SSD.
//! * [`recompressor`] makes objects of idle units smaller; [`compactor`] moves objects together.
//! * [`governor`] divides memory anew once per second.

pub(crate) mod compactor;
pub(crate) mod demoter;
pub(crate) mod evictor;
pub(crate) mod governor;
pub(crate) mod recompressor;
