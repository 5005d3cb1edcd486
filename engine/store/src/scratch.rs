//! Working memory of one thread.

use ztera_codec::{Packer, Settings};
use ztera_ssd::{Place, Reach, ReadBuffer};

use crate::slot::{Backing, PlaceBits, Slot};
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
    /// Whether they have to be now.
    pub(crate) is_tight: bool,
    /// The units that will be wanted, from the next one on.
    pub(crate) reach: Reach,
}

impl Scratch {
    /// Most units of which [some are wanted together](Self::will_want_around).
    const MOST_AROUND: usize = 16;

    /// Says how many units will be wanted with this working memory, from the next one on; 0 = nobody knows.
    pub fn will_want(&mut self, units: usize) {
        self.reach = if units == 0 { Reach::Around } else { Reach::Records(units) };
    }

    /// Says that the units of these slots, all of them locked, will be wanted one after the other.
    pub fn will_want_all<'s>(&mut self, slots: impl Iterator<Item = &'s Slot<'s>>) {
        let place = |slot: &Slot<'_>| match slot.backing() {
            Backing::OnSsd(PlaceBits(place)) => Some(Place::from_bits(place)),
            _ => None,
        };
        self.reach = Reach::along(slots.filter_map(place));
    }

    /// Says that the unit at `place` is wanted, and with it those of the others that come for nothing: all are locked, and in
    /// the order of their addresses. Unlocks those on SSD that are not there by the same read.
    pub fn will_want_around(&mut self, slots: &mut [Option<Slot<'_>>], place: usize) {
        let on_ssd = |slot: &Option<Slot<'_>>| match slot.as_ref()?.backing() {
            Backing::OnSsd(PlaceBits(place)) => Some(Place::from_bits(place)),
            _ => None,
        };
        let mut comes = [false; Self::MOST_AROUND];
        if let Some(wanted) = on_ssd(&slots[place]) {
            let mut last = wanted;
            for i in place..slots.len() {
                let Some(next) = on_ssd(&slots[i]) else { continue };
                comes[i] = i == place || last.is_followed_by(next);
                last = if comes[i] { next } else { last };
            }
            let (mut first, end) = (wanted, last);
            for i in (0..place).rev() {
                let Some(before) = on_ssd(&slots[i]) else { continue };
                comes[i] = before.is_followed_by(first);
                first = if comes[i] { before } else { first };
            }
            self.reach = if first == end { self.reach } else { Reach::With(end) };
        }
        for (slot, comes) in slots.iter_mut().zip(comes) {
            if !comes && on_ssd(slot).is_some() {
                *slot = None;
            }
        }
    }

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

    /// Says whether objects that are made with this working memory should be as small as they can be.
    pub fn set_tight(&mut self, is_tight: bool) {
        self.is_tight = is_tight;
    }

    /// The object that was made with it has no room: whether a smaller one can be made, as it is from now on.
    pub(crate) fn make_denser(&mut self) -> bool {
        self.dense.is_some() && !std::mem::replace(&mut self.is_tight, true)
    }

    /// Whether its thread has no time to make objects as small as they can be.
    pub fn is_hasty(&self) -> bool {
        self.dense.is_none()
    }

    /// The codec for new objects.
    pub(crate) fn packer(&mut self) -> &mut Packer {
        match self.dense.filter(|_| self.is_tight) {
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
            is_tight: false,
            reach: Reach::Around,
        }
    }
}
