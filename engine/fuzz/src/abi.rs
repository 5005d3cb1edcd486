//! The C interface. The bytes are a program: how to open a range, then calls, right and wrong ones, and
//! loads and stores. A plain array knows what the range must hold.

mod bytes;
mod config;
mod misuse;

use std::ffi::{CStr, c_char, c_void};
use std::io::{Write, stderr};
use std::ops::Range;
use std::ptr;
use std::thread::sleep;
use std::time::Duration;

use ztera::{
    ZT_FAULT_HANDLER, ZT_FAULT_SIGBUS, zt_census, zt_config, zt_patch, zt_range, zt_range_base,
    zt_range_capacity, zt_range_census, zt_range_close, zt_range_discard, zt_range_drain, zt_range_epoch,
    zt_range_fault, zt_range_next_decision, zt_range_open, zt_range_patch, zt_range_set_dram_max,
    zt_range_stats, zt_range_use_handlers, zt_range_writeback, zt_stage_acquire, zt_stage_cancel,
    zt_stage_submit, zt_stats,
};
use ztera_kit::Random;
use ztera_kit::sigbus::Served;

use bytes::Bytes;
use config::BUFFER;

const EPERM: i32 = 1;
const E2BIG: i32 = 7;
const EBUSY: i32 = 16;
const EINVAL: i32 = 22;
const ENOSPC: i32 = 28;
const ENOSYS: i32 = 38;

/// Bytes of a patch.
const PATCHED: usize = 4;

/// Calls of one program.
const MOST_CALLS: usize = 200;

/// Runs the program. Where the kernel has no userfaultfd, or forbids it, it does nothing and says so.
pub fn abi(data: &[u8]) {
    let mut bytes = Bytes(data);
    let (config, units) = config::config(&mut bytes);
    let Some(mut program) = Program::open(&config, units) else { return };
    for _ in 0..MOST_CALLS {
        let Some(call) = bytes.next() else { break };
        program.call(call, &mut bytes);
    }
    program.finish();
}

/// A range, until it is closed.
struct Open(*mut zt_range);

// SAFETY: any thread may call the interface.
unsafe impl Send for Open {}
// SAFETY: as above.
unsafe impl Sync for Open {}

impl Open {
    fn serve_fault(&self, address: usize, write: bool) -> bool {
        // SAFETY: the range is open.
        unsafe { zt_range_fault(self.0, ptr::without_provenance_mut(address), write.into()) == 0 }
    }
}

struct Program {
    range: *mut zt_range,
    /// Serves the range's faults until it is closed.
    served: Served<Open>,
    base: *mut u8,
    unit: usize,
    units: usize,
    config: zt_config,
    expected: Vec<u8>,
    buffers: Vec<*mut c_void>,
}

impl Program {
    fn open(config: &zt_config, units: usize) -> Option<Self> {
        let unit = config.unit_size as usize;
        let mut range = ptr::null_mut();
        // SAFETY: a configuration, and a variable for the range; the engine finds the addresses.
        let result = unsafe { zt_range_open(ptr::null_mut(), units * unit, config, &mut range) };
        if result == -EPERM || result == -ENOSYS {
            // Past the test harness, which keeps the output of tests that pass.
            let _ = writeln!(stderr(), "SKIPPED, not tested: userfaultfd: error {result}");
            return None;
        }
        assert_eq!(result, 0, "{config:?}");
        let served = Served::new(Open(range), Open::serve_fault);
        // SAFETY: the range is open.
        let base = unsafe { zt_range_base(range) }.cast();
        Some(Self {
            range,
            served,
            base,
            unit,
            units,
            config: *config,
            expected: vec![0; units * unit],
            buffers: Vec::new(),
        })
    }

    fn call(&mut self, call: u8, bytes: &mut Bytes<'_>) {
        match call % 18 {
            0 | 1 => self.write(bytes),
            2 => self.read(bytes),
            3 => self.patch(bytes),
            4 => self.acquire(),
            5 | 6 => self.submit(bytes),
            7 => self.cancel(bytes),
            8 => self.discard(bytes),
            9 => self.drain(),
            10 => self.look(),
            11 => self.census(bytes),
            12 => self.write_back(bytes),
            13 => self.set_dram_max(bytes),
            14 => self.use_handlers(),
            15 => self.fault(bytes),
            16 => self.decisions(bytes),
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

    /// Of what is there, or of anything else, which must change nothing.
    fn patch(&mut self, bytes: &mut Bytes<'_>) {
        let (unit, word) = (bytes.below(self.units), bytes.below(self.unit / PATCHED));
        let (is_right, to) = (bytes.below(4) > 0, bytes.below(1 << 16) as u32);
        let at = unit * self.unit + word * PATCHED;
        let now = u32::from_ne_bytes(self.expected[at..][..PATCHED].try_into().expect("four bytes"));
        let patch = zt_patch { offset: (word * PATCHED) as u32, from: if is_right { now } else { !now }, to };
        // SAFETY: the range is open, and the patch is one.
        let result = unsafe { zt_range_patch(self.range, (unit * self.unit) as u64, &patch, 1) };
        assert!(result == 0 || result == -EBUSY, "{result}");
        if result == 0 && is_right {
            self.expected[at..][..PATCHED].copy_from_slice(&to.to_ne_bytes());
        }
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

    /// Bytes of some units, perhaps none.
    fn part(&self, bytes: &mut Bytes<'_>) -> Range<usize> {
        let first = bytes.below(self.units + 1);
        let count = bytes.below(self.units - first + 1);
        first * self.unit..(first + count) * self.unit
    }

    fn discard(&mut self, bytes: &mut Bytes<'_>) {
        let target = self.part(bytes);
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
            assert_eq!(zt_range_capacity(self.range, 1000, &mut room), 0);
            assert_eq!(zt_range_epoch(self.range), 0);
        }
        let stats = self.stats();
        let pool_max = self.config.pool_max;
        assert!(if pool_max == 0 { room == u64::MAX } else { room <= pool_max + stats.bd_limit });
        assert!(pool_max == 0 || stats.mem_used_max <= pool_max);
        assert!(stats.mem_used_total <= stats.mem_used_max);
        assert!(stats.resident_bytes <= (self.units * self.unit) as u64);
    }

    fn census(&self, bytes: &mut Bytes<'_>) {
        let target = self.part(bytes);
        let mut census = zt_census::default();
        // SAFETY: the range is open, the variable ours.
        let result = unsafe { zt_range_census(self.range, target.start as u64, target.len(), &mut census) };
        assert_eq!(result, 0);
        assert!(census.resident_bytes + census.compressed_bytes + census.ssd_bytes <= target.len() as u64);
        assert!(census.idle_bytes <= census.compressed_bytes + census.resident_bytes);
        assert!(census.written_bytes <= census.resident_bytes);
    }

    fn write_back(&self, bytes: &mut Bytes<'_>) {
        let (target, idle_only) = (self.part(bytes), bytes.below(2) as u32);
        let mut moved = 0;
        // SAFETY: the range is open, the variable ours.
        let result = unsafe {
            zt_range_writeback(self.range, target.start as u64, target.len(), idle_only, &mut moved)
        };
        assert!(moved <= target.len() as u64);
        if self.config.ssd_directory.is_null() {
            assert_eq!((result, moved), (-EINVAL, 0));
        } else {
            assert!(result == 0 || result == -ENOSPC, "{result}");
        }
    }

    fn set_dram_max(&self, bytes: &mut Bytes<'_>) {
        let limit = config::dram_max(&self.config, bytes);
        // SAFETY: the range is open.
        let result = unsafe { zt_range_set_dram_max(self.range, limit) };
        assert_eq!(result, if self.config.dram_max == 0 { -EINVAL } else { 0 });
    }

    fn use_handlers(&mut self) {
        // SAFETY: the range is open, and only this thread uses it.
        let result = unsafe { zt_range_use_handlers(self.range) };
        assert_eq!(result, if self.config.fault_mode == ZT_FAULT_SIGBUS { 0 } else { -EINVAL });
        self.config.fault_mode = ZT_FAULT_HANDLER;
    }

    /// A fault that nobody took.
    fn fault(&self, bytes: &mut Bytes<'_>) {
        let address = self.base.wrapping_add(bytes.below(self.units) * self.unit + bytes.below(self.unit));
        // SAFETY: the range is open.
        let result = unsafe { zt_range_fault(self.range, address.cast(), bytes.below(2) as i32) };
        // After the switch it may be served or not: signals may be on their way then.
        assert!(result == 0 || result == -EINVAL && self.config.fault_mode == ZT_FAULT_HANDLER, "{result}");
    }

    fn decisions(&self, bytes: &mut Bytes<'_>) {
        let mut text: [c_char; 64] = [1; 64];
        let cap = 1 + bytes.below(text.len());
        // SAFETY: the range is open, and `cap` bytes are ours.
        let result = unsafe { zt_range_next_decision(self.range, text.as_mut_ptr(), cap) };
        assert_eq!(result, 0);
        // SAFETY: the call has put a zero among the bytes.
        let said = unsafe { CStr::from_ptr(text.as_ptr()) };
        assert!(said.count_bytes() < cap);
        assert!(text[cap..].iter().all(|&byte| byte == 1), "beyond its {cap} bytes");
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
        // A handler may come late to a fault that others have served, and then it brings in zeros once more.
        let nothing = (1..1000).any(|_| {
            let held = self.give_up();
            held == [0; 5] || {
                sleep(Duration::from_millis(1));
                false
            }
        });
        assert!(nothing, "{:?}", self.stats());
        drop(self.served);
        // SAFETY: the range is open, and is not used any more.
        assert_eq!(unsafe { zt_range_close(self.range) }, 0);
    }

    /// Discards everything, and returns what there is then all the same.
    fn give_up(&self) -> [u64; 5] {
        // SAFETY: the range is open.
        let results =
            unsafe { [zt_range_discard(self.range, 0, self.units * self.unit), zt_range_drain(self.range)] };
        assert_eq!(results, [0, 0]);
        let of = self.stats();
        [of.resident_bytes, of.staged_bytes, of.orig_data_size, of.compr_data_size, of.mem_used_total]
    }
}

/// One byte repeated, noise, or something in between.
fn fill(target: &mut [u8], style: u8) {
    match style % 3 {
        0 => target.fill(style),
        1 => target.iter_mut().enumerate().for_each(|(i, byte)| *byte = style ^ (i / 97) as u8),
        _ => Random(style.into()).fill(target),
    }
}
