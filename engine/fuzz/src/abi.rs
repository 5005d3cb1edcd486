//! The C interface. The bytes are a program: how to open a range, then calls, right and wrong ones, and
//! loads and stores. A plain array knows what the range must hold.

use std::ffi::c_void;
use std::ptr;

use ztera::{
    zt_config, zt_range, zt_range_base, zt_range_close, zt_range_discard, zt_range_drain, zt_range_epoch,
    zt_range_open, zt_range_room, zt_range_stats, zt_stage_acquire, zt_stage_cancel, zt_stage_submit,
    zt_stats,
};

const EINVAL: i32 = 22;
const E2BIG: i32 = 7;
const BUFFER: usize = 1 << 20;
/// Calls of one program.
const MOST_CALLS: usize = 200;

/// Runs the program. Does nothing where the kernel has no userfaultfd, or forbids it.
pub fn abi(data: &[u8]) {
    let mut bytes = Bytes(data);
    let (config, units) = config(&mut bytes);
    let Some(mut program) = Program::open(&config, units) else { return };
    for _ in 0..MOST_CALLS {
        let Some(call) = bytes.next() else { break };
        program.call(call, &mut bytes);
    }
    program.finish();
}

/// The program's bytes, one by one.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn next(&mut self) -> Option<u8> {
        let (&first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(first)
    }

    /// A number below `n`; 0 once the bytes are used up.
    fn below(&mut self, n: usize) -> usize {
        let wide = usize::from(self.next().unwrap_or(0)) | usize::from(self.next().unwrap_or(0)) << 8;
        wide % n
    }
}

fn config(bytes: &mut Bytes<'_>) -> (zt_config, usize) {
    let unit = [4096, 8192, 16384, 65536][bytes.below(4)];
    let config = zt_config {
        size: size_of::<zt_config>() as u32,
        unit_size: unit,
        resident_limit: bytes.below(6) as u64 * u64::from(unit),
        pool_limit: [0, 16, 32][bytes.below(3)] * u64::from(unit),
        staging_limit: bytes.below(3) as u64 * BUFFER as u64,
        codec: bytes.below(3) as u32,
        codec_level: bytes.below(5) as i32 - 2,
        workers: 1 + bytes.below(2) as u32,
        fault_threads: 1 + bytes.below(2) as u32,
        ssd_directory: [c"/tmp".as_ptr(), ptr::null()][bytes.below(2)],
        ssd_limit: [1, 4][bytes.below(2)] << 20,
        ssd_write_rate: 0,
        ssd_writes_per_day: [0, 1 << 20][bytes.below(2)],
        ssd_encrypt: bytes.below(2) as u32,
        idle_epochs: bytes.below(3) as u32,
        recompress_codec: bytes.below(3) as u32,
        recompress_level: bytes.below(5) as i32 - 2,
        dram_limit: 0,
        fault_mode: ztera::ZT_FAULT_HANDLER,
        reserved: 0,
    };
    (config, 1 + bytes.below(40))
}

struct Program {
    range: *mut zt_range,
    base: *mut u8,
    unit: usize,
    units: usize,
    pool_limit: u64,
    expected: Vec<u8>,
    buffers: Vec<*mut c_void>,
}

impl Program {
    fn open(config: &zt_config, units: usize) -> Option<Self> {
        let unit = config.unit_size as usize;
        let mut range = ptr::null_mut();
        // SAFETY: a configuration, and a variable for the range; the engine finds the addresses.
        let result = unsafe { zt_range_open(ptr::null_mut(), units * unit, config, &mut range) };
        // EPERM and ENOSYS: no userfaultfd here. The range's own tests say so aloud.
        if result == -1 || result == -38 {
            return None;
        }
        assert_eq!(result, 0, "{config:?}");
        // SAFETY: the range is open.
        let base = unsafe { zt_range_base(range) }.cast();
        let (pool_limit, expected) = (config.pool_limit, vec![0; units * unit]);
        Some(Self { range, base, unit, units, pool_limit, expected, buffers: Vec::new() })
    }

    fn call(&mut self, call: u8, bytes: &mut Bytes<'_>) {
        match call % 12 {
            0 | 1 => self.write(bytes),
            2 | 3 => self.read(bytes),
            4 => self.acquire(),
            5 | 6 => self.submit(bytes),
            7 => self.cancel(bytes),
            8 => self.discard(bytes),
            9 => self.drain(),
            10 => self.look(),
            _ => self.misuse(bytes),
        }
    }

    fn drain(&self) {
        // SAFETY: the range is open.
        let result = unsafe { zt_range_drain(self.range) };
        assert_eq!(result, 0);
    }

    fn write(&mut self, bytes: &mut Bytes<'_>) {
        let (unit, byte, value) =
            (bytes.below(self.units), bytes.below(self.unit), bytes.next().unwrap_or(0));
        let at = unit * self.unit + byte;
        // SAFETY: a byte of the range, which only this thread uses.
        unsafe { self.base.add(at).write_volatile(value) };
        self.expected[at] = value;
    }

    fn read(&self, bytes: &mut Bytes<'_>) {
        let at = bytes.below(self.units) * self.unit + bytes.below(self.unit);
        // SAFETY: as above.
        let seen = unsafe { self.base.add(at).read_volatile() };
        assert_eq!(seen, self.expected[at], "byte {at}");
    }

    fn acquire(&mut self) {
        if self.buffers.len() == 4 {
            return;
        }
        let (mut buffer, mut len) = (ptr::null_mut(), 0);
        // SAFETY: the range is open, the variables are ours.
        let result = unsafe { zt_stage_acquire(self.range, &mut buffer, &mut len) };
        assert_eq!((result, len, buffer.addr() % 4096), (0, BUFFER, 0));
        assert!(!self.buffers.contains(&buffer), "lent twice");
        self.buffers.push(buffer);
    }

    fn submit(&mut self, bytes: &mut Bytes<'_>) {
        if self.buffers.is_empty() {
            self.acquire();
        }
        let buffer = self.buffers.swap_remove(bytes.below(self.buffers.len()));
        let first = bytes.below(self.units);
        let count = bytes.below(self.units - first + 1).min(BUFFER / self.unit);
        let style = bytes.below(256);
        let target = first * self.unit..(first + count) * self.unit;
        fill(&mut self.expected[target.clone()], style as u8);
        // SAFETY: the buffer is ours until it is submitted, and long enough.
        unsafe {
            buffer.cast::<u8>().copy_from_nonoverlapping(self.expected[target.clone()].as_ptr(), target.len())
        };
        // SAFETY: the range is open and the buffer ours.
        let result = unsafe { zt_stage_submit(self.range, buffer, target.start as u64, target.len()) };
        assert_eq!(result, 0);
    }

    fn cancel(&mut self, bytes: &mut Bytes<'_>) {
        if self.buffers.is_empty() {
            return;
        }
        let buffer = self.buffers.swap_remove(bytes.below(self.buffers.len()));
        // SAFETY: the range is open; the second call is one of those that must be refused.
        let results = unsafe { [zt_stage_cancel(self.range, buffer), zt_stage_cancel(self.range, buffer)] };
        assert_eq!(results, [0, -EINVAL]);
    }

    fn discard(&mut self, bytes: &mut Bytes<'_>) {
        let first = bytes.below(self.units + 1);
        let count = bytes.below(self.units - first + 1);
        let target = first * self.unit..(first + count) * self.unit;
        // SAFETY: the range is open.
        let result = unsafe { zt_range_discard(self.range, target.start as u64, target.len()) };
        assert_eq!(result, 0);
        self.expected[target].fill(0);
    }

    fn stats(&self) -> zt_stats {
        let mut stats = zt_stats { size: size_of::<zt_stats>() as u32, ..zt_stats::default() };
        // SAFETY: the range is open, the variable ours.
        let result = unsafe { zt_range_stats(self.range, &mut stats) };
        assert_eq!(result, 0);
        stats
    }

    fn look(&self) {
        let mut room = 0;
        // SAFETY: the range is open, the variable ours.
        unsafe {
            assert_eq!(zt_range_room(self.range, &mut room), 0);
            assert_eq!(zt_range_epoch(self.range), 0);
        }
        let stats = self.stats();
        let most = self.pool_limit + stats.bd_limit;
        assert!(if self.pool_limit == 0 { room == u64::MAX } else { room <= most });
        assert!(self.pool_limit == 0 || stats.mem_used_max <= self.pool_limit);
        assert!(stats.mem_used_total <= stats.mem_used_max);
        assert!(stats.resident_bytes <= (self.units * self.unit) as u64);
    }

    /// Calls that have to be refused, and to change nothing.
    fn misuse(&mut self, bytes: &mut Bytes<'_>) {
        let (unit, len, kind) = (self.unit as u64, (self.units * self.unit) as u64, bytes.below(8));
        let buffer = self.buffers.first().copied().unwrap_or(ptr::null_mut());
        let mut odd = zt_config { size: 4000, ..zt_config::default() };
        // SAFETY: the range is open; nothing here is read or written through but what is said to be valid.
        let result = unsafe {
            match kind {
                0 => zt_stage_submit(self.range, buffer, 1 + bytes.below(4095) as u64, self.unit),
                1 => zt_stage_submit(self.range, buffer, 0, self.unit + 1),
                2 => zt_stage_submit(self.range, buffer, len, self.unit),
                3 => zt_stage_submit(self.range, self.base.cast(), 0, self.unit),
                4 => zt_range_discard(self.range, u64::MAX - unit + 1, self.unit),
                5 => zt_range_discard(self.range, unit / 2, self.unit),
                6 => zt_stage_cancel(self.range, ptr::without_provenance_mut(bytes.below(1 << 16))),
                _ => {
                    odd.size = bytes.below(4) as u32;
                    zt_range_open(ptr::null_mut(), self.unit, &odd, &mut ptr::null_mut())
                }
            }
        };
        assert!(result == -EINVAL || result == -E2BIG, "misuse {kind} gave {result}");
    }

    fn finish(mut self) {
        for (at, &expected) in self.expected.iter().enumerate().step_by(251) {
            // SAFETY: a byte of the range.
            let seen = unsafe { self.base.add(at).read_volatile() };
            assert_eq!(seen, expected, "byte {at}");
        }
        for buffer in std::mem::take(&mut self.buffers) {
            // SAFETY: the range is open and the buffer ours.
            let result = unsafe { zt_stage_cancel(self.range, buffer) };
            assert_eq!(result, 0);
        }
        // SAFETY: the range is open until the last of these calls.
        unsafe {
            assert_eq!(zt_range_discard(self.range, 0, self.units * self.unit), 0);
            assert_eq!(zt_range_drain(self.range), 0);
            let stats = self.stats();
            assert_eq!((stats.resident_bytes, stats.staged_bytes), (0, 0));
            assert_eq!((stats.orig_data_size, stats.compr_data_size, stats.mem_used_total), (0, 0, 0));
            assert_eq!(zt_range_close(self.range), 0);
        }
    }
}

/// One byte repeated, noise, or something in between.
fn fill(target: &mut [u8], style: u8) {
    let mut x = u64::from(style);
    match style % 3 {
        0 => target.fill(style),
        1 => target.iter_mut().enumerate().for_each(|(i, byte)| *byte = style ^ (i / 97) as u8),
        _ => target.iter_mut().for_each(|byte| {
            x = x.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            *byte = (x >> 56) as u8;
        }),
    }
}
