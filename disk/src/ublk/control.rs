// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The control device of ublk, by which devices come and go.

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::path::Path;

use io_uring::{IoUring, cqueue, opcode, squeue, types};

use super::abi::{DeviceInfo, Parameters, command};

const PATH: &str = "/dev/ublk-control";

/// One ublk device, from the administrator's side. Each method waits until the kernel has done it.
pub(super) struct Control {
    file: File,
    ring: IoUring<squeue::Entry128, cqueue::Entry>,
    device: u32,
}

impl Control {
    /// Makes a device as `info` says. Returns what the kernel made of it.
    pub fn add(mut info: DeviceInfo) -> io::Result<(Self, DeviceInfo)> {
        if !Path::new(PATH).exists() {
            let why =
                format!("this kernel has no ublk (no {PATH}): it takes Linux 6.5 and `modprobe ublk_drv`");
            return Err(io::Error::new(io::ErrorKind::Unsupported, why));
        }
        let file = File::options().read(true).write(true).open(PATH)?;
        let ring = IoUring::builder().build(4)?;
        // The kernel takes a free number.
        info.id = u32::MAX;
        let mut control = Self { file, ring, device: info.id };
        // SAFETY: the kernel reads and writes `info`, which lives longer than the command.
        unsafe { control.run(command::ADD, buffer(&mut info), 0)? };
        control.device = info.id;
        Ok((control, info))
    }

    /// Its number.
    pub fn device(&self) -> u32 {
        self.device
    }

    /// Gives the device its size and limits.
    pub fn set(&mut self, parameters: &mut Parameters) -> io::Result<()> {
        // SAFETY: the kernel reads the parameters, which live longer than the command.
        unsafe { self.run(command::SET_PARAMETERS, buffer(parameters), 0) }
    }

    /// Shows the block device. All queues must be served already, as the kernel looks for partitions.
    pub fn start(&mut self) -> io::Result<()> {
        // SAFETY: there is no buffer.
        unsafe { self.run(command::START, (0, 0), std::process::id().into()) }
    }

    /// Takes the block device away; queues get no more requests.
    pub fn stop(&mut self) -> io::Result<()> {
        // SAFETY: there is no buffer.
        unsafe { self.run(command::STOP, (0, 0), 0) }
    }

    /// Frees the device, once nobody has it open. Before Linux 6.9 it waits for that.
    pub fn delete(&mut self) -> io::Result<()> {
        // SAFETY: there is no buffer.
        unsafe {
            self.run(command::DELETE_LATER, (0, 0), 0).or_else(|_| self.run(command::DELETE, (0, 0), 0))
        }
    }

    /// # Safety
    ///
    /// The buffer must be what the command reads and writes.
    unsafe fn run(&mut self, number: u32, buffer: (u64, u16), data: u64) -> io::Result<()> {
        let bytes = command::bytes(self.device, buffer, data);
        let entry = opcode::UringCmd80::new(types::Fd(self.file.as_raw_fd()), number).cmd(bytes).build();
        // SAFETY: the file is open as long as this, and the buffer is as the caller says.
        unsafe { self.ring.submission().push(&entry) }.expect("nothing else is in the ring");
        loop {
            if let Some(done) = self.ring.completion().next() {
                let result = done.result();
                return if result < 0 { Err(io::Error::from_raw_os_error(-result)) } else { Ok(()) };
            }
            match self.ring.submit_and_wait(1) {
                Err(error) if error.kind() != io::ErrorKind::Interrupted => return Err(error),
                _ => {}
            }
        }
    }
}

fn buffer<T>(of: &mut T) -> (u64, u16) {
    (std::ptr::from_mut(of) as u64, size_of::<T>() as u16)
}
