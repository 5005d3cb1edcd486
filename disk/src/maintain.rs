// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Requests of an administrator that are about the device as a whole: zram's `compact` and `idle`; and which units the
//! others, [`recompress`](crate::recompress) and [`write_back`](crate::write_back), are about.

use std::sync::atomic::Ordering;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use ztera_policy::compaction::{self, Room};
use ztera_store::UnitIndex;

use crate::device::Device;

/// Units by the time they were last wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Age {
    /// All of them.
    #[default]
    Any,
    /// Those marked idle and not wanted since.
    Idle,
}

impl Device {
    /// Moves objects together; returns how many bytes of memory that gave back.
    pub fn compact(&self) -> u64 {
        let given_back = self.store.compact();
        self.left_sparse.store(self.room().lost(), Ordering::Relaxed);
        given_back
    }

    /// Moves objects together if enough memory lies between them.
    pub(crate) fn compact_if_it_pays(&self) {
        if compaction::pays(self.room()) {
            self.compact();
        }
    }

    fn room(&self) -> Room {
        let used = self.store.pool_used();
        Room {
            used,
            objects: used.saturating_sub(self.store.pool_unused()),
            left: self.left_sparse.load(Ordering::Relaxed),
            limit: self.store.pool_limit(),
            refused: false,
            wanted: false,
        }
    }

    /// Has every unit be idle, until it is read or written, that was not for so long.
    pub fn mark_idle(&self, untouched: Duration) {
        self.touches.mark_idle(untouched);
    }

    /// Has the SSD forget what it holds, if it is a block device. For the end of the process: units there are lost.
    pub fn forget_ssd(&self) {
        self.store.tier().into_iter().for_each(|tier| tier.forget_all());
    }

    pub(crate) fn is_of(&self, unit: UnitIndex, age: Age) -> bool {
        age == Age::Any || self.touches.is_idle(unit)
    }
}
