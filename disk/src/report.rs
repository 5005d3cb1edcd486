// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! A device's statistics, put together of its own and its store's.

use crate::core::Core;
use crate::device::Device;
use crate::stats::{BdStat, IoStat, MmStat, More, Stats};

impl Device {
    /// A snapshot of the statistics.
    pub fn stats(&self) -> Stats {
        let Core { store, counters: c, .. } = &*self.core;
        let s = store.stats();
        let pages = self.unit().pages();
        Stats {
            disksize: self.size(),
            unit: self.unit().bytes() as u64,
            comp_algorithm: self.codec.to_string(),
            recomp_algorithm: self.upkeep.denser().codecs.iter().map(ToString::to_string).collect(),
            mm_stat: MmStat {
                orig_data_size: s.orig_data_size,
                compr_data_size: s.compr_data_size,
                mem_used_total: s.mem_used_total,
                mem_limit: s.mem_limit,
                mem_used_max: s.mem_used_max,
                same_pages: s.same_pages,
                pages_compacted: s.pages_compacted,
                huge_pages: s.huge_pages,
                huge_pages_since: c.huge_pages_since.get(),
            },
            io_stat: IoStat {
                failed_reads: c.failed_reads.get(),
                failed_writes: c.failed_writes.get(),
                invalid_io: c.invalid_io.get(),
                notify_free: c.notify_free.get(),
            },
            bd_stat: store.tier().is_some().then_some(BdStat {
                bd_count: s.bd_count * pages,
                bd_reads: s.bd_reads * pages,
                bd_writes: s.bd_writes * pages,
            }),
            more: More {
                reads: c.reads.get(),
                writes: c.writes.get(),
                read_bytes: c.read_bytes.get(),
                write_bytes: c.write_bytes.get(),
                table_bytes: store.table_bytes() + 8 * u64::from(store.table().len()),
                bd_used: s.bd_used,
                bd_limit: s.bd_limit,
                bd_write_bytes: s.bd_write_bytes,
                bd_errors: s.bd_errors,
                writeback_limit: s.writeback_limit,
                demoted_units: c.demoted_units.get(),
                promoted_units: c.promoted_units.get(),
                recompressed_units: c.recompressed_units.get(),
            },
            accelerator: self.offload_stats(),
        }
    }
}
