// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The device as a block device of the kernel, `/dev/ublkbN`, by its driver ublk. Takes root, and Linux 6.5.
//!
//! * [`abi`] has the kernel's numbers and records.
//! * [`control`] makes the device and takes it away.
//! * [`queue`] answers requests: a thread for each queue, of which there is one per CPU.
//!
//! Commands go through io_uring, as the driver has no other way. Data are copied by plain reads and writes of the
//! character device `/dev/ublkcN`, straight to and from the buffers that the service uses.

mod abi;
mod control;
mod queue;

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rustix::fs::{Mode, OFlags};

use self::abi::{BASIC_AND_DISCARD, DeviceInfo, Parameters, USER_COPY};
use self::control::Control;
use self::queue::Queue;
use crate::device::Device;
use crate::service::Service;

/// Requests of a queue at once.
const DEPTH: u16 = 64;

/// Bytes of a request at most.
const MOST_BYTES: u32 = 1 << 20;

/// A block device of the kernel. Dropping it takes it away: whoever still uses it then gets errors.
pub struct Disk {
    control: Control,
    queues: Vec<JoinHandle<()>>,
    /// While it is open, nobody else can get the device's number.
    file: Option<Arc<File>>,
    has_ended: bool,
}

impl Disk {
    /// Shows the device of `service` to the kernel.
    pub fn new(service: &Arc<Service>) -> io::Result<Self> {
        let queues = thread::available_parallelism().map_or(1, usize::from) as u16;
        let wanted = DeviceInfo {
            queues,
            depth: DEPTH,
            most_bytes: MOST_BYTES,
            flags: USER_COPY,
            ..DeviceInfo::default()
        };
        let (control, info) = Control::add(wanted)?;
        // From here on it is taken away if anything fails.
        let mut disk = Self { control, queues: Vec::new(), file: None, has_ended: false };
        if info.flags & USER_COPY == 0 {
            return Err(io::Error::new(
                io::ErrorKind::Unsupported,
                "ublk of this kernel is older than Linux 6.5",
            ));
        }
        disk.control.set(&mut parameters(service.device()))?;
        disk.serve(&info, service)?;
        disk.control.start()?;
        Ok(disk)
    }

    fn serve(&mut self, info: &DeviceInfo, service: &Arc<Service>) -> io::Result<()> {
        let file = self.file.insert(Arc::new(open_when_there(&self.character_device())?)).clone();
        let (ready, begun) = channel();
        for number in 0..info.queues {
            let queue = Queue::new(number, info.depth, file.clone(), service.clone())?;
            let ready = ready.clone();
            let serve = move || queue.serve(ready);
            self.queues.push(ztera_sync::thread::spawn(&format!("zt-ublk-{number}"), serve)?);
        }
        drop(ready);
        begun.iter().collect()
    }

    /// Its name.
    pub fn path(&self) -> PathBuf {
        format!("/dev/ublkb{}", self.control.device()).into()
    }

    fn character_device(&self) -> PathBuf {
        format!("/dev/ublkc{}", self.control.device()).into()
    }

    /// Whether somebody has taken it away.
    pub fn is_gone(&self) -> bool {
        self.queues.iter().all(JoinHandle::is_finished)
    }

    /// Takes it away. [`ResourceBusy`](io::ErrorKind::ResourceBusy) while it is mounted, or serves as swap: then it
    /// still is there. A program that merely has it open gets errors.
    pub fn take_away(&mut self) -> io::Result<()> {
        let alone = rustix::fs::open(self.path(), OFlags::RDONLY | OFlags::EXCL, Mode::empty());
        if alone.is_err_and(|error| error == rustix::io::Errno::BUSY) {
            return Err(io::ErrorKind::ResourceBusy.into());
        }
        self.end();
        Ok(())
    }

    /// Once only: afterwards its number may be another device's.
    fn end(&mut self) {
        if std::mem::replace(&mut self.has_ended, true) {
            return;
        }
        // Fails where it was stopped, or deleted, by somebody else; which is as good.
        let _ = self.control.stop();
        for queue in self.queues.drain(..) {
            // A thread that panics ends the process, so there is no error to be found here.
            let _ = queue.join();
        }
        self.file = None;
        let _ = self.control.delete();
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        self.end();
    }
}

fn parameters(device: &Device) -> Parameters {
    let unit = device.unit().bytes() as u32;
    Parameters {
        len: size_of::<Parameters>() as u32,
        types: BASIC_AND_DISCARD,
        // No cache that could lose data: the kernel sends no flushes.
        attributes: 0,
        logical_block_shift: 9,
        physical_block_shift: 12,
        best_shift: unit.ilog2() as u8,
        least_shift: 12,
        most_sectors: MOST_BYTES >> 9,
        chunk_sectors: 0,
        sectors: device.size() >> 9,
        virtual_boundary: 0,
        discard_alignment: 0,
        discard_granularity: unit,
        most_discard_sectors: u32::MAX >> 9,
        most_zeroes_sectors: u32::MAX >> 9,
        most_discard_segments: 1,
        reserved: 0,
    }
}

/// Opens a device whose node may be made by another process.
fn open_when_there(path: &Path) -> io::Result<File> {
    let start = Instant::now();
    loop {
        match File::options().read(true).write(true).open(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound && start.elapsed() < PATIENCE => {
                thread::sleep(Duration::from_millis(10));
            }
            result => return result,
        }
    }
}

/// For a node in /dev.
const PATIENCE: Duration = Duration::from_secs(5);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Config;

    #[test]
    fn the_kernel_is_told_size_and_unit() {
        let small = Config::small("".as_ref());
        let device = Device::new(Config { size: 3 * 512, memory_limit: None, ssd: None, ..small });
        let told = parameters(&device.expect("a device"));
        assert_eq!((told.len, told.sectors), (64, 3));
        assert_eq!((told.best_shift, told.discard_granularity), (14, 16 << 10));
    }
}
