// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Objects moved together, so that memory between them is given back: zram's `compact`.

use std::sync::atomic::{AtomicU64, Ordering};

use ztera_policy::compaction::{Room, frees_room, pays};
use ztera_store::Store;

/// Moves objects together.
#[derive(Default)]
pub(crate) struct Compactor {
    /// Memory without objects that it left the last time.
    left: AtomicU64,
}

impl Compactor {
    /// Returns how many bytes of memory that gave back.
    pub fn compact(&self, store: &Store) -> u64 {
        let given_back = store.compact();
        self.left.store(self.room(store).lost(), Ordering::Relaxed);
        given_back
    }

    /// Does so if enough memory lies between objects.
    pub fn compact_if_it_pays(&self, store: &Store) {
        if pays(self.room(store)) {
            self.compact(store);
        }
    }

    /// Does so for a write that has found no room. Whether that gave some back.
    pub fn give_back_sparse(&self, store: &Store) -> bool {
        frees_room(self.room(store)) && store.compact() > 0
    }

    fn room(&self, store: &Store) -> Room {
        let used = store.pool_used();
        Room {
            used,
            objects: used.saturating_sub(store.pool_unused()),
            left: self.left.load(Ordering::Relaxed),
            limit: store.pool_limit(),
            refused: false,
            wanted: false,
        }
    }
}
