//! Working memory of one thread.

use ztera_codec::{Packer, Settings};
use ztera_ssd::ReadBuffer;

use crate::form::Density;
use ztera_policy::units::UnitSize;

/// A codec's contexts and room for one unit. Belongs to one thread at a time.
pub struct Scratch {
    pub(crate) packer: Packer,
    pub(crate) unit: Box<[u8]>,
    /// Room for several units, once there was need for it.
    pub(crate) run: Box<[u8]>,
    pub(crate) record: Option<ReadBuffer>,
    /// Codec for objects that have to be small, if there is time for it, and its contexts once there were any.
    pub(crate) dense: Option<Settings>,
    pub(crate) dense_packer: Option<Packer>,
}

impl Scratch {
    /// Memory for `units` that lie together, until it is [given back](Self::give_run).
    pub fn take_run(&mut self, units: usize) -> Box<[u8]> {
        let run = std::mem::take(&mut self.run);
        let len = units * self.unit.len();
        if run.len() == len { run } else { vec![0; len].into_boxed_slice() }
    }

    /// Gives it back, for the next one.
    pub fn give_run(&mut self, run: Box<[u8]>) {
        self.run = run;
    }

    /// An object of that density has no room: whether a smaller one can be made, as it is from now on.
    pub(crate) fn can_be_denser(&self, density: &mut Density) -> bool {
        self.dense.is_some() && std::mem::replace(density, Density::Dense) == Density::Usual
    }

    /// Whether its thread has no time to make objects as small as they can be.
    pub fn is_hasty(&self) -> bool {
        self.dense.is_none()
    }

    /// The codec for new objects.
    pub(crate) fn packer(&mut self, density: Density) -> &mut Packer {
        match self.dense.filter(|_| density == Density::Dense) {
            None => &mut self.packer,
            Some(dense) => self.dense_packer.get_or_insert_with(|| Packer::new(dense, self.unit.len())),
        }
    }

    pub(crate) fn new(settings: Settings, unit: UnitSize) -> Self {
        Self {
            packer: Packer::new(settings, unit.bytes()),
            unit: vec![0; unit.bytes()].into_boxed_slice(),
            run: Box::default(),
            record: None,
            dense: None,
            dense_packer: None,
        }
    }
}
