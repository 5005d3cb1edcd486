//! The numbers that a JVM tells of its second heap besides the engine, under the names of `GC.h2_info json`.

list! {
    /// The heap as a whole.
    HEAP;
    /// Bytes of objects that H2 may hold, before compression.
    capacity_bytes: Bytes Gauge;
    /// Bytes of objects in H2.
    used_bytes: Bytes Gauge;
    /// Bytes of a region.
    region_bytes: Bytes Gauge;
    /// Regions that H2 may have.
    regions_total: Regions Gauge;
    /// Regions that hold objects.
    regions_used: Regions Gauge;
    /// Regions that have died so far.
    regions_freed: Regions Counter;
    /// Tagged roots in the ordinary heap.
    tags: Objects Gauge;
    /// Objects that moved to H2 so far.
    moved_objects: Objects Counter;
    /// Bytes that moved to H2 so far.
    moved_bytes: Bytes Counter;
    /// Full collections so far that moved objects.
    moves: Collections Counter;
    /// Time that the last move took for copying.
    last_move_seconds: Seconds Gauge;
    /// Bytes that returned to the ordinary heap so far.
    returned_bytes: Bytes Counter;
    /// Bytes of data that do not compress and that the program should drop, as H1 may want their memory; 0 with an SSD.
    due_bytes: Bytes Gauge;
    /// Memory of the table of regions.
    table_bytes: Bytes Gauge;
    /// Memory of the shapes of blocks.
    shape_bytes: Bytes Gauge;
    /// Memory that these shapes would take without compression.
    plain_shape_bytes: Bytes Gauge;
    /// References from one region to another that keep the other alive.
    dependencies: References Gauge;
    /// Class loaders that regions keep alive, each as often as a region does.
    loaders: Objects Gauge;
    /// Tagged roots in H2.
    moved_roots: Objects Gauge;
}

list! {
    /// How the memory limit was last divided: the object `memory`.
    MEMORY;
    /// The memory limit of the process.
    limit_bytes: Bytes Gauge;
    /// The ordinary heap's part of the limit.
    h1_bytes: Bytes Gauge;
    /// The part of what is neither heap.
    beside_bytes: Bytes Gauge;
    /// The part of the buffers for objects that move.
    staging_bytes: Bytes Gauge;
    /// The part of H2: resident pages, pool and tables.
    h2_bytes: Bytes Gauge;
}

list! {
    /// One label, as in the list `labels`.
    LABEL;
    /// Regions of the label.
    regions: Regions Gauge;
    /// Bytes of the label's objects.
    used_bytes: Bytes Gauge;
    /// Bytes of these that were garbage when it was last looked for.
    dead_bytes: Bytes Gauge;
    /// Bytes of the label's pages that are uncompressed in DRAM.
    resident_bytes: Bytes Gauge;
    /// Bytes of the label's pages that are compressed in DRAM, before compression.
    compressed_bytes: Bytes Gauge;
    /// Bytes of these that nobody has touched for long.
    idle_bytes: Bytes Gauge;
    /// Bytes of the label's pages on SSD, before compression.
    ssd_bytes: Bytes Gauge;
    /// Bytes of the label's resident pages that the program wrote to since they came into memory.
    written_bytes: Bytes Gauge;
    /// Bytes of the label's pages that were compressed again, as they had been written to; falls when regions die.
    rewritten_bytes: Bytes Gauge;
}

list! {
    /// One kind of collection, by the counters that the JVM shows to `jstat`.
    COLLECTOR;
    /// Collections so far.
    collections: Collections Counter;
    /// Time that the program stood still for them so far.
    pause_ns: Nanoseconds Counter;
    /// The pause of the last one.
    last_pause_ns: Nanoseconds Gauge;
}
