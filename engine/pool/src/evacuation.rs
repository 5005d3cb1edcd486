//! Moving objects together: which ones, and where they go.
//!
//! The pool does not know who owns an object. So it only marks the sparsest chunks of each class as *sources*; whoever
//! owns objects asks of each whether it should move, moves it, and frees what it was moved from. A source is an
//! ordinary chunk otherwise: it is the last to get new objects, but it does get them, so that no promise depends on
//! whether objects are moved.
//!
//! [Misfits](crate::misfits) move to smaller slots, from full chunks too. They leave holes, which the next pass
//! turns into free chunks. In a full pool the first chunk for them is one that the [ledger](crate::ledger) keeps back.

use crate::chunk::Chunk;
use crate::classes::Class;
use crate::group::Group;
use crate::handle::{ChunkIndex, Handle};
use crate::pool::Pool;
use crate::shard::Shard;

/// Chunks that change their list while a shard is locked.
const AT_ONCE: u32 = 64;

impl Pool {
    /// Marks the sparsest chunks of each class, as many as hold the free slots of all. Returns whether there is
    /// anything to move. One thread at a time, which calls [`end_evacuation`](Self::end_evacuation) before it does so
    /// again.
    pub fn begin_evacuation(&self) -> bool {
        let marked: u32 = self.classes.all().map(|class| self.mark_sparsest(class)).sum();
        let has_misfits = self.misfits.begin_pass();
        has_misfits || marked > 0 || self.mark_for_misfits()
    }

    /// Marks a raw chunk where misfits need one, and all are in use: then raw chunks have as many slots free as are kept back,
    /// here and there. Some were never used and so are no holes, so that nothing else would empty a chunk.
    fn mark_for_misfits(&self) -> bool {
        !self.ledger.has_chunk() && self.misfits.fill_a_chunk() && self.mark_emptiest(self.classes.raw())
    }

    /// Marks the chunk of `class` that has the fewest objects, of those that come first in their lists. False if it is gone.
    fn mark_emptiest(&self, class: Class) -> bool {
        let of_shard = |shard: usize| Some((self.lock(shard).emptiest(&self.chunks, class, AT_ONCE)?, shard));
        let emptiest = (0..self.shards.len()).filter_map(of_shard).min_by_key(|((used, _), _)| *used);
        let Some(((_, index), shard)) = emptiest else { return false };
        let mut shard = self.lock(shard);
        let is_there = shard.lists(&self.chunks, class, index, AT_ONCE);
        if is_there {
            shard.mark(&self.chunks, index);
        }
        is_there
    }

    /// Whether an object lies in a chunk that is to become empty, or in a slot that is too large for it, by the
    /// [bits](Handle::bits) of its handle; they may be those of an object that was freed. The answer may change at any
    /// time.
    pub fn should_move(&self, bits: u64) -> bool {
        Handle::is_misfit(bits) || self.is_source(Handle::chunk_of(bits))
    }

    /// Copies the object to a smaller slot, or out of a source to a slot of the same class; both copies are the
    /// caller's then. `None` if there is no better place.
    pub fn relocate(&self, handle: &Handle) -> Option<Handle> {
        let (own, class) = (self.own_class(handle), self.chunk(handle.chunk()).class());
        let smaller = if own < class { self.place_smaller(own, class) } else { None };
        let in_class = || self.is_source(handle.chunk()).then(|| self.place(class)).flatten();
        let new = smaller.or_else(in_class)?;
        let ((from, _), (to, to_len)) = (self.locate(handle), self.locate(&new));
        debug_assert!(from != to && to_len >= self.classes.slot_len(own));
        // SAFETY: two slots, one of them lent by its owner, the other one new, none of a smaller class than `own`.
        unsafe { to.copy_from_nonoverlapping(from, self.classes.slot_len(own)) };
        self.misfits.moved();
        Some(self.note_misfit(new, own))
    }

    fn is_source(&self, chunk: ChunkIndex) -> bool {
        self.chunk(chunk).group() == Group::SOURCE
    }

    /// A slot for an object of the class `own` that has one of the larger class `now`.
    fn place_smaller(&self, own: Class, now: Class) -> Option<Handle> {
        let home = self.home_shard();
        let open = || {
            let class = self.misfits.class_that_pays(own, now)?;
            Some(self.take_new(home, class, self.ledger.open_to_move()?))
        };
        let between = || (own.0 + 1..now.0).find_map(|class| self.take_dense(home, Class(class)));
        self.take_dense(home, own).or_else(open).or_else(between)
    }

    fn place(&self, class: Class) -> Option<Handle> {
        let home = self.home_shard();
        let raw = class == self.classes.raw();
        if raw && !self.ledger.charge_raw_to_move() {
            return None;
        }
        let found = self.take_dense(home, class).or_else(|| {
            let chunk = if raw { self.ledger.open_raw() } else { self.ledger.open(&mut None) };
            Some(self.take_new(home, class, chunk?))
        });
        if raw && found.is_none() {
            self.ledger.refund_raw();
        }
        found
    }

    /// Makes sources that did not become empty ordinary chunks again. Returns whether another pass should follow at once:
    /// this one moved objects, and many have too large a slot, for which there may be room now.
    pub fn end_evacuation(&self) -> bool {
        for class in self.classes.all() {
            for shard in 0..self.shards.len() {
                self.refile(u32::MAX, shard, class, Group::SOURCE, Shard::unmark);
            }
        }
        self.misfits.go_on(self.usage().used)
    }

    fn mark_sparsest(&self, class: Class) -> u32 {
        let shards = 0..self.shards.len();
        let holes: u32 = shards.clone().map(|shard| self.lock(shard).holes(class)).sum();
        // The rest of the last one goes to a new chunk, of which only so much is touched. Few holes are left alone. Where
        // there is no chunk, all has to go to holes.
        let slots = u32::from(self.classes.slots(class));
        let rest = if self.ledger.has_chunk() { slots / 4 * 3 } else { 0 };
        let wanted = (holes + rest) / slots;
        let mut marked = 0;
        for group in Group::sparsest_first() {
            for shard in shards.clone() {
                marked += self.refile(wanted - marked, shard, class, group, Shard::mark);
            }
        }
        marked
    }

    /// Moves at most so many chunks of a list to another one, and returns how many.
    fn refile(
        &self,
        most: u32,
        shard: usize,
        class: Class,
        from: Group,
        change: fn(&mut Shard, &[Chunk], ChunkIndex),
    ) -> u32 {
        let mut done = 0;
        while done < most {
            let mut shard = self.lock(shard);
            for _ in 0..AT_ONCE.min(most - done) {
                let Some(index) = shard.first(class, from) else { return done };
                change(&mut shard, &self.chunks, index);
                done += 1;
            }
        }
        done
    }
}
