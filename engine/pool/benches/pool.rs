//! How long the pool takes to keep an object, to give it back and to drop it, with objects of the sizes that units of
//! 16 KiB compress to. Half of the slots in use are freed at first, so that there are free ones between them.

use divan::Bencher;
use divan::counter::BytesCount;
use ztera_pool::{Config, Handle, Pool};

const UNIT: usize = 16 << 10;

/// Objects before the others are freed.
const OBJECTS: usize = 8192;

/// Operations in a sample: fewer than there are free slots.
const SAMPLE: u32 = 1024;

fn main() {
    divan::main();
}

/// Objects of `len` bytes, with free slots between them.
fn pool(len: usize) -> (Pool, Vec<Handle>) {
    let pool = Pool::new(Config { unit_len: UNIT, limit: 1 << 30, threads: 1 }).expect("address space");
    let object = vec![7; len];
    let mut kept = Vec::new();
    for i in 0..OBJECTS {
        let handle = pool.store(&object, None).expect("it is far from full");
        if i % 2 == 0 { kept.push(handle) } else { pool.free(handle) }
    }
    (pool, kept)
}

/// An object that is freed when this is dropped.
struct Kept<'p> {
    pool: &'p Pool,
    handle: Option<Handle>,
}

impl<'p> Kept<'p> {
    fn store(pool: &'p Pool, object: &[u8]) -> Self {
        Self { pool, handle: pool.store(object, None) }
    }
}

impl Drop for Kept<'_> {
    fn drop(&mut self) {
        self.pool.free(self.handle.take().expect("it was stored"));
    }
}

#[divan::bench(args = [500, 2000, 6000], sample_size = SAMPLE)]
fn store(bencher: Bencher<'_, '_>, len: usize) {
    let (pool, _kept) = pool(len);
    let object = vec![1; len];
    // The value that it returns is dropped when the sample was timed.
    bencher.counter(BytesCount::new(len)).bench_local(|| Kept::store(&pool, divan::black_box(&object)));
}

#[divan::bench(args = [500, 2000, 6000], sample_size = SAMPLE)]
fn free(bencher: Bencher<'_, '_>, len: usize) {
    let (pool, _kept) = pool(len);
    let object = vec![1; len];
    bencher.with_inputs(|| Kept::store(&pool, &object)).bench_local_values(drop);
}

/// Finding it; nothing is copied.
#[divan::bench(sample_size = SAMPLE)]
fn read(bencher: Bencher<'_, '_>) {
    let (pool, kept) = pool(2000);
    let mut kept = kept.iter().cycle();
    bencher.bench_local(|| pool.read(kept.next().expect("it never ends"))[0]);
}
