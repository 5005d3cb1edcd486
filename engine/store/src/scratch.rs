//! Working memory of one thread.

use ztera_backing::ReadBuffer;
use ztera_codec::{Packer, Settings};

use crate::types::UnitSize;

/// A codec's contexts and room for one unit. Belongs to one thread at a time.
pub struct Scratch {
    pub(crate) packer: Packer,
    pub(crate) unit: Box<[u8]>,
    pub(crate) record: Option<ReadBuffer>,
    /// What follows on SSD will be wanted too.
    pub(crate) ahead: bool,
}

impl Scratch {
    /// Says whether what follows on SSD will be wanted too, with this working memory.
    pub fn read_ahead(&mut self, on: bool) {
        self.ahead = on;
    }

    pub(crate) fn new(settings: Settings, unit: UnitSize) -> Self {
        Self {
            packer: Packer::new(settings, unit.bytes()),
            unit: vec![0; unit.bytes()].into_boxed_slice(),
            record: None,
            ahead: false,
        }
    }
}
