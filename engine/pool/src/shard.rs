//! A shard: for each class, the chunks that have both objects and free slots, by how full they are.
//!
//! Threads are spread over the shards; an object returns to the shard that owns its chunk.

use crate::chunk::Chunk;
use crate::classes::{Class, Classes};
use crate::group::Group;
use crate::handle::{ChunkIndex, SlotIndex};

/// Lists of partly filled chunks. Full chunks are in no list: their objects' handles lead to them.
#[derive(Debug)]
pub(crate) struct Shard {
    partial: Vec<Partial>,
}

/// Those of one class.
#[derive(Clone, Debug)]
struct Partial {
    /// Slots of one chunk.
    slots: u16,
    /// Free slots that were used before.
    holes: u32,
    first: [ChunkIndex; Group::COUNT],
}

impl Shard {
    pub fn new(classes: &Classes) -> Self {
        let empty = |slots| Partial { slots, holes: 0, first: [ChunkIndex::NONE; Group::COUNT] };
        Self { partial: classes.all().map(|class| empty(classes.slots(class))).collect() }
    }

    /// A chunk of `class` with a free slot that is not a source.
    ///
    /// It is one of the fullest: filling those up lets the others run empty.
    pub fn fullest(&self, class: Class) -> Option<ChunkIndex> {
        Group::sparsest_first().rev().find_map(|group| self.first(class, group))
    }

    /// The same, or a source if there is no other.
    pub fn partial(&self, class: Class) -> Option<ChunkIndex> {
        self.fullest(class).or_else(|| self.first(class, Group::SOURCE))
    }

    /// Any chunk in `group`.
    pub fn first(&self, class: Class, group: Group) -> Option<ChunkIndex> {
        let first = self.of(class).first[usize::from(group.0)];
        (first != ChunkIndex::NONE).then_some(first)
    }

    /// The chunk of `class` with the fewest objects, and how many these are, among the first `most` of each list.
    pub fn emptiest(&self, chunks: &[Chunk], class: Class, most: u32) -> Option<(u16, ChunkIndex)> {
        let used = |index: ChunkIndex| (chunks[index.0 as usize].used(), index);
        self.listed(chunks, class, most).map(used).min_by_key(|(used, _)| *used)
    }

    /// Whether that chunk is one of them.
    pub fn lists(&self, chunks: &[Chunk], class: Class, index: ChunkIndex, most: u32) -> bool {
        self.listed(chunks, class, most).any(|listed| listed == index)
    }

    /// The first `most` chunks of `class` in each list that are no sources.
    fn listed<'a>(
        &'a self,
        chunks: &'a [Chunk],
        class: Class,
        most: u32,
    ) -> impl Iterator<Item = ChunkIndex> + 'a {
        let next = |index: &ChunkIndex| {
            Some(chunks[index.0 as usize].next()).filter(|next| *next != ChunkIndex::NONE)
        };
        Group::sparsest_first()
            .flat_map(move |group| std::iter::successors(self.first(class, group), next).take(most as usize))
    }

    /// Free slots of `class` that were used before: memory that was taken from the system for nothing.
    pub fn holes(&self, class: Class) -> u32 {
        self.of(class).holes
    }

    /// Lists a new chunk, which is about to get its first object.
    pub fn add(&mut self, chunks: &[Chunk], index: ChunkIndex) {
        let class = chunks[index.0 as usize].class();
        self.of_mut(class).file(chunks, index, Group::newest());
    }

    /// Takes a slot of a listed chunk. `next_free` reads the link in a slot that is free.
    pub fn take(
        &mut self,
        chunks: &[Chunk],
        index: ChunkIndex,
        next_free: impl FnOnce(SlotIndex) -> SlotIndex,
    ) -> SlotIndex {
        let chunk = &chunks[index.0 as usize];
        let partial = self.of_mut(chunk.class());
        let touched = chunk.touched();
        let slot = chunk.take(partial.slots, next_free).expect("a listed chunk has a free slot");
        partial.holes -= u32::from(chunk.touched() == touched);
        partial.file(chunks, index, partial.group(chunk, chunk.group()));
        slot
    }

    /// Puts a slot back; a chunk that becomes empty is not listed any more. `link` writes the link into it.
    pub fn put(
        &mut self,
        chunks: &[Chunk],
        index: ChunkIndex,
        slot: SlotIndex,
        link: impl FnOnce(SlotIndex),
    ) {
        let chunk = &chunks[index.0 as usize];
        let partial = self.of_mut(chunk.class());
        chunk.put(slot, link);
        partial.holes += 1;
        if chunk.used() == 0 {
            partial.holes -= u32::from(chunk.touched());
        }
        partial.file(chunks, index, partial.group(chunk, chunk.group()));
    }

    /// Makes a listed chunk a source.
    pub fn mark(&mut self, chunks: &[Chunk], index: ChunkIndex) {
        self.of_mut(chunks[index.0 as usize].class()).file(chunks, index, Group::SOURCE);
    }

    /// Makes a listed source an ordinary chunk.
    pub fn unmark(&mut self, chunks: &[Chunk], index: ChunkIndex) {
        let chunk = &chunks[index.0 as usize];
        let partial = self.of_mut(chunk.class());
        partial.file(chunks, index, partial.group(chunk, Group::NONE));
    }

    fn of(&self, class: Class) -> &Partial {
        &self.partial[usize::from(class.0)]
    }

    fn of_mut(&mut self, class: Class) -> &mut Partial {
        &mut self.partial[usize::from(class.0)]
    }
}

impl Partial {
    /// Where a chunk belongs that was in `before`.
    fn group(&self, chunk: &Chunk, before: Group) -> Group {
        Group::of(chunk.used(), chunk.touched(), self.slots, before)
    }

    /// Moves a chunk to the list of `group`.
    fn file(&mut self, chunks: &[Chunk], index: ChunkIndex, group: Group) {
        let chunk = &chunks[index.0 as usize];
        let before = chunk.group();
        if group == before {
            return;
        }
        if before != Group::NONE {
            self.unlink(chunks, index, before);
        }
        if group != Group::NONE {
            self.link(chunks, index, group);
        }
        chunk.set_group(group);
    }

    fn link(&mut self, chunks: &[Chunk], index: ChunkIndex, group: Group) {
        let first = &mut self.first[usize::from(group.0)];
        let chunk = &chunks[index.0 as usize];
        chunk.set_prev(ChunkIndex::NONE);
        chunk.set_next(*first);
        if *first != ChunkIndex::NONE {
            chunks[first.0 as usize].set_prev(index);
        }
        *first = index;
    }

    fn unlink(&mut self, chunks: &[Chunk], index: ChunkIndex, group: Group) {
        let (prev, next) = (chunks[index.0 as usize].prev(), chunks[index.0 as usize].next());
        match prev {
            ChunkIndex::NONE => self.first[usize::from(group.0)] = next,
            prev => chunks[prev.0 as usize].set_next(next),
        }
        if next != ChunkIndex::NONE {
            chunks[next.0 as usize].set_prev(prev);
        }
    }
}
