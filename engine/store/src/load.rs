//! Contents out, from wherever they are.

use std::fmt;
use std::time::Instant;

use ztera_codec::{DecodeError, Packer, fill};
use ztera_pool::Handle;
use ztera_ssd::{Place, ReadBuffer, ReadError, Tier};

use crate::reading::Reading;
use crate::scratch::Scratch;
use crate::slot::{Backing, ObjectBits, PlaceBits, Slot, StagedPage};
use crate::store::Store;
use ztera_policy::copies::is_worth_keeping;
use ztera_policy::pages::Pages;

/// The contents of a unit are lost.
#[derive(Debug)]
pub enum LoadError {
    /// The pool or the SSD holds something that no codec makes.
    Decode(DecodeError),
    /// The SSD did not give what was written to it.
    Ssd(ReadError),
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Decode(error) => error.fmt(f),
            Self::Ssd(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for LoadError {}

/// Where contents are that were asked for.
enum Loaded<'a> {
    At(&'a [u8]),
    InRoom,
}

impl Store {
    /// The contents of a unit that is not dirty, and that a thread needs. Valid while its `slot` stays locked, and until the
    /// next use of `scratch`, where they may have been unpacked to. Waits for the SSD if that is where they are.
    ///
    /// Panics if the backing is [`Backing::Dirty`]: those contents are only in mapped memory.
    #[inline]
    pub fn contents<'a>(
        &'a self,
        slot: &'a Slot<'_>,
        scratch: &'a mut Scratch,
    ) -> Result<&'a [u8], LoadError> {
        self.contents_by(slot, Reading::default(), scratch)
    }

    /// The same, read so.
    #[inline]
    pub fn contents_by<'a>(
        &'a self,
        slot: &'a Slot<'_>,
        reading: Reading,
        scratch: &'a mut Scratch,
    ) -> Result<&'a [u8], LoadError> {
        let Scratch { packer, unit: room, record, .. } = scratch;
        let loaded = self.load(slot, &reading, record, packer, room)?;
        if self.patches.has_none(slot.unit()) {
            return Ok(match loaded {
                Loaded::At(bytes) => bytes,
                Loaded::InRoom => room,
            });
        }
        if let Loaded::At(bytes) = loaded {
            room.copy_from_slice(bytes);
        }
        self.patches.apply(slot.unit(), room);
        Ok(room)
    }

    /// The same, written to `target`.
    pub fn contents_to(
        &self,
        slot: &Slot<'_>,
        reading: Reading,
        scratch: &mut Scratch,
        target: &mut [u8],
    ) -> Result<(), LoadError> {
        let Scratch { packer, record, .. } = scratch;
        if let Loaded::At(bytes) = self.load(slot, &reading, record, packer, target)? {
            target.copy_from_slice(bytes);
        }
        self.patches.apply(slot.unit(), target);
        Ok(())
    }

    /// The contents of a unit: where they are, or in `room`.
    fn load<'a>(
        &'a self,
        slot: &'a Slot<'_>,
        reading: &Reading,
        record: &'a mut Option<ReadBuffer>,
        packer: &mut Packer,
        room: &mut [u8],
    ) -> Result<Loaded<'a>, LoadError> {
        self.counters.units_loaded.add(1);
        match slot.backing() {
            Backing::Empty => Ok(Loaded::At(&self.zeros)),
            Backing::Dirty => panic!("a dirty unit has no contents outside its memory"),
            Backing::Staged(page) => Ok(Loaded::At(self.staged(slot, page))),
            Backing::Same(word) => {
                fill::expand(word, room);
                Ok(Loaded::InRoom)
            }
            Backing::Packed(object) => {
                self.with_object(object, |bytes| self.unpack_pages(bytes, reading.pages, packer, room))?;
                Ok(Loaded::InRoom)
            }
            Backing::Raw(object) => Ok(Loaded::At(self.raw(slot, object))),
            Backing::OnSsd(PlaceBits(place)) => {
                let tier = self.tier().expect("without the tier nothing is on it");
                let (unit_len, Reading { pages, reach, patience }) = (self.unit().bytes(), *reading);
                let record = record.get_or_insert_with(|| Tier::read_buffer(unit_len));
                let bytes = tier
                    .read(Place::from_bits(place), slot.unit().0, record, reach, patience)
                    .map_err(LoadError::Ssd)?;
                // A compressed object is always shorter.
                if bytes.len() == unit_len {
                    return Ok(Loaded::At(bytes));
                }
                self.unpack_pages(bytes, pages, packer, room)?;
                Ok(Loaded::InRoom)
            }
        }
    }

    /// Has the pool keep the record of a unit on SSD, whose [contents](Self::contents) were read with `scratch` last. False if
    /// it has no room, or the record saves too little there.
    pub fn promote(&self, slot: &mut Slot<'_>, scratch: &mut Scratch) -> bool {
        let is_worth = |frame: &&[u8]| is_worth_keeping(frame.len() as u64, self.unit().bytes() as u64);
        let Some(frame) = self.last_record(slot, scratch).filter(is_worth) else { return false };
        let Some(handle) = self.pool.store(frame, None) else { return false };
        self.replace(slot, Backing::Packed(ObjectBits(handle.into_bits())));
        true
    }

    /// Bytes of the record of a unit on SSD, whose [contents](Self::contents) were read with `scratch` last. `None`: elsewhere,
    /// or nobody knows.
    pub fn last_record_len(&self, slot: &Slot<'_>, scratch: &mut Scratch) -> Option<u64> {
        self.last_record(slot, scratch).map(|frame| frame.len() as u64)
    }

    fn last_record<'s>(&self, slot: &Slot<'_>, scratch: &'s mut Scratch) -> Option<&'s [u8]> {
        let Backing::OnSsd(PlaceBits(place)) = slot.backing() else { return None };
        self.tier()?.read_last(Place::from_bits(place), slot.unit().0, scratch.record.as_mut()?)
    }

    pub(crate) fn unpack(
        &self,
        object: &[u8],
        packer: &mut Packer,
        unit: &mut [u8],
    ) -> Result<(), LoadError> {
        self.unpack_pages(object, Pages::ALL, packer, unit)
    }

    fn unpack_pages(
        &self,
        object: &[u8],
        pages: Pages,
        packer: &mut Packer,
        unit: &mut [u8],
    ) -> Result<(), LoadError> {
        if ztera_fail::at("codec.unpack").is_some() {
            return Err(LoadError::Decode(DecodeError::Malformed));
        }
        let start = Instant::now();
        let is_wanted = |page: usize| pages.has(Pages::one(page as u32));
        packer.unpack_pages(object, unit, is_wanted).map_err(LoadError::Decode)?;
        self.counters.decompress_ns.add(start.elapsed().as_nanos() as u64);
        Ok(())
    }

    fn raw<'a>(&'a self, _locked: &'a Slot<'_>, object: ObjectBits) -> &'a [u8] {
        // SAFETY: as in `with_object`; the object lives as long as its slot stays locked.
        let handle = unsafe { Handle::from_bits(object.0) };
        let bytes = std::ptr::from_ref(&self.pool.read(&handle)[..self.unit().bytes()]);
        // SAFETY: only the handle is local; the bytes are the pool's.
        unsafe { &*bytes }
    }

    fn staged<'a>(&'a self, _locked: &'a Slot<'_>, page: StagedPage) -> &'a [u8] {
        let at = std::ptr::with_exposed_provenance::<u8>(page.address());
        // SAFETY: a staging buffer is not reused or unmapped before each of its units has got another
        // backing, for which the slot's lock is needed, and nobody writes to it after submission.
        unsafe { std::slice::from_raw_parts(at, self.unit().bytes()) }
    }
}
