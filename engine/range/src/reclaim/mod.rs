//! Reclaim: making room in memory, in the pool, and within a budget of both. [`ztera_policy`] makes the decisions.
//!
//! * [`evictor`] takes units out of memory, [`demoter`] out of the pool, to SSD.
//! * [`recompressor`] makes objects of idle units smaller; [`compactor`] moves objects together.
//! * [`budget`] is what resident units and the pool share; [`governor`] changes the shares once per second.

pub(crate) mod budget;
pub(crate) mod compactor;
pub(crate) mod demoter;
pub(crate) mod evictor;
pub(crate) mod governor;
pub(crate) mod recompressor;
