//! The definitions. The order is that of `zt_stats` in `ztera.h`: new ones come last.

/// Calls the macro `$then` with each statistic: its meaning, `name: Unit Kind`, and `zram` where zram has the same under
/// that name.
#[macro_export]
macro_rules! for_each_statistic {
    ($then:ident) => {
        $then! {
            /// Uncompressed size of all units that the store holds: same-filled ones and those on SSD too, staged ones not.
            orig_data_size: Bytes Gauge, zram;
            /// Size of the objects that hold them, without the pool's rounding.
            compr_data_size: Bytes Gauge, zram;
            /// Memory that the pool has taken from the system.
            mem_used_total: Bytes Gauge, zram;
            /// Most that it may take; 0 = no limit.
            mem_limit: Bytes Gauge, zram;
            /// Most that it had taken at any time.
            mem_used_max: Bytes Gauge, zram;
            /// Pages of units that repeat one word and so need no memory.
            same_pages: Pages Gauge, zram;
            /// Pages of units that do not compress and are kept as they are.
            huge_pages: Pages Gauge, zram;
            /// Units on SSD.
            bd_count: Units Gauge, zram;
            /// Units read from SSD so far.
            bd_reads: Units Counter, zram;
            /// Units written to SSD so far.
            bd_writes: Units Counter, zram;
            /// Bytes of units that are mapped.
            resident_bytes: Bytes Gauge;
            /// Most that there should be; 0 = no limit.
            resident_limit: Bytes Gauge;
            /// Bytes submitted that workers have not stored yet.
            staged_bytes: Bytes Gauge;
            /// Faults that made a unit resident.
            fault_count: Faults Counter;
            /// Faults by writes to units that were resident and clean.
            wp_fault_count: Faults Counter;
            /// Units stored so far, each as often as it was.
            units_stored: Units Counter;
            /// Units whose contents were asked for so far.
            units_loaded: Units Counter;
            /// Units whose pages were dropped because the store had their contents.
            evicted_clean: Units Counter;
            /// Units that had to be stored before their pages were dropped.
            evicted_dirty: Units Counter;
            /// Units that were discarded while they were not empty.
            discarded_units: Units Counter;
            /// Resident bytes above the limit, there because the pool is full.
            over_limit_bytes: Bytes Gauge;
            /// Nanoseconds spent compressing, summed over threads.
            compress_ns: Nanoseconds Counter;
            /// Nanoseconds spent decompressing, summed over threads.
            decompress_ns: Nanoseconds Counter;
            /// Bytes read from SSD so far.
            bd_read_bytes: Bytes Counter;
            /// Bytes written to SSD so far.
            bd_write_bytes: Bytes Counter;
            /// Reads and writes that failed so far.
            bd_errors: Calls Counter;
            /// Bytes of the SSD tier's file in use.
            bd_used: Bytes Gauge;
            /// Most that they may be; 0 = there is no SSD tier.
            bd_limit: Bytes Gauge;
            /// Units moved from the pool to SSD.
            demoted_units: Units Counter;
            /// Units of which the pool has kept the record, as they came back from SSD or lay beside one that did.
            promoted_units: Units Counter;
            /// Units made resident before they were asked for.
            read_ahead_units: Units Counter;
            /// Uncompressed size of the units on SSD; orig_data_size has it too.
            bd_data_size: Bytes Gauge;
            /// Nanoseconds that writers have waited so far because of ssd_write_rate.
            bd_wait_ns: Nanoseconds Counter;
            /// Bytes that may still be written to SSD today; 0 without ssd_writes_per_day.
            writeback_limit: Bytes Gauge, zram;
            /// ssd_writes_per_day; 0 = no limit.
            writes_per_day: Bytes Gauge;
            /// Units in the pool of which a denser codec made a smaller object.
            recompressed_units: Units Counter;
            /// Pages of the pool given back so far because objects were moved out of sparse chunks.
            pages_compacted: Pages Counter, zram;
            /// Units whose objects were moved for that.
            compacted_units: Units Counter;
            /// Memory of all staging buffers, whoever has them; the last few are kept.
            staging_bytes: Bytes Gauge;
            /// Of the units written to SSD so far, how many only changed their place there.
            bd_moved: Units Counter;
            /// Idle units on which a denser codec was tried.
            recompress_tried_units: Units Counter;
            /// Faults of writers that were held back because memory was far above its limit.
            held_writes: Faults Counter;
            /// Nanoseconds that reads from SSD have taken so far, those of read-ahead included.
            bd_read_ns: Nanoseconds Counter;
            /// Bytes of units that are pinned: native code may give their addresses to the kernel, so they stay resident.
            pinned_bytes: Bytes Gauge;
            /// Units whose pages were compressed anew, one by one, as the program reads one at a time.
            split_units: Units Counter;
            /// Units that an accelerator compressed.
            offloaded_units: Units Counter;
            /// Units that an accelerator could have compressed, and the CPU did: it was busy, slow, wrong or gone.
            offload_missed_units: Units Counter;
            /// Of those, units for which an accelerator's output was wrong.
            offload_wrong_units: Units Counter;
            /// Memory of the tables that say where contents are, and in which order they came into memory.
            store_table_bytes: Bytes Gauge;
        }
    };
}

/// The same for what came of units that an accelerator could have compressed. `ztera disk stat` shows them.
#[macro_export]
macro_rules! for_each_offload_statistic {
    ($then:ident) => {
        $then! {
            /// Units that the device compressed.
            offloaded_units: Units Counter;
            /// Units that the device has now.
            in_flight_units: Units Gauge;
            /// Units that the CPU compressed because they are small.
            small_units: Units Counter;
            /// Units that the CPU compressed because the device's queue was long.
            busy_units: Units Counter;
            /// Units that the CPU compressed because the device's rings were full.
            ring_full_units: Units Counter;
            /// Units that the CPU compressed because the device was being reset, or gone.
            down_units: Units Counter;
            /// Units that the CPU compressed because the device failed.
            failed_units: Units Counter;
            /// Units that the CPU compressed because the device's output had no room.
            too_long_units: Units Counter;
            /// Units that the CPU compressed because the device lost them in a reset.
            lost_units: Units Counter;
            /// Units that the CPU compressed because the device's deadline was over.
            late_units: Units Counter;
            /// Units that the CPU compressed because the device's output was wrong.
            wrong_units: Units Counter;
            /// Times that the device was reset.
            resets: Calls Counter;
        }
    };
}
