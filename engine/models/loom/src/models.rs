//! The models that are tried. Each model says which mistakes it is there to catch; `make mutations-engine` plants them.

use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::sync::atomic::AtomicU64;
use loom::sync::atomic::Ordering::Relaxed;
use loom::thread;

use crate::doorbell::Doorbell;
use crate::fullness::Fullness;
use crate::queue::Queue;
use crate::recent::{Key, Recent, Which};
use crate::slot::{Backing, Slot};
use crate::word::Word;
use ztera_policy::units::{ByteOffset, UnitIndex, Units};

/// Every interleaving with at most two switches to a thread that could have waited; mistakes that need
/// more are rare, and each further one takes ten times as long (`LOOM_MAX_PREEMPTIONS=n`).
fn check(model: impl Fn() + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = builder.preemption_bound.or(Some(2));
    builder.check(model);
}

const UNIT: UnitIndex = UnitIndex(0);

/// The data that a slot's lock guards besides the slot.
struct Unit {
    slot: Word,
    contents: UnsafeCell<u32>,
}

impl Unit {
    fn change(&self, slot: &mut Slot<'_>) {
        // SAFETY: the slot is locked. Loom fails the model if that is not enough.
        self.contents.with_mut(|contents| unsafe { *contents += 1 });
        let n = match slot.backing() {
            Backing::Same(n) => n,
            _ => 0,
        };
        slot.set_backing(Backing::Same(n + 1));
    }
}

/// Three threads change a unit, one of them only if it need not wait; nobody is left waiting, nothing
/// is lost, and what one wrote the next one sees.
///
/// Caught: unlocking that does not unpark; parking without the second look; unlocking or locking with
/// relaxed order.
pub fn slot_lock() {
    check(|| {
        let unit = Arc::new(Unit { slot: Word::new(0), contents: UnsafeCell::new(0) });
        let other = |unit: Arc<Unit>| thread::spawn(move || unit.change(&mut Slot::lock(&unit.slot, UNIT)));
        let others = [other(unit.clone()), other(unit.clone())];
        let tried = Slot::try_lock(&unit.slot, UNIT).map(|mut slot| unit.change(&mut slot)).is_some();
        others.into_iter().for_each(|other| other.join().unwrap());
        let slot = Slot::try_lock(&unit.slot, UNIT).expect("everybody is gone");
        let changes = 2 + u32::from(tried);
        assert_eq!(slot.backing(), Backing::Same(changes));
        // SAFETY: the slot is locked.
        let contents = unit.contents.with(|contents| unsafe { *contents });
        assert_eq!(contents, changes);
    });
}

/// Two threads leave work and ring; the worker does all of it before it sleeps for good.
///
/// Caught: taking the mark off the bell by a store instead of a swap (only with loads that return old
/// values, as on ARM); taking it off before the wait instead of after it.
pub fn doorbell() {
    check(|| {
        let shared = Arc::new((Doorbell::default(), AtomicU64::new(0)));
        let ringer = |shared: Arc<(Doorbell, AtomicU64)>| {
            thread::spawn(move || {
                shared.1.fetch_add(1, Relaxed);
                shared.0.ring();
            })
        };
        let ringers = [ringer(shared.clone()), ringer(shared.clone())];
        while shared.1.load(Relaxed) < 2 {
            assert!(shared.0.wait(), "nobody stopped it");
        }
        ringers.into_iter().for_each(|ringer| ringer.join().unwrap());
        shared.0.stop();
        assert!(!shared.0.wait());
    });
}

/// One thread asks for room and is refused, another one makes room: in the end nobody believes that
/// the pool is full, or somebody was told to try again.
///
/// Caught: a refusal that is noted whatever was freed meanwhile; a free that looks first and counts
/// then.
pub fn fullness() {
    check(|| {
        let shared = Arc::new((Fullness::default(), AtomicU64::new(0)));
        let asker = {
            let shared = shared.clone();
            thread::spawn(move || {
                let (fullness, room) = &*shared;
                let before = fullness.frees();
                let refused = room.load(Relaxed) == 0;
                if refused {
                    fullness.refused(before);
                }
            })
        };
        let (fullness, room) = &*shared;
        room.store(1, Relaxed);
        let told = fullness.freed();
        asker.join().unwrap();
        assert!(!fullness.is_full(), "full though there is room; told: {told}");
    });
}

/// One thread puts entries into two parts of a queue while two others take some: each entry is taken once.
///
/// Caught: an entry that is looked at and taken under two locks.
pub fn queue() {
    check(|| {
        let queue = Arc::new(Queue::of_parts(2));
        let take = |queue: &Queue<u32>| [queue.take(), queue.take()];
        let taker = {
            let queue = queue.clone();
            thread::spawn(move || take(&queue))
        };
        let putter = {
            let queue = queue.clone();
            thread::spawn(move || [1, 2, 3].into_iter().for_each(|entry| queue.put(entry as usize, entry)))
        };
        let mut taken = take(&queue).to_vec();
        putter.join().unwrap();
        taken.extend(taker.join().unwrap());
        taken.extend(std::iter::from_fn(|| queue.take().map(Some)));
        let mut taken: Vec<_> = taken.into_iter().flatten().collect();
        taken.sort_unstable();
        assert_eq!(taken, [1, 2, 3]);
        assert_eq!(queue.len(), 0);
    });
}

/// Two threads use a pin, each of which makes one if there is none, while a third one gives up what is idle. A pin that is
/// used is not given up, and none is forgotten.
///
/// Caught: a use that counts though the pin was just given up; a pin given up though it was just used.
pub fn recent_pins() {
    const UNITS: Units = Units { first: UnitIndex(3), end: UnitIndex(5) };
    check(|| {
        let key = || Key::of(ByteOffset(64)).expect("a pin may begin there");
        // How often the units are pinned.
        let shared = Arc::new((Recent::of_entries(2), AtomicU64::new(0)));
        let user = |shared: Arc<(Recent, AtomicU64)>| {
            thread::spawn(move || {
                let (recent, pins) = &*shared;
                if let Some(units) = recent.enter(key()) {
                    assert_eq!(units, UNITS);
                } else {
                    pins.fetch_add(1, Relaxed);
                    assert!(recent.insert(key(), UNITS), "there are entries enough");
                }
                assert!(pins.load(Relaxed) > 0, "it is pinned while it is used");
                assert!(recent.leave(key()));
            })
        };
        let users = [user(shared.clone()), user(shared.clone())];
        let (recent, pins) = &*shared;
        let give_up = |which| {
            while let Some(units) = recent.take(which) {
                assert_eq!(units, UNITS);
                pins.fetch_sub(1, Relaxed);
            }
        };
        give_up(Which::Idle);
        users.into_iter().for_each(|user| user.join().unwrap());
        give_up(Which::Idle);
        assert_eq!(pins.load(Relaxed), 0);
    });
}
