//! Calls that have to be refused, and to change nothing.

use std::ptr;

use ztera::{
    zt_census, zt_config, zt_patch, zt_range_census, zt_range_discard, zt_range_fault, zt_range_open,
    zt_range_patch, zt_range_writeback, zt_stage_cancel, zt_stage_submit,
};

use super::bytes::Bytes;
use super::{E2BIG, EINVAL, Program};

impl Program {
    pub fn misuse(&mut self, bytes: &mut Bytes<'_>) {
        let (unit, len, kind) = (self.unit as u64, (self.units * self.unit) as u64, bytes.below(14));
        let buffer = self.buffers.first().copied().unwrap_or(ptr::null_mut());
        let patch = zt_patch::default();
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
                7 => zt_range_census(self.range, unit / 2, self.unit, &mut zt_census::default()),
                8 => zt_range_census(self.range, 0, self.unit, ptr::null_mut()),
                9 => zt_range_writeback(self.range, len, self.unit, 0, &mut 0),
                10 => zt_range_fault(self.range, ptr::without_provenance_mut(bytes.below(1 << 16)), 0),
                11 => zt_range_patch(self.range, unit / 2, &patch, 1),
                12 => zt_range_patch(self.range, 0, &zt_patch { offset: self.unit as u32, ..patch }, 1),
                _ => {
                    odd.size = bytes.below(4) as u32;
                    zt_range_open(ptr::null_mut(), self.unit, &odd, &mut ptr::null_mut())
                }
            }
        };
        assert!(result == -EINVAL || result == -E2BIG, "misuse {kind} gave {result}");
    }
}
