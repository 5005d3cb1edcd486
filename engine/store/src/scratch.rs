//! Working memory of one thread.

use ztera_backing::ReadBuffer;
use ztera_codec::{Packer, Settings};

use crate::types::UnitSize;

/// A codec's contexts and room for one unit. Belongs to one thread at a time.
pub struct Scratch {
    pub(crate) packer: Packer,
    pub(crate) unit: Box<[u8]>,
    pub(crate) record: Option<ReadBuffer>,
    /// Units that will be wanted from the next one on; 0 = nobody knows.
    pub(crate) wanted: usize,
}

impl Scratch {
    /// Says how many units will be wanted with this working memory, from the next one on; 0 = nobody knows.
    pub fn will_want(&mut self, units: usize) {
        self.wanted = units;
    }

    pub(crate) fn new(settings: Settings, unit: UnitSize) -> Self {
        Self {
            packer: Packer::new(settings, unit.bytes()),
            unit: vec![0; unit.bytes()].into_boxed_slice(),
            record: None,
            wanted: 0,
        }
    }
}
