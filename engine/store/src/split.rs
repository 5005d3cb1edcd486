//! Objects made anew page by page, so that a reader of one page decodes no others.

use ztera_codec::frame::{self, Form, Frame};
use ztera_codec::{CodecKind, Packed, Settings};
use ztera_pool::Handle;

use crate::form::Use;
use crate::scratch::Scratch;
use crate::slot::{Backing, ObjectBits, Slot};
use crate::store::Store;
use ztera_policy::copies::is_worth_keeping;
use ztera_policy::units::UnitIndex;

/// The outcome of [`split`](Store::split).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Splitting {
    /// The unit's object is split now.
    Done,
    /// It stays as it is: it can or need not be split, or somebody has touched the unit meanwhile.
    Nothing,
    /// Somebody else moves units: try again later.
    Busy,
}

impl Store {
    /// The codec whose objects are worth it: lz4 decodes a unit so fast that its pages alone would take more than they give.
    pub(crate) fn split_codec(&self) -> Option<Settings> {
        let codecs = self.config().dense.into_iter().chain([self.config().codec]);
        codecs.filter(|_| self.unit().pages() > 1).find(|codec| codec.kind != CodecKind::Lz4)
    }

    /// Whether the unit's object could be split: it is compressed as a whole, and takes long to decode.
    pub fn may_be_split(&self, slot: &Slot<'_>) -> bool {
        let (Backing::Packed(object), Some(codec)) = (slot.backing(), self.split_codec()) else {
            return false;
        };
        let may_be = |frame: Frame<'_>| frame.form == Form::Whole && frame.kind == codec.kind;
        self.with_object(object, |bytes| frame::parse(bytes).is_ok_and(may_be))
    }

    /// Working memory for [`split`](Self::split). `None`: there is nothing to be split.
    pub fn splitter(&self) -> Option<Scratch> {
        Some(Scratch::new(self.split_codec()?, self.unit()))
    }

    /// Encodes the pages of the unit one by one, by the codec that its object has, if that still saves enough. The unit may
    /// be resident. The slot is not locked while the codec works. One at a time, like [`recompress`](Self::recompress).
    /// `scratch` is one for this: [`splitter`](Self::splitter).
    pub fn split(&self, unit: UnitIndex, scratch: &mut Scratch) -> Splitting {
        let Some(_only) = self.mover.try_lock() else { return Splitting::Busy };
        if self.take_whole(unit, scratch).is_none() {
            return Splitting::Nothing;
        }
        let Scratch { packer, unit: bytes, .. } = scratch;
        let new = match self.pack_with(packer, bytes, Use::ByPage) {
            Packed::Frame(frame) if is_worth_keeping(frame.len() as u64, bytes.len() as u64) => {
                self.pool.store(frame, None)
            }
            _ => None,
        };
        if self.put_split(unit, new) { Splitting::Done } else { Splitting::Nothing }
    }

    /// Makes `new` the unit's object. False if there is none, or somebody has touched the unit since its slot was marked.
    fn put_split(&self, unit: UnitIndex, new: Option<Handle>) -> bool {
        let new = new.map(|handle| Backing::Packed(ObjectBits(handle.into_bits())));
        let mut slot = self.table().lock(unit);
        let is_untouched = slot.is_leaving();
        match new {
            Some(new) if is_untouched => self.replace(&mut slot, new),
            Some(new) => self.discard_unused(new),
            None if is_untouched => slot.set_leaving(false),
            None => {}
        }
        is_untouched && new.is_some()
    }

    /// Decodes the unit to the scratch memory and marks its slot: whatever happens to it meanwhile shows.
    fn take_whole(&self, unit: UnitIndex, scratch: &mut Scratch) -> Option<()> {
        let mut slot = self.table().try_lock(unit)?;
        let Backing::Packed(object) = slot.backing() else { return None };
        if slot.is_leaving() || !self.may_be_split(&slot) {
            return None;
        }
        let Scratch { packer, unit: room, .. } = scratch;
        // The thread that needs the unit reports a loss.
        self.with_frame(object, |frame| self.unpack(frame, packer, room)).ok()?;
        slot.set_leaving(true);
        Some(())
    }
}
