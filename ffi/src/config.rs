//! `zt_config`.

use std::ffi::{CStr, OsStr, c_char};
use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::ptr;
use std::sync::Arc;

use ztera_accel::{Accelerator, Backend};
use ztera_codec::{CodecKind, Offload, Settings};
use ztera_range::{Error, FaultMode, Options, SsdConfig};

use crate::outcome::Failure;

/// Fastest to decode.
pub const ZT_CODEC_LZ4: u32 = 1;
/// Denser, several times slower to decode.
pub const ZT_CODEC_ZSTD: u32 = 2;
/// Denser than lz4, slower than zstd; what compression accelerators speak.
pub const ZT_CODEC_DEFLATE: u32 = 3;

/// Threads of the range serve faults. Instructions and system calls notice nothing.
pub const ZT_FAULT_HANDLER: u32 = 0;
/// The thread that faulted gets SIGBUS, and serves itself by zt_range_fault: many times quicker where CPUs are idle.
/// System calls fail with EFAULT where what they are given is not in memory.
pub const ZT_FAULT_SIGBUS: u32 = 1;

/// How a range is set up. Fill it with zeros, set `size`, then what is not to be the default.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct zt_config {
    /// sizeof(zt_config) of the caller. Fields that an older caller lacks are taken as 0; those that an
    /// older engine lacks must be 0 (else -E2BIG).
    pub size: u32,
    /// Bytes compressed, and made resident, as one: a power of two from 4096 to 65536; 0 = 16384,
    /// or a page where that is larger.
    pub unit_size: u32,
    /// Bytes that uncompressed pages may have in any case: not 0 with dram_max, and not more than that; else 0.
    pub resident_min: u64,
    /// Most bytes of uncompressed pages; 0 = no limit of their own.
    pub resident_max: u64,
    /// Most bytes of pool memory, whatever dram_max becomes; 0 = no limit, which cannot be with dram_max.
    pub pool_max: u64,
    /// Most bytes of uncompressed pages and the pool together, until zt_range_set_dram_max names others. Pages have what the
    /// pool leaves, less while the system stalls for want of memory. 0 = no such limit: the others are kept, and nobody
    /// divides memory.
    pub dram_max: u64,
    /// Most bytes of staging buffers; 0 = 64 MiB. Beyond that they have what `pool_max` leaves and nobody uses yet; exceeded
    /// otherwise only if every buffer is in callers' hands.
    pub staging_limit: u64,
    /// One of ZT_CODEC_*; 0 = lz4.
    pub codec: u32,
    /// zstd, deflate: level, lz4: acceleration; 0 = the codec's default.
    pub codec_level: i32,
    /// Threads that compress; 0 = one per online CPU.
    pub workers: u32,
    /// Threads that serve faults, or with ZT_FAULT_SIGBUS only read ahead; 0 = one per online CPU, at most 4; with an SSD tier 8.
    pub fault_threads: u32,
    /// Directory in which the SSD tier makes its file, which has no name there; or a block device that nobody uses,
    /// without data that libblkid knows. NULL = no SSD tier. Read by zt_range_open only. A program that may write
    /// files of limited size only (RLIMIT_FSIZE) has to ignore SIGXFSZ: its own threads write to the tier, too.
    pub ssd_directory: *const c_char,
    /// Most bytes of it; 0 = nine tenths of what the file system has free, or all of the device.
    pub ssd_limit: u64,
    /// Most bytes written to it per second, at least 1 MiB: who writes more waits. 0 = no limit.
    pub ssd_write_rate: u64,
    /// Most bytes written to it per day, counted from zt_range_open: then it has no room until the next day.
    /// 0 = no limit.
    pub ssd_writes_per_day: u64,
    /// Not 0: what is written to it is encrypted, with a key that only this process has.
    pub ssd_encrypt: u32,
    /// Epochs (see zt_range_epoch) without a touch after which a compressed unit is idle: where the pool is
    /// more than half full, it is then recompressed, and later goes to SSD. 0 = no unit ever is.
    pub idle_epochs: u32,
    /// A denser codec for idle units; 0 = they are not recompressed.
    pub recompress_codec: u32,
    /// Its level, as codec_level.
    pub recompress_level: i32,
    /// ZT_FAULT_HANDLER or ZT_FAULT_SIGBUS.
    pub fault_mode: u32,
    /// Not 0: staging buffers do without what `pool_max` leaves. For measurements of what it is to wait for them.
    pub staging_strict: u32,
    /// A file to be made, with a record of each change of page, which `ztera sim` replays: slow. NULL = none. Read by
    /// zt_range_open only.
    pub trace: *const c_char,
    /// With dram_max, most bytes of pool memory once that is raised (zt_range_set_dram_max); 0 = pool_max. It costs addresses,
    /// and where the system gives fewer the pool keeps to pool_max.
    pub pool_max_later: u64,
    /// A device that compresses in batches, where codec or recompress_codec is ZT_CODEC_DEFLATE: "qatzip", "nvcomp",
    /// "nvcomp:LEVEL", "model" or "model:NAME=VALUE,..". NULL = the CPU does all; it also does where the device or its library
    /// is missing, which zt_log is told. Read by zt_range_open only.
    pub accelerator: *const c_char,
}

impl Default for zt_config {
    fn default() -> Self {
        Self {
            size: 0,
            unit_size: 0,
            resident_min: 0,
            resident_max: 0,
            pool_max: 0,
            dram_max: 0,
            staging_limit: 0,
            codec: 0,
            codec_level: 0,
            workers: 0,
            fault_threads: 0,
            ssd_directory: ptr::null(),
            ssd_limit: 0,
            ssd_write_rate: 0,
            ssd_writes_per_day: 0,
            ssd_encrypt: 0,
            idle_epochs: 0,
            recompress_codec: 0,
            recompress_level: 0,
            fault_mode: ZT_FAULT_HANDLER,
            staging_strict: 0,
            trace: ptr::null(),
            pool_max_later: 0,
            accelerator: ptr::null(),
        }
    }
}

impl zt_config {
    /// The caller's configuration as this version of the engine knows it.
    ///
    /// # Safety
    /// `from` is null, or points to at least as many readable bytes as its `size` says.
    pub(crate) unsafe fn read(from: *const Self) -> Result<Self, Failure> {
        if from.is_null() {
            return Ok(Self::default());
        }
        // SAFETY: a configuration has at least its size field.
        let size = unsafe { (&raw const (*from).size).read_unaligned() } as usize;
        if size < size_of::<u32>() || size > 4096 {
            return Err(Failure::INVALID);
        }
        let mut config = Self::default();
        let known = size.min(size_of::<Self>());
        // SAFETY: `known` bytes are readable by the caller's promise and fit the target, for which any
        // bytes are valid.
        unsafe { from.cast::<u8>().copy_to_nonoverlapping((&raw mut config).cast(), known) };
        // SAFETY: as above, for the bytes behind those.
        let rest = unsafe { std::slice::from_raw_parts(from.cast::<u8>().add(known), size - known) };
        if rest.iter().any(|&byte| byte != 0) {
            return Err(Failure::TOO_BIG);
        }
        Ok(config)
    }

    /// # Safety
    /// `ssd_directory`, `trace` and `accelerator` are null or C strings.
    pub(crate) unsafe fn options(&self) -> Result<Options, Failure> {
        let defaults = Options::default();
        let or = |value: u64, default: u64| if value == 0 { default } else { value };
        Ok(Options {
            unit_size: or(self.unit_size.into(), defaults.unit_size as u64) as usize,
            resident_min: self.resident_min,
            resident_max: self.resident_max,
            pool_max: self.pool_max,
            pool_max_later: self.pool_max_later,
            dram_max: self.dram_max,
            staging_limit: or(self.staging_limit, defaults.staging_limit),
            staging_strict: self.staging_strict != 0,
            codec: settings(self.codec, self.codec_level)?
                .unwrap_or(Settings { kind: defaults.codec.kind, level: self.codec_level }),
            workers: self.workers as usize,
            fault_mode: match self.fault_mode {
                ZT_FAULT_HANDLER => FaultMode::Handler,
                ZT_FAULT_SIGBUS => FaultMode::Sigbus,
                _ => return Err(Failure::INVALID),
            },
            fault_threads: self.fault_threads as usize,
            idle_epochs: self.idle_epochs,
            recompress: settings(self.recompress_codec, self.recompress_level)?,
            // SAFETY: by the caller's promise.
            accelerator: unsafe { self.accelerator() }?,
            // SAFETY: by the caller's promise.
            ssd: unsafe { self.ssd() },
            // SAFETY: by the caller's promise.
            trace: unsafe { path(self.trace) },
        })
    }

    /// # Safety
    /// `accelerator` is null or a C string.
    unsafe fn accelerator(&self) -> Result<Option<Arc<dyn Offload>>, Failure> {
        if self.accelerator.is_null() {
            return Ok(None);
        }
        // SAFETY: by the caller's promise.
        let name = unsafe { CStr::from_ptr(self.accelerator) };
        let backend = name.to_str().ok().and_then(|name| name.parse::<Backend>().ok());
        open(backend.ok_or(Failure::INVALID)?)
    }

    /// # Safety
    /// `ssd_directory` is null or a C string.
    unsafe fn ssd(&self) -> Option<SsdConfig> {
        // SAFETY: by the caller's promise.
        let directory = unsafe { path(self.ssd_directory) }?;
        let limit = |value: u64| (value != 0).then_some(value);
        Some(SsdConfig {
            directory,
            limit: limit(self.ssd_limit),
            write_rate: limit(self.ssd_write_rate),
            writes_per_day: limit(self.ssd_writes_per_day),
            encrypt: self.ssd_encrypt != 0,
        })
    }
}

/// # Safety
/// `name` is null or a C string.
unsafe fn path(name: *const c_char) -> Option<PathBuf> {
    if name.is_null() {
        return None;
    }
    // SAFETY: by the caller's promise.
    let name = unsafe { CStr::from_ptr(name) };
    Some(OsStr::from_bytes(name.to_bytes()).into())
}

/// Opens a device; `None`, and a line that says why, where it is missing.
fn open(backend: Backend) -> Result<Option<Arc<dyn Offload>>, Failure> {
    let cpus = std::thread::available_parallelism().map_or(1, usize::from);
    let options = ztera_accel::Options { cpus, ..ztera_accel::Options::default() };
    match backend.open().and_then(|device| Accelerator::start(device, options)) {
        Ok(accelerator) => Ok(Some(Arc::new(accelerator))),
        Err(missing) if missing.kind() == ErrorKind::NotFound => {
            ztera_log::say(format_args!("the accelerator is missing ({missing}): the CPU compresses"));
            Ok(None)
        }
        Err(error) => Err(Error::System("opening the accelerator", error).into()),
    }
}

/// The codec with a number of the interface; `None` for 0.
fn settings(codec: u32, level: i32) -> Result<Option<Settings>, Failure> {
    let kind = match codec {
        0 => return Ok(None),
        ZT_CODEC_LZ4 => CodecKind::Lz4,
        ZT_CODEC_ZSTD => CodecKind::Zstd,
        ZT_CODEC_DEFLATE => CodecKind::Deflate,
        _ => return Err(Failure::INVALID),
    };
    Ok(Some(Settings { kind, level }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(config: zt_config) -> Options {
        // SAFETY: its paths are null or C strings.
        let Ok(options) = (unsafe { config.options() }) else { panic!("it can be") };
        options
    }

    /// Two environment variables made any program on the engine record a trace, or wait for compression.
    #[test]
    fn a_trace_and_strict_staging_are_asked_for_by_the_configuration() {
        let asked = zt_config { staging_strict: 1, trace: c"/tmp/trace".as_ptr(), ..zt_config::default() };
        let of = |config| {
            let Options { staging_strict, trace, .. } = options(config);
            (staging_strict, trace)
        };
        assert_eq!(of(asked), (true, Some("/tmp/trace".into())));
        assert_eq!(of(zt_config::default()), (false, None));
    }

    /// One field was a maximum, and a minimum once another one was set.
    #[test]
    fn each_limit_has_one_meaning() {
        let asked =
            zt_config { resident_min: 1, resident_max: 2, pool_max: 3, dram_max: 4, ..zt_config::default() };
        let Options { resident_min, resident_max, pool_max, dram_max, .. } = options(asked);
        assert_eq!([resident_min, resident_max, pool_max, dram_max], [1, 2, 3, 4]);
    }
}
