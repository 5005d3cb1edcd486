//! Submission, the workers and what becomes of units, in many interleavings.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use shuttle::thread;
use ztera_codec::Settings;
use ztera_kit::noise;
use ztera_store_shuttle::{
    BUFFER_LEN, Config, Density, Host, Plan, Scratch, Slot, Store, UnitIndex, UnitSize, Units, Workers,
};
use ztera_sync::explore;

const UNIT: usize = 4096;

/// Keeps what the pool has no room for.
#[derive(Default)]
struct Kept(Mutex<HashMap<UnitIndex, u8>>);

impl Host for Kept {
    fn plan(&self, _bytes: u64) -> Plan {
        Plan { keeps: false, density: Density::Usual }
    }

    fn keep(&self, slots: &mut [Slot<'_>], bytes: &[u8]) {
        assert_eq!(slots.len(), 1, "nothing is kept that the pool has room for");
        slots[0].set_resident(true);
        self.0.lock().unwrap().insert(slots[0].unit(), bytes[0]);
    }

    fn freed(&self, _scratch: &mut Scratch) {}
}

struct World {
    store: Arc<Store>,
    kept: Arc<Kept>,
}

impl World {
    fn new(units: u32) -> Self {
        Self::with_pool(units, 4)
    }

    /// With a pool of so many chunks of 4 units.
    fn with_pool(units: u32, chunks: u64) -> Self {
        let config = Config {
            unit: UnitSize::new(UNIT).unwrap(),
            units,
            pool_max: Some(chunks * 4 * UNIT as u64),
            staging_limit: BUFFER_LEN as u64,
            staging_strict: false,
            codec: Settings::default(),
            dense: None,
            threads: 2,
            ssd: None,
        };
        Self { store: Arc::new(Store::new(config).unwrap()), kept: Arc::new(Kept::default()) }
    }

    fn workers(&self, count: usize) -> Workers {
        Workers::start(self.store.clone(), count, self.kept.clone(), |_| false).expect("threads start")
    }

    /// One unit of noise that starts with `first_byte`.
    fn submit(&self, unit: u32, first_byte: u8) {
        let buffer = self.store.acquire(self.kept.as_ref(), &|_| true).expect("memory for a buffer");
        let mut bytes = noise(first_byte.into(), UNIT);
        bytes[0] = first_byte;
        // SAFETY: inside the buffer, which is ours.
        unsafe { buffer.as_ptr().copy_from_nonoverlapping(bytes.as_ptr(), UNIT) };
        let units = Units { first: UnitIndex(unit), end: UnitIndex(unit + 1) };
        let submission = self.store.begin(buffer.as_ptr(), units).expect("a unit");
        self.retire(units, &mut |slot| submission.stage(slot));
        submission.push();
    }

    fn retire(&self, units: Units, change: &mut dyn FnMut(&mut Slot<'_>)) {
        for mut slot in self.store.table().lock_all(units) {
            slot.set_resident(false);
            self.kept.0.lock().unwrap().remove(&slot.unit());
            change(&mut slot);
        }
    }

    fn clear(&self, unit: u32) {
        let units = Units { first: UnitIndex(unit), end: UnitIndex(unit + 1) };
        self.retire(units, &mut |slot| self.store.clear(slot));
    }

    fn read(&self, unit: u32) -> u8 {
        let slot = self.store.table().lock(UnitIndex(unit));
        if slot.is_resident() {
            return self.kept.0.lock().unwrap()[&UnitIndex(unit)];
        }
        self.store.contents(&slot, &mut self.store.scratch()).expect("what was stored decodes")[0]
    }

    fn assert_nothing_left(&self) {
        let stats = self.store.stats();
        assert_eq!((stats.orig_data_size, stats.mem_used_total, stats.staged_bytes), (0, 0, 0));
        assert_eq!(self.store.room(), Some(stats.mem_limit), "promises came back");
        assert!(stats.staging_bytes <= BUFFER_LEN as u64);
    }
}

/// Two producers share one staging buffer and two workers; each sees its last submission, and what was
/// cleared stays cleared.
///
/// Caught: a worker that does not compare the slot again before it stores; a pool object that nobody
/// took and nobody freed; a promise that is lost with a unit that was overtaken; a finished job that
/// tells nobody; a buffer taken back while it is still staged.
#[test]
fn producers_and_workers() {
    explore(400, || {
        let world = Arc::new(World::new(4));
        let workers = world.workers(2);
        let producers: Vec<_> = (0..2_u32)
            .map(|producer| {
                let world = world.clone();
                thread::spawn(move || {
                    for version in 1..=3 {
                        world.submit(producer, version);
                        assert_eq!(world.read(producer), version);
                    }
                    world.submit(2 + producer, 9);
                    world.clear(2 + producer);
                    assert_eq!((world.read(producer), world.read(2 + producer)), (3, 0));
                })
            })
            .collect();
        producers.into_iter().for_each(|producer| producer.join().expect("no assertion failed"));
        world.store.drain(world.kept.as_ref());
        assert_eq!([0, 1, 2, 3].map(|unit| world.read(unit)), [3, 3, 0, 0]);
        (0..4).for_each(|unit| world.clear(unit));
        drop(workers);
        world.assert_nothing_left();
    });
}

/// Stopping the workers at any time leaves what is queued readable, and `drain` ends without them:
/// whoever drains does the work, also that which is submitted meanwhile. (It once waited for a worker
/// that did not exist, when a job was queued between its last look and its wait.)
///
/// Caught: that; a stop that wakes one worker only.
#[test]
fn draining_needs_no_worker() {
    explore(400, || {
        let world = Arc::new(World::new(2));
        let workers = world.workers(2);
        let producer = {
            let world = world.clone();
            thread::spawn(move || world.submit(0, 7))
        };
        drop(workers);
        world.submit(1, 8);
        world.store.drain(world.kept.as_ref());
        producer.join().expect("no assertion failed");
        world.store.drain(world.kept.as_ref());
        assert_eq!((world.read(0), world.read(1)), (7, 8));
        (0..2).for_each(|unit| world.clear(unit));
        world.assert_nothing_left();
    });
}

/// Producers store anew, read and clear what lies in a chunk that a thread empties meanwhile.
///
/// Caught: an object moved that was the unit's when somebody looked, and is not any more.
#[test]
fn units_change_while_their_objects_are_moved() {
    explore(400, || {
        let world = Arc::new(World::with_pool(12, 15));
        (0..12).for_each(|unit| world.submit(unit, 1));
        world.store.drain(world.kept.as_ref());
        // Of eight slots of two chunks two are free.
        (6..12).for_each(|unit| world.clear(unit));
        let mut threads: Vec<_> = (0..2_u32)
            .map(|producer| {
                let world = world.clone();
                thread::spawn(move || {
                    let unit = 3 * producer;
                    world.clear(unit);
                    world.submit(unit + 1, 2);
                    world.store.drain(world.kept.as_ref());
                    world.submit(unit, 3);
                    world.store.drain(world.kept.as_ref());
                    assert_eq!([0, 1, 2].map(|i| world.read(unit + i)), [3, 2, 1]);
                })
            })
            .collect();
        threads.push({
            let world = world.clone();
            thread::spawn(move || while world.store.compact_step() == Some(true) {})
        });
        threads.into_iter().for_each(|thread| thread.join().expect("no assertion failed"));
        assert_eq!([0, 1, 2, 3, 4, 5].map(|unit| world.read(unit)), [3, 2, 1, 3, 2, 1]);
        (0..12).for_each(|unit| world.clear(unit));
        world.assert_nothing_left();
    });
}
