//! A program that knows what it should see.

#![allow(dead_code, reason = "each test file uses its part")]

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use shuttle::rand::{Rng, thread_rng};
use shuttle::sync::RwLock;
use shuttle::thread::{self, JoinHandle};
use ztera_kit::noise;
use ztera_range_shuttle::machine::{Machine, Options};

/// A range, what it should hold, and a lock per unit that keeps whoever changes whole units apart from
/// those who use single bytes.
pub struct World {
    pub machine: Machine,
    pub options: Options,
    shadow: Vec<AtomicU8>,
    locks: Vec<RwLock<()>>,
}

impl World {
    pub fn new(options: Options) -> Self {
        let len = options.units as usize * options.unit_len;
        Self {
            machine: Machine::start(options),
            options,
            shadow: (0..len).map(|_| AtomicU8::new(0)).collect(),
            locks: (0..options.units).map(|_| RwLock::new(())).collect(),
        }
    }

    fn shadow(&self, unit: u32, byte: usize) -> &AtomicU8 {
        &self.shadow[unit as usize * self.options.unit_len + byte]
    }

    pub fn check(&self, unit: u32, byte: usize) {
        let seen = self.machine.read(unit, byte).expect("nothing is poisoned");
        assert_eq!(seen, self.shadow(unit, byte).load(Relaxed), "unit {unit} byte {byte}");
    }

    /// One instruction of the program's thread `thread`, which has bytes of its own in every page.
    pub fn step(&self, thread: usize) {
        let mut random = thread_rng();
        let unit = random.gen_range(0..self.options.units);
        let byte = random.gen_range(0..self.options.unit_len / 4096) * 4096 + 8 + thread;
        let _lock = self.locks[unit as usize].read().unwrap();
        if random.r#gen() {
            let value = random.r#gen();
            self.machine.write(unit, byte, value).expect("nothing is poisoned");
            self.shadow(unit, byte).store(value, Relaxed);
        }
        self.check(unit, byte);
        self.machine.audit(unit);
    }

    /// A thread of the program pins a unit, if it may, and has the kernel write there.
    pub fn call(&self, thread: usize) {
        let mut random = thread_rng();
        let unit = random.gen_range(0..self.options.units);
        let byte = random.gen_range(0..self.options.unit_len / 4096) * 4096 + 8 + thread;
        let _lock = self.locks[unit as usize].read().unwrap();
        if !self.machine.pin(unit) {
            return;
        }
        for _ in 0..random.gen_range(1..3) {
            let value = random.r#gen();
            let seen = self.machine.write_by_call(unit, byte, value);
            assert_eq!(seen, Some(value), "what is pinned is there, and writable");
            self.shadow(unit, byte).store(value, Relaxed);
            self.machine.audit(unit);
            thread::yield_now();
        }
        self.machine.unpin(unit);
        self.check(unit, byte);
    }

    /// Starts two threads of the program, each of which does so many steps.
    pub fn start(self: &Arc<Self>, steps: u32) -> Vec<JoinHandle<()>> {
        let start = |thread| {
            let world = self.clone();
            thread::spawn(move || (0..steps).for_each(|_| world.step(thread)))
        };
        (0..2).map(start).collect()
    }

    /// Submits units that are same-filled, noise, or something in between.
    pub fn submit(&self, first: u32, count: u32) {
        self.submit_some(first, count, || thread_rng().gen_range(0..4));
    }

    /// Submits units of which a denser codec makes something.
    pub fn submit_letters(&self, first: u32, count: u32) {
        self.submit_some(first, count, || LETTERS);
    }

    fn submit_some(&self, first: u32, count: u32, kind: impl Fn() -> u32) {
        let _locks: Vec<_> =
            (first..first + count).map(|unit| self.locks[unit as usize].write().unwrap()).collect();
        let contents: Vec<u8> = (0..count).flat_map(|_| some_unit(self.options.unit_len, kind())).collect();
        self.machine.submit(first, &contents);
        for (i, byte) in contents.iter().enumerate() {
            self.shadow[first as usize * self.options.unit_len + i].store(*byte, Relaxed);
        }
    }

    pub fn discard(&self, first: u32, count: u32) {
        let _locks: Vec<_> =
            (first..first + count).map(|unit| self.locks[unit as usize].write().unwrap()).collect();
        self.machine.discard(first, count);
        let bytes = first as usize * self.options.unit_len..(first + count) as usize * self.options.unit_len;
        self.shadow[bytes].iter().for_each(|byte| byte.store(0, Relaxed));
    }

    /// The calls of a garbage collection.
    pub fn collect(&self) {
        let mut random = thread_rng();
        let first = random.gen_range(0..self.options.units);
        let count = random.gen_range(1..=self.options.units - first);
        if random.r#gen() { self.submit(first, count) } else { self.discard(first, count) }
    }

    /// Reads some bytes of every page.
    pub fn check_all(&self) {
        for unit in 0..self.options.units {
            for page in (0..self.options.unit_len).step_by(4096) {
                [0, 8, 9, 10, 4095].iter().for_each(|byte| self.check(unit, page + byte));
            }
        }
    }

    /// The end, with everything accounted for.
    pub fn finish(mut self) {
        self.machine.drain();
        self.check_all();
        self.discard(0, self.options.units);
        self.machine.stop();
        self.machine.assert_nothing_left();
    }

    /// The end, with whatever is still staged.
    pub fn abandon(mut self) {
        self.machine.stop();
    }
}

const LETTERS: u32 = 2;

fn some_unit(len: usize, kind: u32) -> Vec<u8> {
    let mut random = thread_rng();
    let byte: u8 = random.r#gen();
    let noise = noise(random.r#gen(), len);
    match kind {
        0 => vec![byte; len],
        1 => (0..len).map(|i| if i % 64 == 9 { byte } else { 0 }).collect(),
        // lz4 makes something of these, and zstd more.
        LETTERS => noise.into_iter().map(|byte| byte & 3).collect(),
        _ => noise,
    }
}
