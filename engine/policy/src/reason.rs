//! Why memory is divided anew.

use std::fmt;

/// Why memory is divided anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Nothing changes.
    Calm,
    /// The system stalls for want of memory: some is given back.
    Stalled,
    /// It does not any more: some is taken again.
    Recovered,
    /// Faults from SSD cost more than those from the pool: more is kept compressed.
    SsdBound,
    /// It costs less: less is.
    Relaxed,
    /// Others leave too little of a memory that they share ([`sharing`](crate::sharing)): some is given back.
    Crowded,
    /// They do not any more: some is taken again.
    Roomy,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Calm => "calm",
            Self::Stalled => "the system waits for memory: giving some back",
            Self::Recovered => "the system does not wait for memory any more: taking some again",
            Self::SsdBound => "too much comes from SSD: keeping more compressed",
            Self::Relaxed => "little comes from SSD: keeping less compressed",
            Self::Crowded => "others use the memory: giving some back",
            Self::Roomy => "others leave some memory: taking some again",
        })
    }
}
