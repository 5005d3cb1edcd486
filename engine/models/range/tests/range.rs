//! A range in many interleavings of its threads and the program's.
//!
//! Each test says which mistakes it is there to catch; `make mutations-engine` plants them.

mod common;

use std::sync::Arc;

use common::World;
use shuttle::rand::{Rng, thread_rng};
use shuttle::thread::{self, JoinHandle};
use ztera_range_shuttle::kernel::FaultMode;
use ztera_range_shuttle::machine::{Machine, Options};
use ztera_store::BUFFER_LEN;
use ztera_sync::explore;

const TWO_PAGES: Options = Options {
    unit_len: 8192,
    units: 3,
    resident_units: 1,
    pool_units: None,
    budget: None,
    fault_mode: FaultMode::Handler,
    read_ahead: 2,
    clusters: false,
    writes_clusters: false,
    parts: false,
    handlers: 2,
    workers: 1,
    ssd: false,
    idle_epochs: 0,
};

/// Threads of the program serve their own faults. There is room for what they bring in behind their own unit, or that
/// would leave again before it is touched, for ever; a range's `largest_window` sees to it.
const SELF_SERVED: Options =
    Options { units: 6, resident_units: 3, read_ahead: 1, fault_mode: FaultMode::Sigbus, ..TWO_PAGES };

fn either() -> Options {
    if thread_rng().r#gen() { TWO_PAGES } else { SELF_SERVED }
}

/// The calls of a collector, twice.
fn collector(world: &Arc<World>) -> JoinHandle<()> {
    let world = world.clone();
    thread::spawn(move || (0..2).for_each(|_| world.collect()))
}

/// Once the threads have ended.
fn finish_or_abandon(world: Arc<World>, threads: Vec<JoinHandle<()>>) {
    threads.into_iter().for_each(|thread| thread.join().expect("no assertion failed"));
    let world = Arc::into_inner(world).expect("all threads ended");
    if thread_rng().r#gen() { world.finish() } else { world.abandon() }
}

/// Threads read and write bytes of their own while units are submitted, discarded, evicted, and stored
/// by workers. Nobody sees another value than the one that was there last, nobody waits forever, and in
/// the end all memory is accounted for.
///
/// Caught: an evictor that compresses without protecting, or drops what it has not stored; a write
/// that leaves the store's copy, whether the unit was resident or not; a unit mapped writable for a
/// reader; a worker that does not look again whether the unit is still what was submitted; a discard
/// that leaves pages; a page that is unmapped again after a writer was let go (memory ran out between
/// two pages of a unit: the story of `memory_that_comes_late_loses_no_write`).
#[test]
fn the_program_sees_what_it_wrote() {
    explore(600, || {
        let world = Arc::new(World::new(TWO_PAGES));
        let mut threads = world.start(5);
        threads.push(collector(&world));
        finish_or_abandon(world, threads);
    });
}

/// The same where threads of the program serve their own faults, until handlers do, in the midst of all that.
///
/// Caught: a write that is served as a read, and so is tried for ever; clean units that are handed over as they are, so
/// that nobody hears of the next write; units that are handed over while others use them; a thread that reads ahead and is
/// not told of the end.
#[test]
fn the_faulting_thread_serves_its_own_fault() {
    explore(600, || {
        let world = Arc::new(World::new(SELF_SERVED));
        let mut threads = world.start(5);
        threads.push(collector(&world));
        if thread_rng().r#gen() {
            let switch = world.clone();
            threads.push(thread::spawn(move || switch.machine.use_handlers()));
        }
        finish_or_abandon(world, threads);
    });
}

/// The same where a fault brings in all of a cluster, of which other threads use other units.
///
/// Caught: a cluster that is writable for who writes to one of its units, though the others keep their copies; a unit that is
/// unlocked before it is mapped; one that is written to while it is stored.
#[test]
fn clusters_come_as_a_whole() {
    // As many as two threads bring in, and some more: else what was asked for would leave before it is touched.
    const CLUSTERS: Options =
        Options { unit_len: 4096, units: 14, resident_units: 10, clusters: true, handlers: 1, ..TWO_PAGES };
    explore(600, || {
        let (fault_mode, ssd, writes_clusters) =
            (either().fault_mode, thread_rng().r#gen(), thread_rng().r#gen());
        let world = Arc::new(World::new(Options { fault_mode, ssd, writes_clusters, ..CLUSTERS }));
        world.submit(0, CLUSTERS.units);
        world.machine.drain();
        let mut threads = world.start(6);
        if world.options.ssd {
            let writer = world.clone();
            threads.push(thread::spawn(move || writer.machine.write_back()));
        }
        threads.push(collector(&world));
        finish_or_abandon(world, threads);
    });
}

/// The same where units come page by page, of which other threads use other pages, and write to them.
///
/// Caught: a page that is written to before its copy goes, and is unmapped; a unit with holes that is stored as if it were
/// there; one whose holes are forgotten, so that who faults is woken for ever; a hole that is left when a unit is pinned.
#[test]
fn units_come_page_by_page() {
    const PAGES: Options =
        Options { unit_len: 16384, units: 6, resident_units: 4, read_ahead: 0, parts: true, ..TWO_PAGES };
    explore(600, || {
        let (fault_mode, ssd) = (either().fault_mode, thread_rng().r#gen());
        let world = Arc::new(World::new(Options { fault_mode, ssd, ..PAGES }));
        world.submit(0, PAGES.units);
        world.machine.drain();
        let mut threads = world.start(5);
        if world.options.ssd {
            let writer = world.clone();
            threads.push(thread::spawn(move || writer.machine.write_back()));
        }
        if fault_mode == FaultMode::Sigbus && thread_rng().r#gen() {
            let switch = world.clone();
            threads.push(thread::spawn(move || switch.machine.use_handlers()));
        }
        let caller = world.clone();
        threads.push(thread::spawn(move || (0..2).for_each(|_| caller.call(2))));
        threads.push(collector(&world));
        finish_or_abandon(world, threads);
    });
}

/// The same while threads pin units and give their addresses to the kernel, for which nobody serves a fault.
///
/// Caught: an evictor that takes what is pinned; a unit that is pinned though protected; a pin given up in use; units that
/// are pinned no more, and are in no queue.
#[test]
fn what_is_pinned_is_there_for_system_calls() {
    // Two may be pinned, and what is read ahead would push the others out. Elsewhere it is a sixteenth of the limit.
    const PINNED: Options = Options { resident_units: 4, read_ahead: 0, ..SELF_SERVED };
    explore(600, || {
        let world = Arc::new(World::new(PINNED));
        let mut threads = world.start(4);
        threads.extend((2..4).map(|thread| {
            let world = world.clone();
            shuttle::thread::spawn(move || (0..4).for_each(|_| world.call(thread)))
        }));
        threads.push(collector(&world));
        if thread_rng().r#gen() {
            let switch = world.clone();
            threads.push(thread::spawn(move || switch.machine.use_handlers()));
        }
        threads.into_iter().for_each(|thread| thread.join().expect("no assertion failed"));
        world.machine.drain();
        while world.machine.excess() > 0 {
            thread::yield_now();
        }
        Arc::into_inner(world).expect("all threads ended").finish();
    });
}

/// The same with one budget for resident units and the pool. The host changes it, the governor withholds some of it, and
/// staging buffers borrow from it. In the end no more is resident than the pool leaves.
///
/// Caught: a budget that shrinks without the evictor being told.
#[test]
fn resident_units_have_what_the_pool_leaves() {
    const SHARED: Options = Options {
        units: 5,
        resident_units: 1,
        pool_units: Some(2 * BUFFER_LEN as u64 / TWO_PAGES.unit_len as u64),
        budget: Some(4 * TWO_PAGES.unit_len as u64),
        read_ahead: 0,
        fault_mode: FaultMode::Sigbus,
        ..TWO_PAGES
    };
    explore(400, || {
        let world = Arc::new(World::new(Options { ssd: thread_rng().r#gen(), ..SHARED }));
        let mut threads = world.start(5);
        threads.extend([collector(&world), collector(&world)]);
        let host = world.clone();
        threads.push(thread::spawn(move || {
            for _ in 0..3 {
                // For some units, sometimes with a staging buffer more.
                let units = thread_rng().gen_range(1..6) * TWO_PAGES.unit_len;
                let buffer = if thread_rng().r#gen() { BUFFER_LEN } else { 0 };
                host.machine.set_budget((units + buffer) as u64 * 16 / 15);
            }
        }));
        threads.into_iter().for_each(|thread| thread.join().expect("no assertion failed"));
        world.machine.drain();
        while world.machine.is_beyond_budget() {
            thread::yield_now();
        }
        Arc::into_inner(world).expect("all threads ended").finish();
    });
}

/// The same with an SSD below, to which everything in the pool is moved while all that happens.
///
/// Caught: a unit that is said to be on SSD though it changed while it was written, even if its new object
/// lies where the old one lay.
#[test]
fn units_change_while_they_are_written_to_ssd() {
    explore(400, || {
        let world = Arc::new(World::new(Options { ssd: true, ..either() }));
        world.submit(0, 3);
        let mut threads = world.start(5);
        let mover = world.clone();
        threads.push(thread::spawn(move || (0..3).for_each(|_| mover.machine.write_back())));
        let collector = world.clone();
        threads.push(thread::spawn(move || collector.collect()));
        threads.into_iter().for_each(|thread| thread.join().expect("no assertion failed"));
        Arc::into_inner(world).expect("all threads ended").finish();
    });
}

/// The same while everything in the pool is recompressed, and moved to SSD besides.
///
/// Caught: an object that takes the place of a newer one; an object that nobody has and that is not freed.
#[test]
fn units_change_while_they_are_recompressed() {
    explore(400, || {
        let world = Arc::new(World::new(Options { ssd: thread_rng().r#gen(), idle_epochs: 1, ..either() }));
        world.submit_letters(0, 3);
        let mut threads = world.start(5);
        for _ in 0..2 {
            let idle = world.clone();
            threads.push(thread::spawn(move || {
                idle.machine.recompress();
                if idle.options.ssd {
                    idle.machine.write_back();
                }
                idle.machine.recompress();
            }));
        }
        let collector = world.clone();
        threads.push(thread::spawn(move || {
            collector.submit_letters(0, 2);
            collector.machine.drain();
            collector.collect();
        }));
        threads.into_iter().for_each(|thread| thread.join().expect("no assertion failed"));
        Arc::into_inner(world).expect("all threads ended").finish();
    });
}

/// Readers do not synchronise with whoever submits and discards: they see an old or the new contents,
/// never anything else, and once the new never the old again.
///
/// Caught: a submission or discard that unlocks the slots before it unmaps; a worker that stores what
/// was overtaken.
#[test]
fn readers_see_old_or_new_contents() {
    const OTHER: u32 = 1;
    explore(400, || {
        let machine = Arc::new(Machine::start(Options { units: 2, ..TWO_PAGES }));
        let len = TWO_PAGES.unit_len;
        machine.submit(0, &vec![1; 2 * len]);
        let readers: Vec<_> = (0..2)
            .map(|reader| {
                let machine = machine.clone();
                thread::spawn(move || {
                    let mut seen = [1; 2];
                    for i in 0..4 {
                        let unit = (reader + i) % 2;
                        let byte = thread_rng().gen_range(0..len);
                        let now = machine.read(unit, byte).expect("nothing is poisoned");
                        // 1, 2, 3; the other unit 1, then discarded.
                        let step = if unit == OTHER && now == 0 { 9 } else { now };
                        assert!(
                            step >= seen[unit as usize] && (step <= 3 || unit == OTHER),
                            "{now} in {unit}"
                        );
                        seen[unit as usize] = step;
                    }
                })
            })
            .collect();
        for version in 2..=3 {
            machine.submit(0, &vec![version; len]);
            if version == 2 {
                machine.discard(OTHER, 1);
            }
        }
        readers.into_iter().for_each(|reader| reader.join().expect("no assertion failed"));
        let mut machine = Arc::into_inner(machine).expect("all threads ended");
        machine.drain();
        assert_eq!((machine.read(0, 5), machine.read(OTHER, 5)), (Ok(3), Ok(0)));
        machine.discard(0, 2);
        machine.stop();
        machine.assert_nothing_left();
    });
}

/// A pool that cannot hold everything: what it refuses stays in memory above the limit, is not lost,
/// and leaves once there is room, by the evictor alone, without another fault.
///
/// Caught: a refused unit that is dropped all the same; a refusal noted after the room was made, so
/// that the evictor never tries again.
#[test]
fn a_full_pool_loses_nothing_and_recovers() {
    const FULL: Options = Options {
        unit_len: 4096,
        units: 19,
        resident_units: 2,
        pool_units: Some(16),
        read_ahead: 0,
        handlers: 1,
        ..TWO_PAGES
    };
    explore(200, || {
        let world = Arc::new(World::new(Options { fault_mode: either().fault_mode, ..FULL }));
        world.submit(0, 10);
        world.submit(10, 9);
        let threads = world.start(6);
        world.discard(4, 12);
        threads.into_iter().for_each(|thread| thread.join().expect("no assertion failed"));
        world.machine.drain();
        // Nothing happens any more but what the evictor does. One unit that compresses may have the only chunk: then the others
        // have to stay.
        while world.machine.excess() > 0 && world.machine.has_room() {
            thread::yield_now();
        }
        Arc::into_inner(world).expect("all threads ended").finish();
    });
}

/// One chunk of pool, room for one unit in memory.
const ONE_CHUNK: Options = Options {
    unit_len: 4096,
    units: 18,
    resident_units: 1,
    pool_units: Some(16),
    read_ahead: 0,
    handlers: 1,
    ..TWO_PAGES
};

/// Waits until what has to leave memory has left, though nobody faults any more; then accounts for everything.
fn settles(machine: Arc<Machine>) {
    while machine.excess() > 0 {
        thread::yield_now();
    }
    let mut machine = Arc::into_inner(machine).expect("all threads ended");
    machine.discard(0, ONE_CHUNK.units);
    machine.stop();
    machine.assert_nothing_left();
}

/// Room is made at the moment at which the evictor is refused.
///
/// Caught: a refusal noted after the room was made, so that the evictor never tries again.
#[test]
fn room_that_is_made_during_a_refusal_is_used() {
    let mut x = 1_u32;
    let noise = move || {
        x = x.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (x >> 24) as u8
    };
    let noise: Vec<u8> = std::iter::repeat_with(noise).take(18 * ONE_CHUNK.unit_len).collect();
    explore(600, move || {
        let machine = Arc::new(Machine::start(ONE_CHUNK));
        let (first, last) = noise.split_at(16 * ONE_CHUNK.unit_len);
        machine.submit(0, first);
        machine.drain();
        // These two stay in memory, where there is room for one.
        machine.submit(16, last);
        machine.drain();
        machine.discard(5, 1);
        settles(machine);
    });
}

/// A submission is promised the room that it needs if nothing compresses, and needs none.
///
/// Caught: promises that are given back without anybody being told.
#[test]
fn room_that_was_promised_and_not_needed_is_used() {
    explore(200, || {
        // Nobody stores but who drains.
        let machine = Arc::new(Machine::start(Options { workers: 0, ..ONE_CHUNK }));
        machine.submit(0, &vec![5; 16 * ONE_CHUNK.unit_len]);
        (16..18).for_each(|unit| machine.write(unit, 8, 7).expect("nothing is poisoned"));
        // Until the evictor has given up.
        (0..1000).for_each(|_| thread::yield_now());
        machine.drain();
        settles(machine);
    });
}
