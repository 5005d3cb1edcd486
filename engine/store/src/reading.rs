//! How contents are read, and how far: units that lie together on SSD come by one read.

use ztera_ssd::{Patience, Place, Reach};

use crate::slot::{Backing, PlaceBits, Slot};
use ztera_policy::pages::Pages;

/// How contents are read.
#[derive(Clone, Copy, Debug)]
pub struct Reading {
    /// The pages that are wanted. The place of others may have any bytes.
    pub pages: Pages,
    /// How far a read from SSD goes: the next ones with the same working memory find there what it brought.
    pub reach: Reach,
    /// How often the SSD is asked.
    pub patience: Patience,
}

/// One unit, which a thread needs, and nobody knows what will be wanted next.
impl Default for Reading {
    fn default() -> Self {
        Self { pages: Pages::ALL, reach: Reach::Around, patience: Patience::Some }
    }
}

/// For a reader that wants the units of these slots one after the other: all of them are locked.
pub fn reach_along<'s>(slots: impl Iterator<Item = &'s Slot<'s>>) -> Reach {
    Reach::along(slots.filter_map(place_of))
}

/// Most units of which [some come together](come_together).
const MOST_TOGETHER: usize = 16;

/// For a reader that wants the unit at `wanted` of these slots, and with it those of the others that come for nothing: all are
/// locked, and in the order of their addresses. Unlocks those on SSD that are not there by the same read. `None`: the wanted
/// one is not on SSD, or it is the only one that comes.
pub fn come_together(slots: &mut [Option<Slot<'_>>], wanted: usize) -> Option<Reach> {
    let on_ssd = |slot: &Option<Slot<'_>>| slot.as_ref().and_then(place_of);
    let mut comes = [false; MOST_TOGETHER];
    let mut reach = None;
    if let Some(place) = on_ssd(&slots[wanted]) {
        let mut last = place;
        for i in wanted..slots.len() {
            let Some(next) = on_ssd(&slots[i]) else { continue };
            comes[i] = i == wanted || last.is_followed_by(next);
            last = if comes[i] { next } else { last };
        }
        let mut first = place;
        for i in (0..wanted).rev() {
            let Some(before) = on_ssd(&slots[i]) else { continue };
            comes[i] = before.is_followed_by(first);
            first = if comes[i] { before } else { first };
        }
        reach = (first != last).then_some(Reach::With(last));
    }
    for (slot, comes) in slots.iter_mut().zip(comes) {
        if !comes && on_ssd(slot).is_some() {
            *slot = None;
        }
    }
    reach
}

fn place_of(slot: &Slot<'_>) -> Option<Place> {
    match slot.backing() {
        Backing::OnSsd(PlaceBits(place)) => Some(Place::from_bits(place)),
        _ => None,
    }
}
