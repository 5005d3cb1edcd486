//! The rule in tables, and with several processes that share one memory.

use super::*;

const M: u64 = 1 << 20;
const LIMIT: u64 = 1024 * M;
/// Bytes that a host leaves of a limit that it has for itself.
const MARGIN: u64 = LIMIT / 32;
const RESERVE: u64 = 64 * M;
const FIXED: u64 = 32 * M;

fn place(available: u64, others: u64) -> Place {
    Place { limit: LIMIT, available: available * M, lingering: 0, others: others * M }
}

fn own(held: u64) -> Own {
    Own { budget: 800 * M, held: held * M, fixed: FIXED }
}

/// A process with a second heap, which would like to hold more than it may.
#[derive(Clone, Copy)]
struct Process {
    sharing: Sharing,
    beside: u64,
    wants: u64,
    held: u64,
}

impl Process {
    fn new(wants: u64) -> Self {
        Self { sharing: Sharing::default(), beside: 150 * M, wants: wants * M, held: 0 }
    }

    fn budget(&self) -> u64 {
        LIMIT - MARGIN - self.beside
    }
}

/// Processes that share one memory.
struct World {
    processes: Vec<Process>,
    periods_beyond: u32,
}

impl World {
    fn new(wants: &[u64]) -> Self {
        let processes = wants.iter().map(|&wants| Process::new(wants)).collect();
        Self { processes, periods_beyond: 0 }
    }

    fn used(&self) -> u64 {
        self.processes.iter().map(|process| process.beside + process.held).sum()
    }

    /// All look at the same moment and do at once what they decided.
    fn look(&mut self) {
        let used = self.used();
        for process in &mut self.processes {
            let others = used - process.beside - process.held;
            let place = Place { limit: LIMIT, available: LIMIT.saturating_sub(used), lingering: 0, others };
            let own = Own { budget: process.budget(), held: process.held, fixed: FIXED };
            let share = process.sharing.decide(tightest(&[place]), own);
            process.held = process.wants.min(share.max).min(own.budget);
        }
        self.periods_beyond = if self.used() > LIMIT { self.periods_beyond + 1 } else { 0 };
        assert!(self.periods_beyond <= 1, "beyond the limit for {} periods", self.periods_beyond);
    }

    /// The bytes that each holds on average over the last ten seconds of two minutes, in MiB.
    fn settle(&mut self) -> Vec<u64> {
        (0..1100).for_each(|_| self.look());
        let mut sums = vec![0; self.processes.len()];
        for _ in 0..100 {
            self.look();
            sums.iter_mut().zip(&self.processes).for_each(|(sum, process)| *sum += process.held);
        }
        sums.iter().map(|sum| sum / 100 / M).collect()
    }
}

fn are_alike(held: &[u64]) -> bool {
    let (least, most) = (held.iter().min().expect("some"), held.iter().max().expect("some"));
    most - least <= most / 5
}

#[test]
fn a_process_alone_has_its_budget() {
    let mut world = World::new(&[10_000]);
    assert_eq!(world.settle(), [world.processes[0].budget() / M]);
    let mut sharing = Sharing::default();
    assert_eq!(sharing.decide(tightest(&[place(0, 16)]), own(790)), Share::ALL, "a shell");
    assert_eq!(sharing.reason(), Reason::Calm);
}

#[test]
fn two_that_start_together_have_the_same() {
    let held = World::new(&[10_000; 2]).settle();
    assert!(are_alike(&held), "{held:?}");
    let left = (LIMIT - 2 * 150 * M - RESERVE) / M;
    let sum: u64 = held.iter().sum();
    assert!(sum > left - left / 8 && sum <= left + left / 16, "{sum} of {left} MiB");
}

#[test]
fn a_newcomer_gets_as_much_as_the_first() {
    let mut world = World::new(&[10_000]);
    world.settle();
    world.processes.push(Process { beside: 0, ..Process::new(10_000) });
    for _ in 0..6 {
        world.processes[1].beside += 25 * M;
        world.look();
    }
    let held = world.settle();
    assert!(are_alike(&held), "{held:?}");
}

#[test]
fn who_wants_little_has_it_and_the_others_share_the_rest() {
    let held = World::new(&[600, 60, 10_000]).settle();
    assert!(held[1] >= 48, "{held:?}");
    assert!(are_alike(&[held[0], held[2]]), "{held:?}");
}

#[test]
fn what_another_heap_grows_by_is_given() {
    let mut world = World::new(&[10_000; 3]);
    world.settle();
    for _ in 0..6 {
        world.processes[1].beside += 30 * M;
        world.look();
    }
    (0..20).for_each(|_| world.look());
    assert!(world.used() <= LIMIT - RESERVE / 2, "{} MiB", world.used() / M);
}

#[test]
fn what_one_that_ends_had_is_the_others() {
    let mut world = World::new(&[10_000; 2]);
    world.settle();
    world.processes.truncate(1);
    world.look();
    assert_eq!(world.processes[0].held, world.processes[0].budget());
}

#[test]
fn somebody_small_who_never_gives_costs_little() {
    let mut world = World::new(&[10_000, 0]);
    world.processes[1].beside = 30 * M;
    let least = (world.processes[0].budget() - 30 * M - 2 * RESERVE) / M;
    let held = world.settle()[0];
    assert!(held >= least, "{held} of {least} MiB");
}

#[test]
fn what_is_on_its_way_is_not_asked_for_again() {
    let mut sharing = Sharing::default();
    let first = sharing.decide(Some(place(24, 400)), own(400));
    assert_eq!(first.max, (400 + 24 - 56) * M, "a part of it: what is lacking, and a quarter of the reserve");
    // 16 MiB are on their way, and the rest is still to come.
    assert_eq!(sharing.decide(Some(place(48, 400)), own(400)).max, first.max);
    assert_eq!(sharing.reason(), Reason::Crowded);
    assert!(sharing.decide(Some(place(100, 400)), own(370)).max > first.max);
    assert_eq!([sharing.reason(), sharing.reason()], [Reason::Roomy, Reason::Calm]);
}

#[test]
fn what_cannot_be_given_is_kept() {
    let mut sharing = Sharing::default();
    let own = Own { fixed: 390 * M, ..own(400) };
    for _ in 0..10 {
        assert!(sharing.decide(Some(place(0, 900)), own).max >= 390 * M);
    }
}

#[test]
fn new_data_may_come_while_there_is_memory() {
    let mut sharing = Sharing::default();
    let share = sharing.decide(Some(place(132, 600)), own(100));
    assert_eq!(share.admits, 150 * M, "half of what is free, less half of the reserve");
    let share = sharing.decide(Some(place(10, 700)), own(100));
    assert_eq!(share.admits, share.max.max(100 * M));
}

#[test]
fn the_tightest_of_those_that_are_shared_counts() {
    let (roomy, short, shorter) = (place(500, 100), place(50, 100), place(20, 100));
    assert_eq!(tightest(&[roomy, shorter, short]), Some(shorter));
    assert_eq!(tightest(&[roomy, place(0, 1)]), Some(roomy), "nobody shares the other");
    assert_eq!(tightest(&[place(0, 1)]), None);
    let large = Place { limit: 64 * LIMIT, available: 40 * LIMIT, lingering: 0, others: 24 * LIMIT };
    assert_eq!(tightest(&[large]), None, "there is plenty");
}

#[test]
fn a_reserve_is_for_what_programs_grow_by() {
    let reserve = |limit| Place { limit: limit * M, ..place(0, 0) }.reserve() / M;
    assert_eq!([256, 1024, 2048, 65536].map(reserve), [32, 64, 64, 1024]);
    assert!(place(1023, 0).is_near());
    let large = Place { limit: 64 * LIMIT, ..place(0, 0) };
    assert!(Place { available: 15 * LIMIT, ..large }.is_near());
    assert!(!Place { available: 16 * LIMIT, ..large }.is_near());
}

/// Takes, gives and looks of greedy processes, in any order. None looks unless it happens to.
#[derive(Clone, Copy)]
struct Greedy {
    held: u64,
    ceiling: u64,
    growth: Growth,
}

fn used(processes: &[Greedy]) -> u64 {
    processes.iter().map(|process| process.held).sum()
}

/// The most that they had together.
fn most_used(count: usize, beside: u64, budget: u64) -> u64 {
    let none = Growth { is_open: false, credit: 0 };
    let mut processes = vec![Greedy { held: beside, ceiling: 0, growth: none }; count];
    let (mut seed, mut most) = (1_u64, 0);
    let mut random = |below: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 33) % below
    };
    for _ in 0..200_000 {
        let (of, what) = (random(count as u64) as usize, random(8));
        let used = used(&processes);
        let process = &mut processes[of];
        let Greedy { held, ceiling, growth } = process;
        match what {
            0 => {
                let available = LIMIT.saturating_sub(used);
                *growth =
                    Growth::within(&[Place { limit: LIMIT, available, lingering: 0, others: used - *held }]);
                *ceiling = growth.ceiling(*ceiling, *held);
            }
            1 if random(50) == 0 => {
                *held = beside + random(*held - beside + 1);
                *ceiling = growth.lowered(*ceiling, *held);
            }
            _ => *held = (*held + random(4 * M)).min(*ceiling).min(budget).max(*held),
        }
        most = most.max(self::used(&processes));
    }
    most
}

#[test]
fn nobody_who_looks_late_takes_more_than_there_is() {
    for count in [2, 3, PROCESSES as usize] {
        let most = most_used(count, LIMIT / 32, LIMIT);
        assert!(most > LIMIT - RESERVE && most <= LIMIT, "{count} processes: {} MiB", most / M);
    }
    let most = most_used(2, 0, LIMIT - MARGIN);
    assert!(most > LIMIT - RESERVE && most <= LIMIT, "two that come from nothing: {} MiB", most / M);
}

#[test]
fn a_process_alone_may_always_grow() {
    let alone = Growth::within(&[place(1, 16)]);
    assert_eq!(alone, Growth { is_open: true, credit: 16 * M });
    assert_eq!(alone.ceiling(0, 700 * M), 716 * M);
    assert_eq!(Growth::within(&[]).ceiling(0, M), u64::MAX, "nobody tells");
}

#[test]
fn one_of_many_grows_while_there_is_more_than_the_reserve() {
    let [open, full] = [65, 64].map(|available| Growth::within(&[place(900, 1), place(available, 300)]));
    assert_eq!((open.is_open, open.credit), (true, 8 * M));
    assert_eq!(open.ceiling(0, 100 * M), 108 * M);
    assert!(!full.is_open);
    assert_eq!(full.ceiling(103 * M, 100 * M), 103 * M, "what was granted stays");
    assert_eq!(full.ceiling(200 * M, 100 * M), 108 * M, "others may have what was given back");
    let small = Place { limit: 64 * M, available: 20 * M, lingering: 0, others: 10 * M };
    assert_eq!(Growth::within(&[small]).credit, LEAST_CREDIT);
}
