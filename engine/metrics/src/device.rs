//! The numbers that a block device tells of itself, under the names of `ztera disk stat --json`.

list! {
    /// The device. Those of the SSD tier, `bd_count` and so on, are in pages here, as zram has them.
    DEVICE;
    /// Bytes that the device shows.
    disksize: Bytes Gauge, zram;
    /// Bytes that are compressed as one.
    unit: Bytes Gauge;
    /// Uncompressed size of all that the device stores, in DRAM or on SSD.
    orig_data_size: Bytes Gauge, zram;
    /// Size of the compressed objects in DRAM.
    compr_data_size: Bytes Gauge, zram;
    /// Memory of the pool, with unused space between objects.
    mem_used_total: Bytes Gauge, zram;
    /// Most that the pool may take; 0 = no limit.
    mem_limit: Bytes Gauge, zram;
    /// Most that the pool had taken at any time.
    mem_used_max: Bytes Gauge, zram;
    /// Pages of units that repeat one word and so need no memory.
    same_pages: Pages Gauge, zram;
    /// Pages given back so far because objects were moved out of sparse chunks.
    pages_compacted: Pages Counter, zram;
    /// Pages of units that do not compress.
    huge_pages: Pages Gauge, zram;
    /// Pages of units that did not compress, since the start.
    huge_pages_since: Pages Counter, zram;
    /// Pieces of requests that could not be read so far.
    failed_reads: Calls Counter, zram;
    /// Pieces of requests so far for which there was no room, or whose rest of a unit was lost.
    failed_writes: Calls Counter, zram;
    /// Requests beyond the device's end so far.
    invalid_io: Calls Counter, zram;
    /// Pages that a discard has freed so far.
    notify_free: Pages Counter, zram;
    /// Uncompressed size of what is on SSD.
    bd_count: Pages Gauge, zram;
    /// Pages read from SSD so far.
    bd_reads: Pages Counter, zram;
    /// Pages written to SSD so far.
    bd_writes: Pages Counter, zram;
    /// Read requests so far, or pieces of them.
    reads: Calls Counter;
    /// Write requests so far, or pieces of them.
    writes: Calls Counter;
    /// Bytes read from the device so far.
    read_bytes: Bytes Counter;
    /// Bytes written to the device so far.
    write_bytes: Bytes Counter;
    /// Memory of the tables beside the pool, which mem_limit does not count.
    table_bytes: Bytes Gauge;
    /// Bytes of the SSD tier's file in use.
    bd_used: Bytes Gauge;
    /// Most that they may be; 0 = there is no SSD tier.
    bd_limit: Bytes Gauge;
    /// Bytes written to SSD so far.
    bd_write_bytes: Bytes Counter;
    /// Reads and writes of the SSD that failed so far.
    bd_errors: Calls Counter;
    /// Bytes that may still be written to SSD today; 0 without a daily limit.
    writeback_limit: Bytes Gauge, zram;
    /// Units moved from the pool to SSD so far.
    demoted_units: Units Counter;
    /// Units moved back so far.
    promoted_units: Units Counter;
    /// Units made smaller by a denser codec so far.
    recompressed_units: Units Counter;
}
