// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! IS, integer sort: ranks of keys by counting, with random accesses to memory.

use crate::random::{Random, SEED};
use crate::team::Team;
use crate::{Class, Verified};

const ITERATIONS: usize = 10;

/// The size of a class, and five keys with their ranks.
struct Published {
    log_keys: u32,
    log_values: u32,
    keys: [usize; 5],
    ranks: [i64; 5],
}

fn published(class: Class) -> Published {
    let (log_keys, log_values, keys, ranks) = match class {
        Class::S => (16, 11, [48427, 17148, 23627, 62548, 4431], [0, 18, 346, 64917, 65463]),
        Class::W => {
            (20, 16, [357773, 934767, 875723, 898999, 404505], [1249, 11698, 1039987, 1043896, 1048018])
        }
        Class::A => {
            (23, 19, [2112377, 662041, 5336171, 3642833, 4250760], [104, 17523, 123928, 8288932, 8388264])
        }
        Class::B => {
            (25, 21, [41869, 812306, 5102857, 18232239, 26860214], [33422937, 10244, 59149, 33135281, 99])
        }
        Class::C => (
            27,
            23,
            [44172927, 72999161, 74326391, 129606274, 21736814],
            [61147, 882988, 266290, 133997595, 133525895],
        ),
    };
    Published { log_keys, log_values, keys, ranks }
}

/// The rank of the key `which` in an iteration, which changes two keys.
fn rank_then(class: Class, rank: i64, which: usize, iteration: i64) -> i64 {
    let (rises, by) = match class {
        Class::S | Class::C => (which <= 2, iteration),
        Class::W if which < 2 => (true, iteration - 2),
        Class::W => (false, iteration),
        Class::A => (which <= 2, iteration - 1),
        Class::B => ([1, 2, 4].contains(&which), iteration),
    };
    if rises { rank + by } else { rank - by }
}

/// Runs it.
pub fn run(class: Class, team: Team) -> Verified {
    let published = published(class);
    let values = 1_usize << published.log_values;
    let mut keys = keys(1 << published.log_keys, values, team);
    let (mut right, mut below) = (true, Vec::new());
    for iteration in 1..=ITERATIONS {
        keys[iteration] = iteration as u32;
        keys[iteration + ITERATIONS] = (values - iteration) as u32;
        below = keys_below(&keys, values, team);
        right &= (0..5).all(|which| {
            let rank = i64::from(below[keys[published.keys[which]] as usize]);
            rank == rank_then(class, published.ranks[which], which, iteration as i64)
        });
    }
    let sorted = sorted(&keys, below);
    let right = right && sorted.is_sorted();
    Verified { value: f64::from(sorted[sorted.len() / 2]), right }
}

/// Sums of four random numbers.
fn keys(count: usize, values: usize, team: Team) -> Vec<u32> {
    let mut keys = vec![0; count];
    let quarter = values as f64 / 4.0;
    let part = count / 16;
    team.chunks(&mut keys, part, |number, keys| {
        let mut random = Random::new(SEED).skip(4 * (number * part) as u64);
        for key in keys {
            let sum = random.uniform() + random.uniform() + random.uniform() + random.uniform();
            *key = (quarter * sum) as u32;
        }
    });
    keys
}

/// For each value the number of keys that are less.
fn keys_below(keys: &[u32], values: usize, team: Team) -> Vec<u32> {
    let mut parts = team
        .split(keys.len(), |part| {
            let mut counts = vec![0_u32; values];
            keys[part].iter().for_each(|key| counts[*key as usize] += 1);
            counts
        })
        .into_iter();
    let mut counts = parts.next().unwrap_or_default();
    parts.for_each(|other| counts.iter_mut().zip(other).for_each(|(count, other)| *count += other));
    let mut below = 0;
    for count in &mut counts {
        below += std::mem::replace(count, below);
    }
    counts
}

/// Each key at the place that its rank gives it.
fn sorted(keys: &[u32], mut next: Vec<u32>) -> Vec<u32> {
    let mut sorted = vec![0; keys.len()];
    for key in keys {
        let place = &mut next[*key as usize];
        sorted[*place as usize] = *key;
        *place += 1;
    }
    sorted
}
