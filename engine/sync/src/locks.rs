//! `parking_lot`'s locks, each with its [rank](Rank).

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::time::{Duration, Instant};

use crate::rank::{Held, Rank};

/// As [`parking_lot::Mutex`].
#[derive(Debug)]
pub struct Mutex<T> {
    rank: Rank,
    lock: parking_lot::Mutex<T>,
}

/// As [`parking_lot::MutexGuard`].
pub struct MutexGuard<'a, T> {
    guard: parking_lot::MutexGuard<'a, T>,
    _held: Held,
}

/// As [`parking_lot::Condvar`].
#[derive(Debug, Default)]
pub struct Condvar(parking_lot::Condvar);

impl<T> Mutex<T> {
    /// A lock under which no other is waited for.
    pub const fn new(value: T) -> Self {
        Self::ranked(Rank::Leaf, value)
    }

    /// A lock of that rank.
    pub const fn ranked(rank: Rank, value: T) -> Self {
        Self { rank, lock: parking_lot::Mutex::new(value) }
    }

    /// Waits for the lock.
    #[inline]
    pub fn lock(&self) -> MutexGuard<'_, T> {
        let held = Held::wait(self.rank, 0);
        MutexGuard { guard: self.lock.lock(), _held: held }
    }

    /// Takes the lock if nobody has it.
    #[inline]
    pub fn try_lock(&self) -> Option<MutexGuard<'_, T>> {
        let guard = self.lock.try_lock()?;
        Some(MutexGuard { guard, _held: Held::got(self.rank, 0) })
    }
}

impl<T: Default> Default for Mutex<T> {
    fn default() -> Self {
        Self::new(T::default())
    }
}

impl<T> Deref for MutexGuard<'_, T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        &self.guard
    }
}

impl<T> DerefMut for MutexGuard<'_, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        &mut self.guard
    }
}

impl<T: fmt::Debug> fmt::Debug for MutexGuard<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.guard.fmt(f)
    }
}

impl Condvar {
    /// One that nobody waits at.
    pub const fn new() -> Self {
        Self(parking_lot::Condvar::new())
    }

    /// Waits, without the lock, until somebody notifies.
    pub fn wait<T>(&self, guard: &mut MutexGuard<'_, T>) {
        self.0.wait(&mut guard.guard);
    }

    /// The same, for so long at most.
    pub fn wait_for<T>(&self, guard: &mut MutexGuard<'_, T>, time: Duration) {
        self.0.wait_for(&mut guard.guard, time);
    }

    /// The same, until then at most.
    pub fn wait_until<T>(&self, guard: &mut MutexGuard<'_, T>, until: Instant) {
        self.0.wait_until(&mut guard.guard, until);
    }

    /// Waits as long as a condition holds.
    pub fn wait_while<T>(&self, guard: &mut MutexGuard<'_, T>, condition: impl FnMut(&mut T) -> bool) {
        self.0.wait_while(&mut guard.guard, condition);
    }

    /// The same, until then at most.
    pub fn wait_while_until<T>(
        &self,
        guard: &mut MutexGuard<'_, T>,
        condition: impl FnMut(&mut T) -> bool,
        until: Instant,
    ) {
        self.0.wait_while_until(&mut guard.guard, condition, until);
    }

    /// Lets one thread go on.
    pub fn notify_one(&self) {
        self.0.notify_one();
    }

    /// Lets all threads go on.
    pub fn notify_all(&self) {
        self.0.notify_all();
    }
}
