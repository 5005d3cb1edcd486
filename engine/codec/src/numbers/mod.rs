//! The filter for arrays of numbers: they become small integers in few bits, and a rest for the codec.
//!
//! [`sample`] looks whether a unit holds such numbers of some [`kind`], [`lane`] makes integers of its words, [`bits`] packs
//! them in [`block`]s. Nothing is lost: what does not come back bit by bit is in the rest as it is.

mod bits;
mod block;
mod kind;
mod lane;
mod sample;

pub use block::Lens;
pub use kind::Numbers;
pub use sample::{Found, look};
