// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! One queue of a ublk device: requests of some CPUs, carried out one after the other by a thread of its own.

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::fs::FileExt;
use std::sync::Arc;
use std::sync::mpsc::Sender;

use io_uring::{IoUring, opcode, types};
use rustix::mm::{MapFlags, ProtFlags, mmap, munmap};

use super::abi::{Descriptor, data_offset, descriptors_offset, exchange, operation};
use crate::extent::Extent;
use crate::service::Service;
use crate::task::Request;

/// A queue that nobody serves yet.
pub(super) struct Queue {
    number: u16,
    depth: u16,
    // Before the file that they are of.
    ring: IoUring,
    descriptors: Descriptors,
    file: Arc<File>,
    service: Arc<Service>,
}

impl Queue {
    /// The queue of that number, of a device whose character device is `file`.
    pub fn new(number: u16, depth: u16, file: Arc<File>, service: Arc<Service>) -> io::Result<Self> {
        let descriptors = Descriptors::map(&file, number, depth)?;
        Ok(Self { number, depth, ring: IoUring::new(depth.into())?, descriptors, file, service })
    }

    /// Serves it until the device is stopped. Says on `ready` when it has begun; until all queues have, the device
    /// cannot be started. The kernel wants all of it from one thread.
    pub fn serve(mut self, ready: Sender<io::Result<()>>) {
        let begun = self.begin();
        let failed = begun.is_err();
        let _ = ready.send(begun);
        // The one that waits for all queues sees by that that there are no more.
        drop(ready);
        if failed {
            return;
        }
        if let Err(error) = self.go_on() {
            let number = self.number;
            ztera_log::say(format_args!("queue {number} of a ublk device is not served any more: {error}"));
        }
    }

    fn begin(&mut self) -> io::Result<()> {
        for tag in 0..self.depth {
            self.push(exchange::FETCH, tag, 0);
        }
        self.ring.submit()?;
        // An error comes at once, a request not before the device is started.
        match self.ring.completion().next() {
            Some(refused) => Err(io::Error::from_raw_os_error(-refused.result())),
            None => Ok(()),
        }
    }

    fn go_on(&mut self) -> io::Result<()> {
        let mut fetching = self.depth;
        while fetching > 0 {
            let done = self.ring.completion().next();
            match done.map(|done| (done.user_data() as u16, done.result())) {
                Some((tag, 0)) => {
                    let result = self.carry_out(tag);
                    self.push(exchange::REPLY_AND_FETCH, tag, result);
                    // Its sender waits, whatever else is to be done.
                    self.submit(0)?;
                }
                // The device is stopped.
                Some(_) => fetching -= 1,
                None => self.submit(1)?,
            }
        }
        Ok(())
    }

    fn submit(&self, wait_for: usize) -> io::Result<()> {
        match self.ring.submit_and_wait(wait_for) {
            Err(error) if error.raw_os_error().is_some_and(|errno| !PASSING.contains(&errno)) => Err(error),
            _ => Ok(()),
        }
    }

    fn push(&mut self, number: u32, tag: u16, result: i32) {
        let entry = opcode::UringCmd16::new(types::Fd(self.file.as_raw_fd()), number)
            .cmd(exchange::bytes(self.number, tag, result))
            .build()
            .user_data(tag.into());
        // SAFETY: the file is open as long as the ring, and the command has no buffer.
        unsafe { self.ring.submission().push(&entry) }.expect("the ring has room for each tag");
    }

    /// Bytes of the request, or an errno value, negative.
    fn carry_out(&self, tag: u16) -> i32 {
        let request = self.descriptors.get(tag);
        let Extent { offset, len } = request.extent();
        let extent = match self.service.device().extent(offset, len) {
            Ok(extent) => extent,
            Err(error) => return -error.errno(),
        };
        let done = match request.operation() {
            operation::READ => self.read(tag, extent),
            operation::WRITE => self.write(tag, extent),
            // A write that was replied to is stored.
            operation::FLUSH => Ok(()),
            operation::DISCARD => self.call(Request::Discard(extent)).map(drop),
            operation::WRITE_ZEROES => self.call(Request::WriteZeroes(extent)).map(drop),
            _ => Err(libc::EOPNOTSUPP),
        };
        match done {
            Ok(()) => i32::try_from(extent.len).unwrap_or(0),
            Err(errno) => -errno,
        }
    }

    fn read(&self, tag: u16, extent: Extent) -> Result<(), i32> {
        let mut at = data_offset(self.number, tag);
        for piece in self.call(Request::Read(extent))? {
            self.file.write_all_at(&piece, at).map_err(errno)?;
            at += piece.len() as u64;
        }
        Ok(())
    }

    fn write(&self, tag: u16, extent: Extent) -> Result<(), i32> {
        let mut bytes = vec![0; extent.len as usize];
        self.file.read_exact_at(&mut bytes, data_offset(self.number, tag)).map_err(errno)?;
        self.call(Request::Write(extent.offset, bytes.into())).map(drop)
    }

    fn call(&self, request: Request) -> Result<Vec<Vec<u8>>, i32> {
        self.service.call(request).map_err(|error| error.errno())
    }
}

/// The ring is asked once more after these.
const PASSING: [i32; 3] = [libc::EINTR, libc::EAGAIN, libc::EBUSY];

fn errno(error: io::Error) -> i32 {
    error.raw_os_error().unwrap_or(libc::EIO)
}

/// The kernel describes each request of a queue here, in memory that it shares.
struct Descriptors {
    start: *const Descriptor,
    depth: u16,
}

// SAFETY: the memory belongs to no thread, and is only read.
unsafe impl Send for Descriptors {}

impl Descriptors {
    fn map(file: &File, queue: u16, depth: u16) -> io::Result<Self> {
        // SAFETY: a new mapping, where the kernel likes it.
        let start = unsafe {
            mmap(
                std::ptr::null_mut(),
                Self::bytes(depth),
                ProtFlags::READ,
                MapFlags::SHARED | MapFlags::POPULATE,
                file,
                descriptors_offset(queue),
            )
        }?;
        Ok(Self { start: start.cast(), depth })
    }

    /// The kernel wants whole pages.
    fn bytes(depth: u16) -> usize {
        (usize::from(depth) * size_of::<Descriptor>()).next_multiple_of(rustix::param::page_size())
    }

    fn get(&self, tag: u16) -> Descriptor {
        assert!(tag < self.depth, "the kernel uses the tags that were fetched");
        // SAFETY: within the mapping. The kernel wrote it before it completed the fetch, and leaves it alone until the
        // reply.
        unsafe { self.start.add(tag.into()).read_volatile() }
    }
}

impl Drop for Descriptors {
    fn drop(&mut self) {
        // SAFETY: the mapping that was made, to which no reference is left.
        let _ = unsafe { munmap(self.start.cast_mut().cast(), Self::bytes(self.depth)) };
    }
}
