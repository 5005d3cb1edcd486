// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Writes to a device that may be full.
//!
//! All writes go on beside each other, until there is no room for one of them. That one waits until it is alone, makes
//! room and tries again. So nobody takes the room that it makes, and if it finds none, there is none: what others made
//! meanwhile shows in its last try.

use crate::device::Device;
use crate::error::Error;

impl Device {
    /// Carries out a write of one unit. [`Error::NoSpace`] if there is no room, and none can be made. The caller must
    /// hold no slot.
    pub(crate) fn until_there_is_room(&self, write: impl FnMut() -> Result<(), Error>) -> Result<(), Error> {
        self.write_or_make_room(write).inspect_err(|_| self.core.counters.failed_writes.add(1))
    }

    fn write_or_make_room(&self, mut write: impl FnMut() -> Result<(), Error>) -> Result<(), Error> {
        let beside_others = {
            let _others = self.room.read();
            write()
        };
        if beside_others != Err(Error::NoSpace) {
            return beside_others;
        }
        let _alone = self.room.write();
        loop {
            let result = write();
            if result != Err(Error::NoSpace) {
                return result;
            }
            if !self.upkeep.make_room() {
                return write();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Config, WriteBack};

    /// A write once got ENOSPC about once in 20,000 on a device that was not full. Another thread had just moved
    /// everything to the SSD. So there was nothing left to be moved, and the write was not tried again.
    #[test]
    fn room_that_others_have_made_is_room() {
        let dir = tempfile::tempdir().expect("a folder");
        let device = Device::new(Config::small(dir.path())).expect("a device");
        let mut with = device.workspace();
        device.write(0, &[7; 1000], &mut with).expect("there is room");
        for refusals in [1, 2] {
            let mut tries = 0;
            let written = device.until_there_is_room(|| {
                tries += 1;
                // Until now the pool was full, and now nothing is left in it.
                device.write_back(&WriteBack::default()).expect("the SSD has room");
                if tries > refusals { Ok(()) } else { Err(Error::NoSpace) }
            });
            assert_eq!((written, tries), (Ok(()), refusals + 1));
        }
        let refused = device.until_there_is_room(|| Err(Error::NoSpace));
        assert_eq!(refused, Err(Error::NoSpace), "there is an end to it");
        assert_eq!(device.stats().io_stat.failed_writes, 1);
    }
}
