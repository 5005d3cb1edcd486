//! A pass over all slots, which [`compact`](crate::Store::compact) makes step by step.

/// How far a pass has got.
#[derive(Debug, Default)]
pub(crate) struct Pass {
    /// The unit to go on with. `None`: no pass is going on.
    pub next: Option<u32>,
}
