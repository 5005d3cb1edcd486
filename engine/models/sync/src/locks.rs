//! `parking_lot`'s locks, made of a model checker's.

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::time::Duration;

use crate::checker::{sync as checked, thread};

/// As `parking_lot::Mutex`.
#[derive(Default)]
pub struct Mutex<T>(checked::Mutex<T>);

/// As `parking_lot::MutexGuard`. Empty only while it waits.
pub struct MutexGuard<'a, T> {
    mutex: &'a Mutex<T>,
    locked: Option<checked::MutexGuard<'a, T>>,
}

/// As `parking_lot::Condvar`.
#[derive(Debug, Default)]
pub struct Condvar(checked::Condvar);

impl<T> Mutex<T> {
    pub fn new(value: T) -> Self {
        Self(checked::Mutex::new(value))
    }

    pub fn lock(&self) -> MutexGuard<'_, T> {
        MutexGuard { mutex: self, locked: Some(self.lock_checked()) }
    }

    pub fn try_lock(&self) -> Option<MutexGuard<'_, T>> {
        self.0.try_lock().ok().map(|locked| MutexGuard { mutex: self, locked: Some(locked) })
    }

    fn lock_checked(&self) -> checked::MutexGuard<'_, T> {
        self.0.lock().expect("a thread that panics ends the model")
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
