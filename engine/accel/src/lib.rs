//! Compression by a device beside the CPU.
//!
//! ```text
//!  offer: Load -> policy::offload::place --Cpu(why)--------------------------> the caller compresses
//!                        | Device
//!                        v
//!         Job --submit--> Device: rings, instances --finish--> Ticket <--wait, with a deadline-- the caller
//!                                       \--dropped: Lost------->          verified: Made, or a reason why not
//! ```
//!
//! * [`device`] is what a backend has to do: take jobs, [answer] each, and start anew.
//! * [`job`] is a unit on its way, with buffers that are the device's until it gives them back. So an answer that comes
//!   too late finds nobody, and harms nothing.
//! * [`offload`] decides, waits, checks what comes back, and has the device reset when it does badly. [`served`] is that as
//!   a store asks for it.
//! * [`queue`] has the jobs of a library that compresses while its caller waits.
//! * [`backend`] says which backends there are: [`qatzip`], [`nvcomp`], and [`model`], which is a model of a device and none.
//!
//! No unit is lost: each ends as an object that the CPU's codec decodes, or with a reason for which the caller's CPU
//! compresses it.

pub mod answer;
pub mod backend;
pub mod device;
#[cfg(test)]
mod fake;
pub mod job;
pub mod model;
mod nvcomp;
pub mod offload;
mod qatzip;
mod queue;
mod served;

pub use answer::{Answer, Facts, Fault, Sums};
pub use backend::{Backend, NoBackend};
pub use device::Device;
pub use job::Job;
pub use offload::{Accelerator, Made, Options, Ticket, Verify, Why};
