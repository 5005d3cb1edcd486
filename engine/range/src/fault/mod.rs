//! Faults: how one is answered, and how the next ones are foreseen.
//!
//! * [`serve`] answers a fault, for a handler or for the thread that took it ([`sigbus`]), until the range is
//!   [handed over](handover) to handlers.
//! * [`server`] brings in a unit, [`cluster`] those that lie together by one call, [`page`] a page of one.
//! * [`readers`] knows what each reader will want next. Handlers bring it in, or
//!   threads that wait for it ([`ahead`]).
//! * [`promote`] has the pool keep what came from SSD.
//! * [`hold`] holds writers back that outrun the SSD.
//! * [`pin`] brings units in that must not fault for a while.
//! * [`spin`] looks for work for a moment before a thread sleeps.

pub(crate) mod ahead;
pub(crate) mod cluster;
pub(crate) mod handover;
pub(crate) mod hold;
pub(crate) mod page;
pub(crate) mod pin;
pub(crate) mod promote;
pub(crate) mod readers;
pub(crate) mod serve;
pub(crate) mod server;
pub(crate) mod sigbus;
pub(crate) mod spin;

use readers::Readers;
use sigbus::SelfService;
use spin::Spin;

/// State that the threads share which answer faults.
pub(crate) struct Faults {
    pub readers: Readers,
    /// `None`: fault handlers serve the threads of the program.
    pub sigbus: Option<SelfService>,
    /// Of the fault handlers.
    pub spin: Spin,
}
