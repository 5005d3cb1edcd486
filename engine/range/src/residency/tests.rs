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
            pool_max: None,
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
        let heat = self.residency.take_heat(&mut slot, false);
        self.residency.add(&mut slot, heat);
        drop(slot);
        while self.residency.excess() > 0 {
            self.look_at_next();
        }
        assert!(self.residency.queued() as u64 <= LIMIT + 1, "each unit is in the queue once");
        true
    }

    fn look_at_next(&self) {
        let mut taken = Vec::new();
        let heat = self.residency.dequeue(false, &mut taken).expect("what is resident is in the queue");
        taken.into_iter().for_each(|unit| self.look_at(unit, heat));
    }

    fn look_at(&self, unit: UnitIndex, heat: Heat) {
        let mut slot = self.store.table().lock(unit);
        let (resident, referenced) = (slot.is_resident(), slot.is_referenced());
        match judge(Candidate { resident, pinned: false, referenced, dirty: false, pool_full: false }) {
            Verdict::Drop => {
                slot.set_queued(false);
                slot.set_was_hot(heat >= Heat::Hot);
                self.residency.remove(&mut slot);
                if self.clock {
                    self.residency.stamp(&mut slot);
                }
            }
            Verdict::SecondChance => {
                slot.set_referenced(false);
                self.residency.enqueue(unit, heat);
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

#[test]
fn what_comes_from_ssd_may_have_been_away_for_longer() {
    let simulation = Simulation::new(true);
    (0..LIMIT as u32 * 4).for_each(|unit| assert!(simulation.touch(unit)));
    let residency = &simulation.residency;
    let stamp = simulation.store.table().lock(UnitIndex(0)).stamp();
    let heats = || [false, true].map(|from_ssd| residency.heat_of(stamp, false, from_ssd));
    assert_eq!(heats(), [Heat::Cold; 2], "three times as many left since as have room");
    residency.set_dearness(4);
    assert_eq!(heats(), [Heat::Cold, Heat::Warm]);
    residency.set_dearness(16);
    assert_eq!(heats(), [Heat::Cold, Heat::Hot]);
}

/// Units that linger leave in the order of their offer: nobody would see how hot they are.
#[test]
fn cold_units_alone_are_offered() {
    let Simulation { store, residency, .. } = Simulation::new(true);
    for (unit, heat) in (1..).zip([Heat::Hot, Heat::Cold, Heat::Warm, Heat::Hottest]) {
        residency.add(&mut store.table().lock(UnitIndex(unit)), Some(heat));
    }
    let mut taken = Vec::new();
    while residency.dequeue_cold(&mut taken).is_some() {}
    assert_eq!((taken, residency.cold(), residency.queued()), (vec![UnitIndex(2)], 0, 3));
}
