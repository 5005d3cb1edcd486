//! Faults: how one is answered, and how the next ones are foreseen.
//!
//! * [`serve`] answers a fault, for a handler or for the thread that took it ([`sigbus`]), until the range is
//!   [handed over](handover) to handlers.
//! * [`readahead`] says what a reader will want next; [`readers`] keeps it for all of them. Handlers bring it in, or
//!   threads that wait for it ([`ahead`]).
//! * [`hold`] holds writers back that outrun the SSD.
//! * [`spin`] looks for work for a moment before a thread sleeps.

pub(crate) mod ahead;
pub(crate) mod handover;
pub(crate) mod hold;
pub(crate) mod readahead;
pub(crate) mod readers;
pub(crate) mod serve;
pub(crate) mod sigbus;
pub(crate) mod spin;
