//! The pool against a plain map: what is stored is read back, limits and promises hold, and memory
//! returns to the system.

use std::collections::HashMap;

use parking_lot::Mutex;
use proptest::prelude::*;
use ztera_kit::{Random, noise};
use ztera_pool::{Config, Grant, Handle, Pool, Reservation};

const UNIT: usize = 4096;
/// Units of a small pool's chunk.
const PER_CHUNK: u64 = 4;
const CHUNK: u64 = PER_CHUNK * UNIT as u64;

fn pool(chunks: u64, threads: usize) -> Pool {
    Pool::new(Config { unit_len: UNIT, limit: chunks * CHUNK, threads })
        .expect("address space for a small pool")
}

/// Chunks of so many that can be promised: one of many is kept back.
fn usable(chunks: u64) -> u64 {
    if chunks < 16 { chunks } else { chunks - 1 }
}

#[derive(Clone, Debug)]
enum Op {
    Store {
        len: usize,
        promised: bool,
    },
    Free(prop::sample::Index),
    Read(prop::sample::Index),
    Reserve(u32),
    Release,
    /// Objects that are in the way are moved, but for some.
    Evacuate {
        all_but_every: usize,
    },
}

fn op() -> impl Strategy<Value = Op> {
    let len = prop_oneof![1..=UNIT, 1..300_usize, Just(UNIT), 1000..1100_usize];
    prop_oneof![
        6 => (len, any::<bool>()).prop_map(|(len, promised)| Op::Store { len, promised }),
        4 => any::<prop::sample::Index>().prop_map(Op::Free),
        2 => any::<prop::sample::Index>().prop_map(Op::Read),
        1 => (1..40_u32).prop_map(Op::Reserve),
        1 => Just(Op::Release),
        1 => (1..5_usize).prop_map(|all_but_every| Op::Evacuate { all_but_every }),
    ]
}

/// The pool, what should be in it, and the promises it made.
struct Model {
    pool: Pool,
    objects: Vec<(Handle, Vec<u8>)>,
    promises: Vec<Reservation>,
    promised_units: u64,
    next_id: u64,
}

impl Model {
    fn grant(&mut self) -> Option<Grant> {
        while let Some(promise) = self.promises.last_mut() {
            if let Some(grant) = promise.take_one() {
                self.promised_units -= 1;
                return Some(grant);
            }
            self.pool.release(self.promises.pop()?);
        }
        None
    }

    fn step(&mut self, op: Op) {
        match op {
            Op::Store { len, promised } => {
                let grant = if promised { self.grant() } else { None };
                let kept = grant.is_some();
                self.next_id += 1;
                let bytes = noise(self.next_id, len);
                match self.pool.store(&bytes, grant) {
                    Some(handle) => self.objects.push((handle, bytes)),
                    None => assert!(!kept, "a promise was broken"),
                }
            }
            Op::Free(which) if !self.objects.is_empty() => {
                let (handle, bytes) = self.objects.swap_remove(which.index(self.objects.len()));
                assert_eq!(&self.pool.read(&handle)[..bytes.len()], &bytes[..]);
                self.pool.free(handle);
            }
            Op::Read(which) if !self.objects.is_empty() => {
                let (handle, bytes) = &self.objects[which.index(self.objects.len())];
                assert_eq!(&self.pool.read(handle)[..bytes.len()], &bytes[..]);
            }
            Op::Free(_) | Op::Read(_) => {}
            Op::Reserve(units) => {
                let spare = self.pool.spare_units();
                let promise = self.pool.reserve(units);
                assert_eq!(promise.is_some(), spare >= u64::from(units));
                if let Some(promise) = promise {
                    self.promised_units += u64::from(units);
                    self.promises.push(promise);
                }
            }
            Op::Evacuate { all_but_every } => self.evacuate(all_but_every),
            Op::Release => {
                if let Some(mut promise) = self.promises.pop() {
                    while let Some(grant) = promise.take_one() {
                        self.promised_units -= 1;
                        self.pool.release_one(grant);
                    }
                }
            }
        }
    }

    fn evacuate(&mut self, all_but_every: usize) {
        let (stored, spare) = (self.objects.len(), self.pool.spare_units());
        self.pool.begin_evacuation();
        for (i, (handle, _)) in self.objects.iter_mut().enumerate() {
            if self.pool.should_move(handle.bits()) && i % all_but_every != all_but_every - 1 {
                let new = self.pool.relocate(handle);
                new.into_iter().for_each(|new| self.pool.free_moved(std::mem::replace(handle, new)));
            }
        }
        self.pool.end_evacuation();
        assert_eq!(self.objects.len(), stored);
        let wants_to = |(handle, _): &(Handle, _)| self.pool.should_move(handle.bits());
        assert!(self.pool.usage().misfit > 0 || !self.objects.iter().any(wants_to), "a source is left");
        if all_but_every == 1 {
            assert!(self.pool.spare_units() >= spare, "room was lost");
        }
    }

    fn check(&self, limit: u64) {
        let usage = self.pool.usage();
        assert!(usage.used <= usage.peak && usage.peak <= limit);
        let stored: usize = self.objects.iter().map(|(_, bytes)| bytes.len()).sum();
        assert!(usage.used >= stored as u64);
        assert!((self.promised_units + self.pool.spare_units()) * UNIT as u64 <= limit);
        let distinct: HashMap<_, _> =
            self.objects.iter().map(|(h, b)| (self.pool.read(h).as_ptr(), b)).collect();
        assert_eq!(distinct.len(), self.objects.len(), "two objects share a slot");
        for (handle, bytes) in &self.objects {
            assert_eq!(&self.pool.read(handle)[..bytes.len()], &bytes[..]);
        }
    }

    fn tear_down(mut self, limit: u64) {
        for (handle, bytes) in self.objects.drain(..) {
            assert_eq!(&self.pool.read(&handle)[..bytes.len()], &bytes[..]);
            self.pool.free(handle);
        }
        for promise in self.promises.drain(..) {
            self.pool.release(promise);
        }
        assert_eq!(self.pool.usage().used, 0, "memory was not returned");
        assert_eq!(self.pool.spare_units(), usable(limit / CHUNK) * PER_CHUNK, "room was lost");
        assert_eq!(self.pool.usage().misfit, 0);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: if cfg!(miri) { 1 } else { 128 }, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn behaves_like_a_map(ops in prop::collection::vec(op(), 1..500), chunks in 1..160_u64, threads in 1..12_usize) {
        let limit = chunks * CHUNK;
        let pool = pool(chunks, threads);
        let mut model = Model { pool, objects: Vec::new(), promises: Vec::new(), promised_units: 0, next_id: 0 };
        for (i, op) in ops.into_iter().enumerate() {
            model.step(op);
            if i % 100 == 0 {
                model.check(limit);
            }
        }
        model.check(limit);
        model.tear_down(limit);
    }

    #[test]
    fn promised_units_always_fit(small in prop::collection::vec(1..3500_usize, 0..300), chunks in 2..80_u64) {
        let pool = pool(chunks, 1);
        let promised = (chunks * PER_CHUNK / 2) as u32;
        let mut promise = pool.reserve(promised).expect("half of an empty pool");
        // Others take what they can get, in all sizes.
        let others: Vec<Handle> = small.iter().filter_map(|&len| pool.store(&noise(1, len), None)).collect();
        let mut kept = Vec::new();
        for i in 0..promised {
            let grant = promise.take_one();
            prop_assert!(grant.is_some());
            let len = if i % 3 == 0 { 700 } else { UNIT };
            let handle = pool.store(&noise(2, len), grant);
            prop_assert!(handle.is_some(), "promise {} of {} was broken", i, promised);
            kept.extend(handle);
        }
        others.into_iter().chain(kept).for_each(|handle| pool.free(handle));
        pool.release(promise);
        prop_assert_eq!(pool.usage().used, 0);
        prop_assert_eq!(pool.spare_units(), usable(chunks) * PER_CHUNK);
    }
}

/// Resident set size of this process in bytes.
fn resident() -> u64 {
    let statm = std::fs::read_to_string("/proc/self/statm").expect("proc is mounted");
    let pages: u64 = statm.split(' ').nth(1).and_then(|n| n.parse().ok()).expect("statm has a second field");
    pages * 4096
}

#[test]
#[cfg_attr(miri, ignore = "weighs the process")]
fn the_system_gets_its_memory_back() {
    const LEN: u64 = 128 << 20;
    // Of such a pool a chunk has 16 units, and one is kept back.
    const USABLE: u64 = LEN - 16 * UNIT as u64;
    let pool = pool(LEN / CHUNK, 1);
    let before = resident();
    let handles: Vec<_> =
        (0..USABLE / UNIT as u64).map(|_| pool.store(&[7; UNIT], None).expect("room")).collect();
    assert!(resident() > before + LEN / 2, "the pool was filled");
    assert!(pool.store(&[7; 10], None).is_none(), "full to the last slot");
    assert_eq!(pool.usage().used, USABLE);
    handles.into_iter().for_each(|handle| pool.free(handle));
    assert!(resident() < before + LEN / 8, "the pool was emptied");
}

#[test]
fn a_growing_pool_takes_a_higher_limit() {
    let pool = Pool::growing(Config { unit_len: UNIT, limit: 4 * CHUNK, threads: 1 }, 20 * CHUNK)
        .expect("address space");
    let fill = || std::iter::from_fn(|| pool.store(&noise(1, UNIT), None)).collect::<Vec<Handle>>();
    let mut held = fill();
    assert_eq!(held.len() as u64, 4 * PER_CHUNK, "the limit of now, in chunks that suit it");
    pool.set_limit(20 * CHUNK);
    held.extend(fill());
    assert_eq!(held.len() as u64, usable(20) * PER_CHUNK);
    pool.set_limit(2 * 20 * CHUNK);
    assert_eq!(pool.store(&noise(1, UNIT), None), None, "there are no more addresses");
    held.into_iter().for_each(|handle| pool.free(handle));
    pool.set_limit(4 * CHUNK);
    assert_eq!((pool.usage().used, fill().len() as u64), (0, 4 * PER_CHUNK));
}

/// Where a system promises no more memory than it has, addresses are short as well.
#[test]
#[cfg_attr(miri, ignore = "Miri has no such system")]
fn a_pool_that_cannot_grow_keeps_its_limit() {
    const LARGE: usize = 64 << 10;
    let limit = 16384 * LARGE as u64;
    let pool = Pool::growing(Config { unit_len: LARGE, limit, threads: 1 }, u64::MAX)
        .expect("addresses for the limit");
    assert_eq!(pool.highest_limit(), limit);
    let handle = pool.store(&noise(1, LARGE), None).expect("room");
    assert_eq!(pool.read(&handle)[..LARGE], noise(1, LARGE)[..]);
    pool.free(handle);
}

#[test]
fn a_rest_can_be_left_and_a_place_be_used_again() {
    let pool = pool(4, 1);
    let mut raw: Vec<Handle> = std::iter::from_fn(|| pool.store_leaving(&noise(1, UNIT), 3)).collect();
    assert_eq!(pool.spare_units(), 3);
    assert_eq!(pool.store_leaving(&noise(2, 100), 3), None, "a small one would need a slot of the rest");
    let small = pool.store(&noise(2, 100), None).expect("others may have it");
    raw.push(small);
    let replaced = raw.into_iter().zip(10..).map(|(handle, id)| pool.replace(handle, &noise(id, UNIT)));
    let raw: Vec<Handle> = replaced.collect();
    for (id, handle) in (10..).zip(raw) {
        assert_eq!(pool.read(&handle)[..UNIT], noise(id, UNIT)[..]);
        pool.free(handle);
    }
    assert_eq!(pool.usage().occupied, 0);
}

/// An object as the threads of the next test hand it around: id and length tell its bytes.
type Shared = (Handle, u64, usize);

fn free_checked(pool: &Pool, (handle, id, len): Shared) {
    assert_eq!(pool.read(&handle)[..len], noise(id, len)[..]);
    pool.free(handle);
}

/// Stores objects, some of them under a promise, and frees its own and others'.
fn churn(pool: &Pool, exchange: &Mutex<Vec<Shared>>, seed: u64) {
    let mut own = Vec::new();
    let mut random = Random(seed);
    for i in 0..if cfg!(miri) { 60 } else { 6000_u64 } {
        let (id, len) = (random.next(), 1 + random.below(UNIT));
        let mut promise = if i % 5 == 0 { pool.reserve(1) } else { None };
        let grant = promise.as_mut().and_then(Reservation::take_one);
        let kept = grant.is_some();
        match pool.store(&noise(id, len), grant) {
            Some(handle) if i % 4 == 0 => exchange.lock().push((handle, id, len)),
            Some(handle) => own.push((handle, id, len)),
            None => assert!(!kept, "a promise was broken"),
        }
        promise.into_iter().for_each(|rest| pool.release(rest));
        if own.len() > 60 {
            free_checked(pool, own.swap_remove(random.below(own.len())));
        }
        if i % 3 == 0 {
            let others = exchange.lock().pop();
            others.into_iter().for_each(|object| free_checked(pool, object));
        }
    }
    own.into_iter().for_each(|object| free_checked(pool, object));
}

#[test]
fn threads_share_the_pool() {
    let pool = pool(256, 16);
    let exchange = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        let (pool, exchange) = (&pool, &exchange);
        let threads: Vec<_> = (0..8).map(|t| scope.spawn(move || churn(pool, exchange, t + 1))).collect();
        // Joined one by one, which the thread sanitizer understands; how a scope ends it does not.
        threads.into_iter().for_each(|thread| thread.join().expect("no assertion failed"));
    });
    exchange.into_inner().into_iter().for_each(|object| free_checked(&pool, object));
    assert_eq!(pool.usage().used, 0);
    assert_eq!(pool.spare_units(), usable(256) * PER_CHUNK);
}
