//! The effect of each policy, on traces that are small enough to be followed by hand, and what none may do.

use proptest::prelude::*;
use ztera_sim::bound::Bound;
use ztera_sim::lru::Lru;
use ztera_sim::ours::Ours;
use ztera_sim::replay::replay_watched;
use ztera_sim::synthetic::{Scans, hot_pages, scans, zipf};
use ztera_sim::zram::Zram;
use ztera_sim::{Disk, Limits, Policy, Step, Tally, Tier, Trace, replay};
use ztera_store::UnitIndex;

const UNIT: u64 = 4096;
const SIZE: u64 = 1000;
const IDLE_EPOCHS: u32 = 16;

/// Room for so many resident units of [`UNIT`] bytes, and pooled ones of [`SIZE`].
fn room(resident: u64, pooled: u64) -> Limits {
    Limits { resident: resident * UNIT, pool: pooled * SIZE }
}

fn read(unit: u32) -> Step {
    Step::Touch { unit: UnitIndex(unit), write: false }
}

fn write(unit: u32) -> Step {
    Step::Touch { unit: UnitIndex(unit), write: true }
}

/// Units 0 to `units` are submitted, then `steps` happen.
fn loaded(units: u32, steps: impl IntoIterator<Item = Step>) -> Trace {
    let submits = (0..units).map(|unit| Step::Submit(UnitIndex(unit)));
    Trace { unit_len: UNIT, sizes: vec![SIZE; units as usize], steps: submits.chain(steps).collect() }
}

fn all(trace: &Trace, limits: Limits) -> [(&'static str, Box<dyn Policy>); 5] {
    [
        ("ours", Box::new(Ours::new(trace, limits, IDLE_EPOCHS))),
        ("lru", Box::new(Lru::new(trace, limits))),
        ("arc", Box::new(Lru::below_arc(trace, limits))),
        ("s3fifo", Box::new(Lru::below_s3fifo(trace, limits))),
        ("zram", Box::new(Zram::new(trace, limits))),
    ]
}

/// Where each touch found its unit: d, p, s or n.
fn found(trace: &Trace, policy: &mut dyn Policy) -> String {
    let mut found = String::new();
    replay_watched(trace, policy, |_, tier| {
        found.push(match tier {
            Tier::Dram => 'd',
            Tier::Pool => 'p',
            Tier::Ssd => 's',
            Tier::New => 'n',
        });
    });
    found
}

fn lru(trace: &Trace, limits: Limits) -> (String, Disk) {
    let mut policy = Lru::new(trace, limits);
    (found(trace, &mut policy), policy.disk())
}

fn zram(trace: &Trace, limits: Limits) -> (String, Disk) {
    let mut policy = Zram::new(trace, limits);
    (found(trace, &mut policy), policy.disk())
}

fn ours(trace: &Trace, limits: Limits) -> (String, Disk) {
    let mut policy = Ours::new(trace, limits, IDLE_EPOCHS);
    (found(trace, &mut policy), policy.disk())
}

#[test]
fn lru_keeps_what_was_touched_last() {
    let steps = [0, 1, 0, 2, 0, 1].map(read);
    assert_eq!(lru(&loaded(3, steps), room(2, 100)).0, "ppdpdp");
    // A unit that the program only writes to has no contents before.
    let trace =
        Trace { unit_len: UNIT, sizes: vec![SIZE; 3], steps: vec![write(0), write(1), read(2), read(0)] };
    assert_eq!(lru(&trace, room(2, 100)).0, "nnnp");
}

/// Where each touch found its unit, by ARC and by S3-FIFO.
fn by_arc_and_s3fifo(trace: &Trace, limits: Limits) -> [String; 2] {
    [found(trace, &mut Lru::below_arc(trace, limits)), found(trace, &mut Lru::below_s3fifo(trace, limits))]
}

#[test]
fn arc_keeps_what_was_touched_again() {
    // 0 and 1 were touched twice. A unit that is touched once pushes out one that was touched once.
    let steps = [0, 1, 0, 1, 2, 3, 4, 5, 0, 1].map(read);
    let [arc, _] = by_arc_and_s3fifo(&loaded(6, steps), room(3, 100));
    assert_eq!(arc, "ppddppppdd");
    assert_eq!(lru(&loaded(6, steps), room(3, 100)).0, "ppddpppppp");
}

#[test]
fn s3fifo_lets_leave_soon_what_is_touched_once() {
    // Room for nine in the main queue, to which 0 goes when it comes back, and one in the small queue.
    let steps = (0..11).chain([0]).chain(20..60).chain([0]).map(read);
    let [_, s3fifo] = by_arc_and_s3fifo(&loaded(60, steps.clone()), room(10, 100));
    assert!(s3fifo.starts_with("pppppppppppp") && s3fifo.ends_with('d'), "{s3fifo}");
    assert!(lru(&loaded(60, steps), room(10, 100)).0.ends_with('p'));
}

/// Bug: units that are only read left in turn, however often they were touched.
#[test]
fn ours_keeps_what_is_touched_all_the_time() {
    const HOT: u32 = 256;
    let faults = |policy: fn(&Trace, Limits) -> Box<dyn Policy>| {
        let trace = hot_pages(HOT, 1);
        let mut policy = policy(&trace, Limits { resident: 384 * trace.unit_len, pool: 0 });
        let mut of_hot = 0;
        replay_watched(&trace, policy.as_mut(), |unit, tier| {
            of_hot += u32::from(unit.0 % 4 == 0 && tier != Tier::Dram);
        });
        of_hot
    };
    let by_lru = faults(|trace, limits| Box::new(Lru::new(trace, limits)));
    let by_ours = faults(|trace, limits| Box::new(Ours::new(trace, limits, IDLE_EPOCHS)));
    assert!(by_lru < 2 * HOT, "{by_lru}");
    assert!(by_ours < 5 * HOT, "{by_ours}");
}

#[test]
fn lru_demotes_the_tail_and_promotes_what_comes_back() {
    // The last four of six stay in the pool. 0 comes back, and 2 goes for it; 2 comes back, and 3 goes for it.
    let (found, disk) = lru(&loaded(6, [0, 4, 5, 2, 0, 1].map(read)), room(1, 4));
    assert_eq!(found, "sppsps");
    assert_eq!((disk.written_units, disk.read_units), (4, 3));
}

#[test]
fn zram_never_promotes() {
    // The pool has room for 16; submitting 17 writes two of the first sixteen back, an eighth.
    let trace = loaded(17, (0..5).flat_map(|_| [read(0), read(1), read(2)]));
    let (found, disk) = zram(&trace, room(1, 16));
    assert_eq!(found, "sspsspsspsspssp");
    assert_eq!(
        disk,
        Disk { read_units: 10, read_bytes: 10 * UNIT, written_units: 2, written_bytes: 2 * UNIT }
    );
    // But what is written to is stored anew, which makes it as good as any other.
    let trace = loaded(17, [write(0), read(1), read(0), read(1), read(0)]);
    assert_eq!(zram(&trace, room(1, 16)).0, "sspsp");
}

#[test]
fn zram_spares_what_was_read_since_the_mark() {
    // The 17th unit makes it mark all; then 0 and 1 go, and the others are marked again. A unit that is read then is not idle.
    let reads = [read(2), read(3)];
    let more = [17, 18].map(|unit| Step::Submit(UnitIndex(unit)));
    let then = [2, 3, 4, 5].map(read);
    let mut trace = loaded(17, reads.into_iter().chain(more).chain(then));
    trace.sizes = vec![SIZE; 19];
    assert_eq!(zram(&trace, room(1, 16)).0, "ppppss");
}

#[test]
fn ours_is_first_in_first_out_for_what_comes_back_late() {
    // With room for two, the third fault evicts the first unit, though that was touched just before.
    let trace = loaded(3, [0, 1, 0, 2, 0].map(read));
    assert_eq!(ours(&trace, room(2, 100)).0, "ppdpp");
    assert_eq!(lru(&trace, room(2, 100)).0, "ppdpd");
}

#[test]
fn ours_lets_stay_what_came_back_soon() {
    // Of the units that fit, 0 has been evicted once, and came back at once: then it outlives all others. A unit
    // that was submitted counts as evicted just then, so that has to be a while ago.
    let long_ago = (100..400).map(read);
    let fill = (0..64).map(read);
    let others = (400..462).map(read);
    let last = |back: Option<u32>| {
        let back = back.map(read);
        let steps = long_ago.clone().chain(fill.clone()).chain(back).chain(others.clone()).chain([read(0)]);
        ours(&loaded(500, steps), room(63, 1000)).0.pop()
    };
    assert_eq!(last(Some(0)), Some('d'));
    assert_eq!(last(None), Some('p'));
}

#[test]
fn ours_demotes_the_coldest_and_promotes_what_is_warm() {
    // 100 units for a pool of 64: when it is nearly full the first ones have gone. A loop over ten of them makes them warm.
    let trace = loaded(100, (0..20).flat_map(|_| (0..10).map(read)));
    let (found, disk) = ours(&trace, room(2, 64));
    assert!(found.starts_with("ssssssssss"), "{found}");
    assert!(found.ends_with("pppppppppp"), "{found}");
    assert!(disk.read_units <= 20, "{disk:?}");
    // And zram goes on reading them from there, twenty times.
    assert_eq!(zram(&trace, room(2, 64)).1.read_units, 200);
}

/// Once all that had just been loaded counted as evicted at the same time: so what the first scan found on SSD was taken
/// for warm, and a pool's worth of it was promoted, and written again.
#[test]
fn ours_writes_nothing_for_a_scan_of_what_is_cold() {
    let limits = room(16, 200);
    let scanned = |times: u32| loaded(1000, (0..times).flat_map(|_| (0..1000).map(read)));
    let by_ours = [0, 1, 2, 5].map(|times| ours(&scanned(times), limits).1.written_units);
    assert!((810..826).contains(&by_ours[0]), "what has no room: {by_ours:?}");
    assert_eq!(by_ours, [by_ours[0]; 4]);
    let by_lru = [0, 1, 2].map(|times| lru(&scanned(times), limits).1.written_units);
    assert_eq!(by_lru.map(|units| units / 100), [8, 17, 27], "it writes each time what it will not need");
}

/// Shares of touches of hot units that found them in DRAM, and in DRAM or in the pool.
fn hot_shares(shape: Scans, policy: impl Fn(&Trace, Limits) -> Box<dyn Policy>) -> (f64, f64) {
    let trace = scans(shape, 7);
    let footprint = trace.footprint();
    let limits = Limits { resident: footprint.bytes / 20, pool: footprint.compressed / 4 };
    let (mut all, mut dram, mut near) = (0, 0, 0);
    let mut policy = policy(&trace, limits);
    replay_watched(&trace, policy.as_mut(), |unit, tier| {
        if unit.0 < shape.hot {
            all += 1;
            dram += u32::from(tier == Tier::Dram);
            near += u32::from(matches!(tier, Tier::Dram | Tier::Pool));
        }
    });
    (f64::from(dram) / f64::from(all), f64::from(near) / f64::from(all))
}

const SCANS: Scans = Scans { units: 8192, hot: 256, rounds: 6, quiet: 5000, between: 4 };

/// In memory no policy that goes by recency keeps a unit that is touched once while three times as many others come as
/// there is room for. The pool has to.
#[test]
fn a_scan_does_not_push_out_what_is_hot() {
    let quiet = Scans { between: 0, ..SCANS };
    let ours = |trace: &Trace, limits| -> Box<dyn Policy> { Box::new(Ours::new(trace, limits, IDLE_EPOCHS)) };
    let lru = |trace: &Trace, limits| -> Box<dyn Policy> { Box::new(Lru::new(trace, limits)) };
    let (with, without) = (hot_shares(SCANS, ours), hot_shares(quiet, ours));
    assert!(without.0 > 0.99 && without.1 > 0.99, "{without:?}");
    assert!(with.1 > without.1 - 0.002, "not on SSD: {with:?}, without a scan {without:?}");
    let by_lru = hot_shares(SCANS, lru);
    assert!(with.0 > by_lru.0 - 0.01, "in memory: {with:?}, LRU {by_lru:?}");
    assert!(by_lru.1 < with.1 - 0.02, "LRU lets hot units go to SSD: {by_lru:?}, {with:?}");
}

/// Any program on 40 units.
fn traces() -> impl Strategy<Value = Trace> {
    const UNITS: u32 = 40;
    let unit = || (0..UNITS).prop_map(UnitIndex);
    let step = prop_oneof![
        12 => (unit(), prop::bool::weighted(0.2)).prop_map(|(unit, write)| Step::Touch { unit, write }),
        3 => unit().prop_map(Step::Submit),
        1 => unit().prop_map(Step::Discard),
        1 => Just(Step::Epoch),
    ];
    let size = prop_oneof![1 => Just(0), 8 => 50..UNIT, 1 => Just(UNIT)];
    let sizes = prop::collection::vec(size, UNITS as usize);
    (sizes, prop::collection::vec(step, 0..400)).prop_map(|(sizes, steps)| Trace {
        unit_len: UNIT,
        sizes,
        steps,
    })
}

/// A pool of no less than the engine takes, or without a limit.
fn limits() -> impl Strategy<Value = Limits> {
    let pool = prop_oneof![1 => Just(0), 4 => 16 * UNIT..40 * UNIT];
    (1..30_u64, pool).prop_map(|(resident, pool)| Limits { resident: resident * UNIT, pool })
}

proptest! {
    #[test]
    fn each_touch_counts_once(trace in traces(), limits in limits()) {
        for (name, mut policy) in all(&trace, limits) {
            let mut seen = 0;
            let tally = replay_watched(&trace, policy.as_mut(), |_, _| seen += 1);
            prop_assert_eq!(tally.touches(), trace.touches(), "{}", name);
            prop_assert_eq!(seen, trace.touches(), "{}", name);
            prop_assert_eq!(tally.disk.read_units, tally.ssd, "{}", name);
        }
    }

    #[test]
    fn nobody_is_better_than_the_bound(trace in traces(), limits in limits()) {
        let bound = Bound::new(&trace, limits);
        for (name, mut policy) in all(&trace, limits) {
            let tally = replay(&trace, policy.as_mut());
            prop_assert!(bound.misses <= tally.misses(), "{}: {:?}, {:?}", name, tally, bound);
            prop_assert!(bound.ssd_reads <= tally.ssd, "{}: {:?}, {:?}", name, tally, bound);
            prop_assert!(bound.written_bytes <= tally.disk.written_bytes, "{}: {:?}, {:?}", name, tally, bound);
        }
    }

    #[test]
    fn with_room_for_all_nothing_is_written(trace in traces(), resident in 1..30_u64) {
        for (name, mut policy) in all(&trace, room(resident, 0)) {
            let tally = replay(&trace, policy.as_mut());
            prop_assert_eq!((tally.ssd, tally.disk), (0, Disk::default()), "{}", name);
        }
    }

    #[test]
    fn the_same_comes_out_again(trace in traces(), limits in limits()) {
        let once = || -> Vec<Tally> {
            all(&trace, limits).into_iter().map(|(_, mut policy)| replay(&trace, policy.as_mut())).collect()
        };
        prop_assert_eq!(once(), once());
    }
}

/// Large enough for a pool that wraps many times, and for the clock.
#[test]
fn the_bound_holds_for_long_traces_too() {
    let scan = scans(SCANS, 3);
    for trace in [zipf(4096, 60_000, 3), scan] {
        let footprint = trace.footprint();
        for part in [2, 4, 10] {
            let limits = Limits { resident: footprint.bytes / 20, pool: footprint.compressed / part };
            let bound = Bound::new(&trace, limits);
            for (name, mut policy) in all(&trace, limits) {
                let tally = replay(&trace, policy.as_mut());
                assert!(bound.misses <= tally.misses() && bound.ssd_reads <= tally.ssd, "{name}: {tally:?}");
                assert!(bound.written_bytes <= tally.disk.written_bytes, "{name}: {tally:?}");
            }
        }
    }
}

#[test]
fn the_demos_trace_is_a_trace() {
    let trace = Trace::read(include_bytes!("../traces/demo.trace.zst")).expect("a trace");
    assert_eq!(trace.unit_len, 16384);
    assert!(trace.touches() > 200_000);
    let footprint = trace.footprint();
    assert!(footprint.compressed > footprint.bytes / 5 && footprint.compressed < footprint.bytes / 3);
}
