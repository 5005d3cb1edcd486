//! How a program opens its range.

use std::ptr;

use ztera::{ZT_FAULT_HANDLER, ZT_FAULT_SIGBUS, zt_config};

use crate::abi::bytes::Bytes;

/// Bytes of a staging buffer.
pub const BUFFER: usize = 1 << 20;

/// A configuration that must be accepted, and how many units the range has.
pub fn config(bytes: &mut Bytes<'_>) -> (zt_config, usize) {
    let unit = [4096, 8192, 16384, 65536][bytes.below(4)];
    let mut config = zt_config {
        size: size_of::<zt_config>() as u32,
        unit_size: unit,
        // With the most of small units there are clusters.
        resident_max: [0, 1, 2, 3, 4, 5, 64][bytes.below(7)] * u64::from(unit),
        pool_max: [0, 16, 32][bytes.below(3)] * u64::from(unit),
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
        fault_mode: [ZT_FAULT_HANDLER, ZT_FAULT_SIGBUS][bytes.below(2)],
        ..zt_config::default()
    };
    if config.resident_max > 0 && config.pool_max > 0 && bytes.below(2) == 1 {
        (config.resident_min, config.resident_max) = (config.resident_max, 0);
        config.dram_max = dram_max(&config, bytes);
    }
    (config, 1 + bytes.below(40))
}

/// From the smallest that is accepted to all that both limits allow.
pub fn dram_max(config: &zt_config, bytes: &mut Bytes<'_>) -> u64 {
    config.resident_min + bytes.below(5) as u64 * config.resident_min.min(config.pool_max) / 4
}
