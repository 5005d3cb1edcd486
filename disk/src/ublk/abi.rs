// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The kernel's numbers and records, as of `linux/ublk_cmd.h`.

use crate::extent::Extent;

/// Commands of the control device.
pub mod command {
    use crate::ublk::abi::request;

    pub const ADD: u32 = request(0x04, LEN as u32);
    pub const DELETE: u32 = request(0x05, LEN as u32);
    pub const START: u32 = request(0x06, LEN as u32);
    pub const STOP: u32 = request(0x07, LEN as u32);
    pub const SET_PARAMETERS: u32 = request(0x08, LEN as u32);
    /// Frees the device once nobody has it open. Linux 6.9.
    pub const DELETE_LATER: u32 = request(0x14, LEN as u32) & !(1 << 30);

    /// Bytes of a command.
    const LEN: usize = 32;

    /// As the kernel reads it: of a device, about a buffer, with a number of its own.
    pub fn bytes(device: u32, buffer: (u64, u16), data: u64) -> [u8; 80] {
        let mut bytes = [0; 80];
        bytes[..4].copy_from_slice(&device.to_ne_bytes());
        bytes[4..6].copy_from_slice(&u16::MAX.to_ne_bytes()); // of no queue
        bytes[6..8].copy_from_slice(&buffer.1.to_ne_bytes());
        bytes[8..16].copy_from_slice(&buffer.0.to_ne_bytes());
        bytes[16..24].copy_from_slice(&data.to_ne_bytes());
        bytes
    }
}

/// Commands of a queue.
pub mod exchange {
    use crate::ublk::abi::request;

    pub const FETCH: u32 = request(0x20, LEN as u32);
    pub const REPLY_AND_FETCH: u32 = request(0x21, LEN as u32);

    /// Bytes of a command.
    const LEN: usize = 16;

    /// As the kernel reads it. No address, as data are copied by calls.
    pub fn bytes(queue: u16, tag: u16, result: i32) -> [u8; LEN] {
        let mut bytes = [0; LEN];
        bytes[..2].copy_from_slice(&queue.to_ne_bytes());
        bytes[2..4].copy_from_slice(&tag.to_ne_bytes());
        bytes[4..8].copy_from_slice(&result.to_ne_bytes());
        bytes
    }
}

/// `_IOWR('u', number, len)`; `_IOR` has no bit 30.
const fn request(number: u32, len: u32) -> u32 {
    3 << 30 | len << 16 | (b'u' as u32) << 8 | number
}

/// Data are copied by reads and writes of the character device. Linux 6.5.
pub const USER_COPY: u64 = 1 << 7;

/// `struct ublksrv_ctrl_dev_info`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct DeviceInfo {
    pub queues: u16,
    pub depth: u16,
    pub state: u16,
    pub pad0: u16,
    /// Most bytes of a request.
    pub most_bytes: u32,
    pub id: u32,
    pub pid: i32,
    pub pad1: u32,
    pub flags: u64,
    pub own_flags: u64,
    pub owner: [u32; 2],
    pub reserved: [u64; 2],
}

/// `struct ublk_params` as far as its discards.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Parameters {
    pub len: u32,
    pub types: u32,
    pub attributes: u32,
    pub logical_block_shift: u8,
    pub physical_block_shift: u8,
    pub best_shift: u8,
    pub least_shift: u8,
    pub most_sectors: u32,
    pub chunk_sectors: u32,
    pub sectors: u64,
    pub virtual_boundary: u64,
    pub discard_alignment: u32,
    pub discard_granularity: u32,
    pub most_discard_sectors: u32,
    pub most_zeroes_sectors: u32,
    pub most_discard_segments: u16,
    pub reserved: u16,
}

/// `types` of [`Parameters`]: the basic ones, and those of discards.
pub const BASIC_AND_DISCARD: u32 = 1 << 0 | 1 << 1;

/// `struct ublksrv_io_desc`: a request of the kernel.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Descriptor {
    /// The operation, and 24 bits of flags above.
    pub operation: u32,
    pub sectors: u32,
    pub start_sector: u64,
    pub address: u64,
}

impl Descriptor {
    pub fn operation(&self) -> u8 {
        self.operation as u8
    }

    pub fn extent(&self) -> Extent {
        Extent { offset: self.start_sector << 9, len: u64::from(self.sectors) << 9 }
    }
}

/// Operations of a [`Descriptor`].
pub mod operation {
    pub const READ: u8 = 0;
    pub const WRITE: u8 = 1;
    pub const FLUSH: u8 = 2;
    pub const DISCARD: u8 = 3;
    pub const WRITE_ZEROES: u8 = 5;
}

/// Where the descriptors of a queue are mapped from.
pub fn descriptors_offset(queue: u16) -> u64 {
    const MOST_DEPTH: u64 = 4096;
    u64::from(queue) * MOST_DEPTH * size_of::<Descriptor>() as u64
}

/// Where the data of a request are in the character device.
pub fn data_offset(queue: u16, tag: u16) -> u64 {
    0x8000_0000 + (u64::from(queue) << 41 | u64::from(tag) << 25)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As the C compiler has it.
    #[test]
    fn records_and_numbers_are_the_kernels() {
        assert_eq!(size_of::<DeviceInfo>(), 64);
        assert_eq!(size_of::<Parameters>(), 64);
        assert_eq!(size_of::<Descriptor>(), 24);
        assert_eq!(command::ADD, 0xc020_7504);
        assert_eq!(command::DELETE_LATER, 0x8020_7514);
        assert_eq!(exchange::REPLY_AND_FETCH, 0xc010_7521);
        assert_eq!(descriptors_offset(2), 2 * 98_304);
        assert_eq!(data_offset(1, 3), 0x200_8600_0000);
    }

    #[test]
    fn a_descriptor_has_flags_above_its_operation() {
        let descriptor = Descriptor { operation: 0x0002_0001, sectors: 8, start_sector: 16, address: 0 };
        assert_eq!(descriptor.operation(), operation::WRITE);
        assert_eq!(descriptor.extent(), Extent { offset: 8192, len: 4096 });
    }
}
