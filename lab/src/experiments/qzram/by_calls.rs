// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Devices by calls: ours in this process, and zram past the page cache.

use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use bytes::Bytes;
use ztera_disk::{Extent, Request, Service};

use super::arm::{Arm, Kind};
use super::point::{Density, Offloads, Outcome, Point, Side};
use crate::kit::data::Data;
use crate::kit::laps;
use crate::kit::zram::raw::Raw;

/// A device that holds the data.
pub struct Device {
    target: Target,
    data: Arc<Data>,
    /// The same, for requests of ours.
    requests: Bytes,
}

enum Target {
    Zram(Raw),
    Ours(Box<Service>),
}

impl Device {
    /// A new one that is written once, unit by unit: a model of an accelerator compresses then, and never again.
    pub fn create(arm: &Arm, data: &Arc<Data>) -> Result<Device> {
        let len = data.bytes().len();
        let (target, unit) = match arm.kind {
            Kind::Zram(codec) => (Target::Zram(Raw::create(len, codec)?), 4 << 10),
            Kind::Ours(ours) => {
                let device = ztera_disk::Device::new(ours.config(len as u64))?;
                (Target::Ours(Box::new(Service::start(device, ours.threads())?)), ours.unit as usize)
            }
        };
        let device = Device { target, data: data.clone(), requests: data.requests() };
        (0..len).step_by(unit).try_for_each(|offset| device.write(offset..offset + unit))?;
        device.check()?;
        Ok(device)
    }

    fn write(&self, at: Range<usize>) -> Result<()> {
        match &self.target {
            Target::Zram(zram) => zram.write(at.start, &self.data.bytes()[at]),
            Target::Ours(service) => {
                let request = Request::Write(at.start as u64, self.requests.slice(at));
                service.call(request).map(drop).context("cannot write to our device")
            }
        }
    }

    /// Reads into `room` or, of ours, into memory that the request brings.
    fn read(&self, at: Range<usize>, room: &mut [u8]) -> Result<Option<Vec<Vec<u8>>>> {
        match &self.target {
            Target::Zram(zram) => zram.read(at.start, room).map(|()| None),
            Target::Ours(service) => {
                let extent = Extent { offset: at.start as u64, len: at.len() as u64 };
                service.call(Request::Read(extent)).map(Some).context("cannot read our device")
            }
        }
    }

    /// Whether it holds what was written.
    fn check(&self) -> Result<()> {
        const AT_ONCE: usize = 1 << 20;
        let mut room = memmap2::MmapMut::map_anon(AT_ONCE)?;
        for (number, wanted) in self.data.bytes().chunks(AT_ONCE).enumerate() {
            let start = number * AT_ONCE;
            let own = self.read(start..start + wanted.len(), &mut room[..wanted.len()])?;
            let is_same = own.map_or_else(|| &room[..wanted.len()] == wanted, |own| own.concat() == wanted);
            ensure!(is_same, "the device does not hold what was written to it");
        }
        Ok(())
    }

    fn offloads(&self) -> Option<Offloads> {
        match &self.target {
            Target::Zram(_) => None,
            Target::Ours(service) => Offloads::of(&service.device().stats()),
        }
    }

    fn density(&self) -> Result<Density> {
        Ok(match &self.target {
            Target::Zram(zram) => {
                let usage = zram.usage()?;
                Density::of(usage.original, usage.compressed, usage.used)
            }
            Target::Ours(service) => Density::of_ours(&service.device().stats()),
        })
    }
}

/// Measures at a point: writing first, then reading.
pub fn measure(device: &Device, point: &Point, time: Duration) -> Result<Outcome> {
    let len = device.data.bytes().len();
    let before = device.offloads();
    let write = Side::of(&laps::measure(len, point.shape(), time, |at, _| device.write(at))?);
    let offloaded = device.offloads().zip(before).map(|(now, before)| now.share_since(before));
    let read = laps::measure(len, point.shape(), time, |at, room| device.read(at, room).map(drop))?;
    let read = Side::of(&read);
    Ok(Outcome { point: point.clone(), write, read, density: device.density()?, offloaded })
}

#[cfg(test)]
mod tests {
    use super::super::arm::ALL;
    use super::super::corpus::Corpus;
    use super::super::point::Way;
    use super::*;

    #[test]
    fn each_of_our_devices_holds_what_was_written() {
        let corpus = Corpus::invented();
        let data = Arc::new(Data::of_pages(corpus.pages(), 1 << 20).unwrap());
        for arm in ALL.iter().filter(|arm| matches!(arm.kind, Kind::Ours(_))) {
            let device = Device::create(arm, &data).unwrap();
            let point = Point { block: 64 << 10, jobs: 2, ..Point::of(arm.name, Way::Calls) };
            let outcome = measure(&device, &point, Duration::from_millis(5)).unwrap();
            device.check().unwrap();
            assert!(outcome.density.objects > 1.0, "{outcome:?}");
        }
    }
}
