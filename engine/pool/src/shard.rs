//! A shard: for each class, the chunks that have both objects and free slots.
//!
//! Threads are spread over the shards; an object returns to the shard that owns its chunk.

use crate::chunk::Chunk;
use crate::classes::{Class, Classes};
use crate::handle::ChunkIndex;

/// Lists of partly filled chunks. Full chunks are in no list: their objects' handles lead to them.
#[derive(Debug)]
pub(crate) struct Shard {
    partial: Vec<List>,
}

#[derive(Clone, Copy, Debug)]
struct List {
    first: ChunkIndex,
    len: u32,
}

impl Shard {
    pub fn new(classes: &Classes) -> Self {
        Self { partial: vec![List { first: ChunkIndex::NONE, len: 0 }; classes.count()] }
    }

    /// A chunk of `class` with a free slot.
    ///
    /// It is the one that was last full: filling that one up first lets the others run empty.
    pub fn partial(&self, class: Class) -> Option<ChunkIndex> {
        let first = self.partial[usize::from(class.0)].first;
        (first != ChunkIndex::NONE).then_some(first)
    }

    pub fn partial_count(&self, class: Class) -> u32 {
        self.partial[usize::from(class.0)].len
    }

    pub fn link(&mut self, chunks: &[Chunk], class: Class, index: ChunkIndex) {
        let list = &mut self.partial[usize::from(class.0)];
        let chunk = &chunks[index.0 as usize];
        chunk.set_prev(ChunkIndex::NONE);
        chunk.set_next(list.first);
        if list.first != ChunkIndex::NONE {
            chunks[list.first.0 as usize].set_prev(index);
        }
        list.first = index;
        list.len += 1;
    }

    pub fn unlink(&mut self, chunks: &[Chunk], class: Class, index: ChunkIndex) {
        let list = &mut self.partial[usize::from(class.0)];
        let (prev, next) = (chunks[index.0 as usize].prev(), chunks[index.0 as usize].next());
        match prev {
            ChunkIndex::NONE => list.first = next,
            prev => chunks[prev.0 as usize].set_next(next),
        }
        if next != ChunkIndex::NONE {
            chunks[next.0 as usize].set_prev(prev);
        }
        list.len -= 1;
    }
}
