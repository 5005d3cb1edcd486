//! Corrections of contents that are not in memory: each is made where the contents are read, so that nobody reads them for it.
//!
//! The pool or the SSD keeps the old contents of a unit beside its patches, until the unit gets contents from elsewhere.

use std::collections::HashMap;

use ztera_policy::units::UnitIndex;
use ztera_sync::atomic::{AtomicU64, Ordering};
use ztera_sync::{Mutex, Rank};

/// A change of four bytes of a unit, if they are what the caller takes them for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patch {
    /// The first of them, from the start of the unit: a multiple of 4.
    pub offset: u32,
    /// The bytes in the contents. Others stay as they are.
    pub from: [u8; 4],
    /// The bytes from now on.
    pub to: [u8; 4],
}

impl Patch {
    /// Bytes that it changes.
    pub const LEN: usize = 4;

    fn apply(&self, contents: &mut [u8]) {
        let bytes = &mut contents[self.offset as usize..][..Self::LEN];
        if bytes == self.from {
            bytes.copy_from_slice(&self.to);
        }
    }
}

/// Patches of one unit, in the order of their offsets, each of which has one.
type OfUnit = Vec<Patch>;

/// Bytes that a list takes beside its patches: its entry in the map, and room to grow.
const OF_LIST: u64 = 96;

/// Locks that the patches of different units are under.
const SHARDS: usize = 16;

/// The patches of all units. A caller holds the lock of the slot of the unit that it names.
pub(crate) struct Patches {
    /// Units that have any.
    units: AtomicU64,
    /// Bytes of all lists.
    bytes: AtomicU64,
    shards: [Mutex<HashMap<u32, OfUnit>>; SHARDS],
}

fn patches_len(count: usize) -> u64 {
    (count * size_of::<Patch>()) as u64
}

impl Default for Patches {
    fn default() -> Self {
        let shard = || Mutex::ranked(Rank::Leaf, HashMap::new());
        Self { units: AtomicU64::new(0), bytes: AtomicU64::new(0), shards: std::array::from_fn(|_| shard()) }
    }
}

impl Patches {
    fn shard(&self, unit: UnitIndex) -> &Mutex<HashMap<u32, OfUnit>> {
        &self.shards[unit.0 as usize % SHARDS]
    }

    /// Bytes that they take.
    pub fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Whether the unit has none.
    pub fn has_none(&self, unit: UnitIndex) -> bool {
        self.units.load(Ordering::Relaxed) == 0 || !self.shard(unit).lock().contains_key(&unit.0)
    }

    /// Adds to the unit's patches. False, and nothing has changed: bytes of which others tell are not what these take them for.
    pub fn add(&self, unit: UnitIndex, patches: &[Patch]) -> bool {
        let mut shard = self.shard(unit).lock();
        let list = shard.entry(unit.0).or_default();
        let find = |list: &OfUnit, patch: &Patch| list.binary_search_by_key(&patch.offset, |old| old.offset);
        let goes_on = |patch: &Patch| find(list, patch).map_or(true, |place| list[place].to == patch.from);
        if !patches.iter().all(goes_on) {
            return false;
        }
        let before = list.len();
        for patch in patches {
            match find(list, patch) {
                Ok(place) => list[place].to = patch.to,
                Err(place) => list.insert(place, *patch),
            }
        }
        let added = list.len() - before;
        let lists = u64::from(before == 0);
        self.units.fetch_add(lists, Ordering::Relaxed);
        self.bytes.fetch_add(lists * OF_LIST + patches_len(added), Ordering::Relaxed);
        true
    }

    /// Makes them in the unit's contents.
    pub fn apply(&self, unit: UnitIndex, contents: &mut [u8]) {
        if self.units.load(Ordering::Relaxed) == 0 {
            return;
        }
        if let Some(list) = self.shard(unit).lock().get(&unit.0) {
            list.iter().for_each(|patch| patch.apply(contents));
        }
    }

    /// The unit has other contents, or memory has them, patches and all.
    pub fn drop_of(&self, unit: UnitIndex) {
        if self.units.load(Ordering::Relaxed) == 0 {
            return;
        }
        if let Some(list) = self.shard(unit).lock().remove(&unit.0) {
            self.units.fetch_sub(1, Ordering::Relaxed);
            self.bytes.fetch_sub(OF_LIST + patches_len(list.len()), Ordering::Relaxed);
        }
    }
}
