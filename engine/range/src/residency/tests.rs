//! Residency and policy on a simulated clock: a program's accesses one after the other, and an evictor
//! that takes no time. Nothing is mapped.

use ztera_codec::Settings;
use ztera_store::{Config, Store, UnitIndex, UnitSize};

use super::*;
use ztera_policy::eviction::{Candidate, Verdict, judge};

const UNIT: u64 = 4096;
const LIMIT: u64 = 64;
const UNITS: u32 = 5000;

struct Simulation {
    store: Store,
    residency: Residency,
    /// Whether evictions are stamped with the clock.
    clock: bool,
}

impl Simulation {
    fn new(clock: bool) -> Self {
        let store = Store::new(Config {
            unit: UnitSize::new(UNIT as usize).expect("a unit size"),
            units: UNITS,
            pool_limit: None,
            staging_limit: 1 << 20,
            staging_strict: false,
            codec: Settings::default(),
            dense: None,
            threads: 1,
            ssd: None,
        });
        Self {
            store: store.expect("address space for a small store"),
            residency: Residency::new(LIMIT * UNIT, UNIT, UNITS.into()),
            clock,
        }
    }

    /// The program touches a unit. Returns whether that is a fault.
    fn touch(&self, unit: u32) -> bool {
        let unit = UnitIndex(unit);
        let mut slot = self.store.table().lock(unit);
        if slot.is_resident() {
            return false;
        }
        self.residency.add(unit, &mut slot);
        drop(slot);
        while self.residency.excess() > 0 {
            self.look_at_next();
        }
        assert!(self.residency.queued() as u64 <= LIMIT + 1, "each unit is in the queue once");
        true
    }

    fn look_at_next(&self) {
        let unit = self.residency.dequeue(false).expect("what is resident is in the queue");
        let mut slot = self.store.table().lock(unit);
        let (resident, referenced) = (slot.is_resident(), slot.is_referenced());
        match judge(Candidate {
            resident,
            pinned: false,
            referenced,
            dirty: false,
            warm: false,
            pool_full: false,
        }) {
            Verdict::Drop => {
                slot.set_queued(false);
                self.residency.remove(&mut slot);
                if self.clock {
                    self.residency.stamp(&mut slot);
                }
            }
            Verdict::SecondChance => {
                slot.set_referenced(false);
                self.residency.enqueue(unit);
            }
            other => panic!("{other:?} of a clean unit"),
        }
    }

    /// Faults of the first 8 units, touched in turn with thousands of others, in each of `windows`.
    fn hot_faults(&self, windows: usize) -> Vec<u32> {
        let mut others = (8..UNITS).cycle();
        let mut window = || {
            let mut faults = 0;
            for _ in 0..500 {
                let faults_of_others = others.by_ref().take(16).filter(|&unit| self.touch(unit)).count();
                assert_eq!(faults_of_others, 16, "they come back too late for anybody to know them");
                faults += (0..8).filter(|&unit| self.touch(unit)).count() as u32;
            }
            faults
        };
        (0..windows).map(|_| window()).collect()
    }
}

/// Also when the clock wraps, which it does some twenty times here.
#[test]
fn what_comes_back_soon_stays_longer() {
    let (with, without) = (Simulation::new(true).hot_faults(40), Simulation::new(false).hot_faults(40));
    for (window, (with, without)) in with.iter().zip(&without).enumerate() {
        assert!(with * 10 < without * 7, "window {window}: {with} faults, without the clock {without}");
    }
}

/// Unit 0 has left, and came back at once.
fn with_a_hot_unit() -> Simulation {
    let simulation = Simulation::new(true);
    (0..LIMIT as u32 + 2).for_each(|unit| assert!(simulation.touch(unit)));
    assert!(simulation.touch(0));
    simulation
}

#[test]
fn a_hot_unit_leaves_last() {
    let simulation = with_a_hot_unit();
    let leaving = std::iter::from_fn(|| simulation.residency.dequeue(false)).map(|unit| unit.0);
    let expected = (3..LIMIT as u32 + 2).chain([0]);
    assert_eq!(leaving.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
}

/// Units before it may be dirty, and the pool full: then only those can leave that have a copy.
#[test]
fn a_hot_unit_leaves_where_others_cannot() {
    let Simulation { residency, .. } = &with_a_hot_unit();
    assert_eq!(residency.dequeue(true), Some(UnitIndex(3)), "others had no chance yet");
    residency.pool_refused(residency.frees());
    assert_eq!(residency.dequeue(true), Some(UnitIndex(0)));
}

#[test]
fn a_hot_unit_shows_now_and_then_that_it_still_is() {
    let simulation = Simulation::new(true);
    let mut others = (1..UNITS).cycle();
    let mut faults = 0;
    for _ in 0..20 * LIMIT {
        simulation.touch(others.next().expect("it never ends"));
        faults += u32::from(simulation.touch(0));
    }
    // It comes, shows that it is hot, stays for 32 rounds, and is a candidate like any other then.
    assert_eq!(faults, 2);
    for _ in 0..20 * LIMIT {
        simulation.touch(others.next().expect("it never ends"));
        faults += u32::from(simulation.touch(0));
    }
    assert_eq!(faults, 3);
}
