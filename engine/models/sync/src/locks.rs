//! `parking_lot`'s locks, made of a model checker's.

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::time::Duration;

use crate::checker::{sync as checked, thread};
use crate::rank::{Held, Rank};

/// As `parking_lot::Mutex`.
pub struct Mutex<T> {
    rank: Rank,
    lock: checked::Mutex<T>,
}

/// As `parking_lot::MutexGuard`. Empty only while it waits.
pub struct MutexGuard<'a, T> {
    mutex: &'a Mutex<T>,
    locked: Option<checked::MutexGuard<'a, T>>,
    _held: Held,
}

/// As `parking_lot::Condvar`.
#[derive(Debug, Default)]
pub struct Condvar(checked::Condvar);

impl<T> Mutex<T> {
    pub fn new(value: T) -> Self {
        Self::ranked(Rank::Leaf, value)
    }

    pub fn ranked(rank: Rank, value: T) -> Self {
        Self { rank, lock: checked::Mutex::new(value) }
    }

    pub fn lock(&self) -> MutexGuard<'_, T> {
        let held = Held::wait(self.rank, 0);
        MutexGuard { mutex: self, locked: Some(self.lock_checked()), _held: held }
    }

    pub fn try_lock(&self) -> Option<MutexGuard<'_, T>> {
        let locked = self.lock.try_lock().ok()?;
        Some(MutexGuard { mutex: self, locked: Some(locked), _held: Held::got(self.rank, 0) })
    }

    fn lock_checked(&self) -> checked::MutexGuard<'_, T> {
        self.lock.lock().expect("a thread that panics ends the model")
    }
}

impl<T: Default> Default for Mutex<T> {
    fn default() -> Self {
        Self::new(T::default())
    }
}

impl<T> fmt::Debug for Mutex<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Mutex")
    }
}

impl<T> Deref for MutexGuard<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.locked.as_ref().expect("locked")
    }
}

impl<T> DerefMut for MutexGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        self.locked.as_mut().expect("locked")
    }
}

impl Condvar {
    pub fn new() -> Self {
        Self(checked::Condvar::new())
    }

    pub fn wait<T>(&self, guard: &mut MutexGuard<'_, T>) {
        let locked = guard.locked.take().expect("locked");
        guard.locked = Some(self.0.wait(locked).expect("a thread that panics ends the model"));
    }

    /// Any time is over once others had their chance.
    pub fn wait_for<T>(&self, guard: &mut MutexGuard<'_, T>, _: Duration) {
        drop(guard.locked.take());
        thread::yield_now();
        guard.locked = Some(guard.mutex.lock_checked());
    }

    pub fn notify_one(&self) {
        self.0.notify_one();
    }

    pub fn notify_all(&self) {
        self.0.notify_all();
    }
}
