//! How a range is set up.

use std::path::PathBuf;
use std::sync::Arc;

use ztera_codec::{CodecKind, Offload, Settings};
use ztera_policy::division::Limits;

use crate::error::{Error, Result};
use ztera_store::{SsdConfig, UnitSize};

/// Choices for a range. `Default` gives the defaults of the C interface.
#[derive(Clone, Debug)]
pub struct Options {
    /// Bytes that are compressed, and made resident, as one: a power of two from 4 KiB to 64 KiB.
    pub unit_size: usize,
    /// Bytes that uncompressed pages may have in any case: not 0 with `dram_max`, and not more than that; else 0.
    pub resident_min: u64,
    /// Most bytes of uncompressed pages; 0 = no limit of their own.
    pub resident_max: u64,
    /// Most bytes of pool memory; 0 = no limit, which cannot be with `dram_max`.
    pub pool_max: u64,
    /// With `dram_max`, most bytes of pool memory once that is [raised](crate::Range::set_dram_max); 0 = `pool_max`. It costs
    /// addresses, and where the system gives fewer the pool keeps to `pool_max`.
    pub pool_max_later: u64,
    /// Most bytes of uncompressed pages and the pool together, the budget; a range that has one can get [another
    /// one](crate::Range::set_dram_max). Pages have what the pool leaves, less while the system stalls for want of memory,
    /// or other processes want some of the same memory. 0 = none: nobody divides memory.
    pub dram_max: u64,
    /// Most bytes of staging buffers, beside what they [borrow](Self::staging_strict). Exceeded otherwise only if every
    /// buffer is in callers' hands.
    pub staging_limit: u64,
    /// Whether staging buffers do without what the pool's limit leaves and nobody uses yet.
    pub staging_strict: bool,
    /// Codec and level.
    pub codec: Settings,
    /// Threads that compress; 0 = one per CPU.
    pub workers: usize,
    /// The threads that serve faults.
    pub fault_mode: FaultMode,
    /// Threads that serve faults, or only read ahead ([`FaultMode::Sigbus`]); 0 = one per CPU, at most 4 (with an SSD
    /// tier 8: they wait for it, most of the time).
    pub fault_threads: usize,
    /// Epochs without a touch after which a unit in the pool is idle: where the pool is more than half full, it
    /// is then recompressed, and later goes to SSD. 0 = no unit ever is.
    pub idle_epochs: u32,
    /// A denser codec for idle units; `None` = they stay as they are.
    pub recompress: Option<Settings>,
    /// A device that makes deflate, in batches: of what is submitted if `codec` is that, of idle units and of those that have
    /// to be small if `recompress` is. `None` = the CPU does all.
    pub accelerator: Option<Arc<dyn Offload>>,
    /// Directory and size of the SSD tier; `None` = no such tier.
    pub ssd: Option<SsdConfig>,
    /// A file to be made, in which is written down which units the program touches. As only faults are seen, next
    /// to nothing stays resident then, and the program is slow. `None` = no such file.
    pub trace: Option<PathBuf>,
}

/// The thread that serves a fault.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FaultMode {
    /// Threads of the range, while the thread that faulted sleeps. Instructions and system calls notice nothing.
    #[default]
    Handler,
    /// The thread that faulted: the kernel sends it SIGBUS, and the program's handler of that signal calls
    /// [`Range::serve_fault`](crate::Range::serve_fault). No other thread has to wake up, which takes longer than all
    /// the rest. System calls fail with `EFAULT` where what they are given is not mapped.
    Sigbus,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            unit_size: usual_unit(rustix::param::page_size()),
            resident_min: 0,
            resident_max: 0,
            pool_max: 0,
            pool_max_later: 0,
            dram_max: 0,
            staging_limit: 64 << 20,
            staging_strict: false,
            codec: Settings::default(),
            workers: 0,
            fault_mode: FaultMode::Handler,
            fault_threads: 0,
            idle_epochs: 0,
            recompress: None,
            accelerator: None,
            ssd: None,
            trace: None,
        }
    }
}

/// The unit that nobody chose, where the kernel has pages of `page` bytes: no unit is smaller than a page.
fn usual_unit(page: usize) -> usize {
    page.max(16 << 10)
}

/// Units that stay resident while a trace is recorded. An instruction needs several at once, and there are several
/// threads.
const TRACED_UNITS: u64 = 8;

/// More threads than this is taken for a mistake.
const MAX_THREADS: usize = 1024;

impl Options {
    /// The unit, if these options can be for a range of `len` bytes at `base` (0 = anywhere).
    pub(crate) fn check(&self, base: usize, len: usize) -> Result<UnitSize> {
        let unit = UnitSize::new(self.unit_size)
            .ok_or(Error::Invalid("the unit size must be a power of two from 4 KiB to 64 KiB"))?;
        let page = rustix::param::page_size();
        if unit.bytes() < page {
            return Err(Error::Invalid("the unit size must not be smaller than a page"));
        }
        if !base.is_multiple_of(page) {
            return Err(Error::Invalid("the base must be page-aligned"));
        }
        if len == 0 || !len.is_multiple_of(unit.bytes()) || len / unit.bytes() > u32::MAX as usize {
            return Err(Error::Invalid("the length must be a multiple of the unit size, and not 0"));
        }
        if base.checked_add(len).is_none() {
            return Err(Error::Invalid("the range must not wrap around"));
        }
        if self.pool_max != 0 && self.pool_max < 16 * unit.bytes() as u64 {
            return Err(Error::Invalid("the pool limit must be at least 16 units"));
        }
        let Limits { resident_min, pool_max, dram_max, .. } = self.limits();
        if dram_max != 0 && (resident_min.min(pool_max) == 0 || dram_max < resident_min) {
            return Err(Error::Invalid(
                "a limit for both needs a pool limit, and a minimum of resident pages that is not higher",
            ));
        }
        if dram_max == 0 && resident_min != 0 {
            return Err(Error::Invalid("a minimum of resident pages needs a limit for both"));
        }
        let mut codecs = [Some(self.codec), self.recompress].into_iter().flatten();
        if self.accelerator.is_some() && !codecs.any(|codec| codec.kind == CodecKind::Deflate) {
            return Err(Error::Invalid(
                "an accelerator makes deflate: take it as codec, or as the denser one",
            ));
        }
        if self.workers > MAX_THREADS || self.fault_threads > MAX_THREADS {
            return Err(Error::Invalid("too many threads"));
        }
        Ok(unit)
    }

    pub(crate) fn limits(&self) -> Limits {
        let &Self { resident_min, resident_max, pool_max, pool_max_later, dram_max, .. } = self;
        Limits { resident_min, resident_max, pool_max: pool_max.max(pool_max_later), dram_max }
    }

    /// The limit of what is resident until a budget is shared.
    pub(crate) fn resident_limit(&self) -> u64 {
        match self.trace {
            Some(_) => TRACED_UNITS * self.unit_size as u64,
            None if self.dram_max == 0 => self.resident_max,
            None => self.resident_min,
        }
    }

    pub(crate) fn worker_count(&self) -> usize {
        if self.workers == 0 { cpus() } else { self.workers }
    }

    pub(crate) fn fault_thread_count(&self) -> usize {
        match (self.fault_threads, &self.ssd) {
            (0, None) => cpus().min(4),
            (0, Some(_)) => 8,
            (count, _) => count,
        }
    }
}

fn cpus() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With pages of 64 KiB a range did not open unless somebody chose the unit.
    #[test]
    fn the_usual_unit_has_whole_pages() {
        assert_eq!([4, 16, 64].map(|kib| usual_unit(kib << 10) >> 10), [16, 16, 64]);
    }
}
