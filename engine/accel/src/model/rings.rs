//! The jobs that the model has, and when each answer is due.

use std::cmp::Ordering;
use std::collections::{BinaryHeap, VecDeque};
use std::time::{Duration, Instant};

use super::params::{Mistake, Params};
use crate::answer::Fault;
use crate::job::Job;

/// A job, and when it is ready.
pub(super) struct Due {
    pub at: Instant,
    pub job: Job,
    pub mistake: Option<Mistake>,
    instance: usize,
}

impl PartialEq for Due {
    fn eq(&self, other: &Self) -> bool {
        self.at == other.at
    }
}

impl Eq for Due {}

impl PartialOrd for Due {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Due {
    /// The earliest is the greatest: it leaves the heap first.
    fn cmp(&self, other: &Self) -> Ordering {
        other.at.cmp(&self.at)
    }
}

/// One of the units of the device that compress.
#[derive(Clone, Copy)]
struct Instance {
    free: Instant,
    queued: u32,
}

pub(super) struct Rings {
    params: Params,
    instances: Vec<Instance>,
    due: BinaryHeap<Due>,
    /// Jobs that are never answered.
    stuck: Vec<Job>,
    random: fastrand::Rng,
    taken: u64,
    stopped: bool,
}

impl Rings {
    pub fn new(params: Params) -> Self {
        let instance = Instance { free: Instant::now(), queued: 0 };
        Self {
            instances: vec![instance; params.instances as usize],
            due: BinaryHeap::new(),
            stuck: Vec::new(),
            random: fastrand::Rng::with_seed(params.seed),
            taken: 0,
            stopped: false,
            params,
        }
    }

    /// Takes from the front what there is room for.
    pub fn submit(&mut self, batch: &mut VecDeque<Job>, now: Instant) -> Result<(), Fault> {
        while !batch.is_empty() {
            if self.params.faults.gone_after.is_some_and(|most| self.taken >= most) {
                return Err(Fault::Gone);
            }
            let instances = self.instances.iter().enumerate();
            let free = instances.filter(|(_, instance)| instance.queued < self.params.ring);
            let Some((instance, _)) = free.min_by_key(|(_, instance)| instance.free) else { break };
            let Some(job) = batch.pop_front() else { break };
            self.taken += 1;
            self.start(job, instance, now);
        }
        Ok(())
    }

    fn start(&mut self, job: Job, instance: usize, now: Instant) {
        let mistake = self.params.faults.draw(&mut self.random);
        let chosen = &mut self.instances[instance];
        chosen.queued += 1;
        let slow = if mistake == Some(Mistake::Slow) { SLOW } else { 1 };
        let time: Duration = self.params.time_of(job.input().len()) * slow;
        let at = chosen.free.max(now) + time;
        match mistake {
            Some(Mistake::Stuck) => self.stuck.push(job),
            // All that it has is lost, and nobody is told but by that.
            Some(Mistake::Reset) => drop((job, self.reset())),
            _ => {
                chosen.free = at;
                self.due.push(Due { at, job, mistake, instance });
            }
        }
    }

    /// The jobs that are ready now.
    pub fn take(&mut self, now: Instant) -> Vec<Due> {
        let mut ready = Vec::new();
        while self.due.peek().is_some_and(|due| due.at <= now) {
            let Some(due) = self.due.pop() else { break };
            self.instances[due.instance].queued -= 1;
            ready.push(due);
        }
        ready
    }

    /// When the next job is ready.
    pub fn next(&self) -> Option<Instant> {
        self.due.peek().map(|due| due.at)
    }

    /// Empties the rings; what was in them is the caller's to drop.
    pub fn reset(&mut self) -> (BinaryHeap<Due>, Vec<Job>) {
        let now = Instant::now();
        self.instances.fill(Instance { free: now, queued: 0 });
        (std::mem::take(&mut self.due), std::mem::take(&mut self.stuck))
    }

    pub fn stop(&mut self) -> (BinaryHeap<Due>, Vec<Job>) {
        self.stopped = true;
        self.reset()
    }

    pub fn is_stopped(&self) -> bool {
        self.stopped
    }
}

/// How many times longer a slow job takes.
const SLOW: u32 = 40;
