//! Runs a model in many random schedules.

use shuttle::scheduler::{PctScheduler, RandomScheduler};
use shuttle::{Config, MaxSteps, Runner};

/// Runs `model` in `schedules` schedules (`ZTERA_SCHEDULES` times as many, if that is set): half of
/// them pick any thread at any point, half prefer one thread for long and switch at few, random points.
///
/// The first line of output says how to do the same again. A failure prints its schedule too; shuttle's
/// `replay` runs that one alone.
pub fn explore(schedules: usize, model: impl Fn() + Send + Sync + Clone + 'static) {
    let number = |name: &str| -> Option<u64> {
        std::env::var(name).ok().map(|value| value.parse().unwrap_or_else(|_| panic!("{name}: a number")))
    };
    let seed = number("ZTERA_SEED").unwrap_or_else(|| {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        now.map_or(1, |now| now.as_nanos() as u64)
    });
    let half = schedules * number("ZTERA_SCHEDULES").unwrap_or(1) as usize / 2;
    println!("2 * {half} schedules; again with ZTERA_SEED={seed}");
    let mut config = Config::new();
    config.stack_size = 256 << 10;
    config.silence_warnings = true;
    // Some run in a million steps is one that never ends.
    config.max_steps = MaxSteps::FailAfter(1_000_000);
    Runner::new(RandomScheduler::new_from_seed(seed, half), config.clone()).run(model.clone());
    // Here also sound programs may not end: two threads that do without the third may prefer each other.
    config.max_steps = MaxSteps::ContinueAfter(30_000);
    Runner::new(PctScheduler::new_from_seed(seed, 4, half), config).run(model);
}
