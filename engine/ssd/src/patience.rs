//! How often a read that fails is made again.

use std::time::Duration;

/// Pauses before a read that failed is made again. A disturbed transfer, or a path that is changing, is fine soon. At
/// once, as what is wrong may be what nobody asked for. The thread that waits holds one unit, for a tenth of a second
/// at most.
const PAUSES: [Duration; 4] =
    [Duration::ZERO, Duration::from_millis(1), Duration::from_millis(8), Duration::from_millis(64)];

/// Whether a read that fails is made again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Patience {
    /// A few times, with pauses: a thread needs the record.
    Some,
    /// Never: nobody has asked for the record, and a thread that needs another one may wait meanwhile.
    None,
}

impl Patience {
    /// Before each further try.
    pub(crate) fn pauses(self) -> &'static [Duration] {
        match self {
            Self::Some => &PAUSES,
            Self::None => &[],
        }
    }
}
