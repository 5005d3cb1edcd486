//! How a [misfit](crate::misfits) is marked: by a bit of the handle. Its own class stands in the last byte of its slot,
//! which it leaves free: slots of different classes differ by 8 bytes or more.

use crate::classes::Class;
use crate::handle::Handle;
use crate::pool::Pool;

impl Pool {
    /// The handle of a new object of the class `own`, marked if its slot is of a larger one.
    pub(crate) fn note_misfit(&self, handle: Handle, own: Class) -> Handle {
        let class = self.chunk(handle.chunk()).class();
        if class == own {
            return handle;
        }
        let (at, len) = self.locate(&handle);
        // SAFETY: the last byte of a slot that only this thread knows; the object ends before it.
        unsafe { at.add(len - 1).write(own.0) };
        self.misfits.add(own, class, len);
        handle.of_misfit()
    }

    /// The class of the smallest slots that would hold the object.
    pub(crate) fn own_class(&self, handle: &Handle) -> Class {
        if !Handle::is_misfit(handle.bits()) {
            return self.chunk(handle.chunk()).class();
        }
        let (at, len) = self.locate(handle);
        // SAFETY: the slot is its owner's, who lends it to us; `note_misfit` wrote this byte of it.
        Class(unsafe { at.add(len - 1).read() })
    }

    /// The object is about to leave its slot.
    pub(crate) fn forget_misfit(&self, handle: &Handle) {
        let (own, class) = (self.own_class(handle), self.chunk(handle.chunk()).class());
        if own != class {
            self.misfits.remove(own, class, self.classes.slot_len(class));
        }
    }
}
