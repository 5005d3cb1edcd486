// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The question of Nakaike et al., asked in counts, with a synthetic program: it needs more memory than it may use.
//! Does the kernel reclaim pages that are hot, or cold ones? Its two lists and MGLRU take turns.
//!
//! ```text
//!  lists, swappiness, what is hot -> work: passes -> counts -> Phase
//! ```
//!
//! This takes a kernel that has both, as that of the virtual machine of `make test-guest` has. So the hidden
//! [`command`] runs there, and the experiment `oversubscription` judges what it finds. An emulated CPU distorts times,
//! but not how many pages a pass costs. A JVM took minutes to start there.

pub mod command;
mod phase;
mod work;

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use ztera_machine::cgroup::{files, group};
use ztera_machine::memory;
use ztera_machine::units::MIB;

use crate::kit::setting::Setting;
#[cfg(test)]
pub use phase::tests::phase;
pub use phase::{Counts, Hot, Lists, Phase};
use work::Work;

/// The kernel's switch.
const SWITCH: &str = "/sys/kernel/mm/lru_gen/enabled";
/// At 0 the kernel does not swap for a group at all, and kills.
const SWAPPINESS: [u32; 4] = [20, 60, 100, 200];
/// Hot pages have room in the limit, all pages together have not.
const HOT: u64 = 32 * MIB;
const COLD: u64 = 48 * MIB;
/// Until pages have found their places, and then.
const SETTLE: u64 = 4;
const PASSES: u64 = 8;

/// Measures all settings in this process, which must be in a group with a limit, and tells each phase as it ends.
pub fn run(folder: &Path, mut each: impl FnMut(&Phase) -> Result<()>) -> Result<()> {
    ensure!(Path::new(SWITCH).exists(), "this kernel has no MGLRU: {SWITCH} is missing");
    let groups = group::own();
    let group = &groups.first().context("no memory cgroup controller is mounted")?.dir;
    let limit_bytes = memory::cgroup_limit(&groups[..1]).context("this process has no limit")?;
    let file = work::write(&folder.join("pages"), HOT.max(COLD))?;
    for (hot, lists, swappiness) in settings() {
        let _lists = Setting::change(SWITCH.into(), lists.switch())?;
        let _swappiness = Setting::change("/proc/sys/vm/swappiness".into(), &swappiness.to_string())?;
        let mut work = Work::new(&file, hot, HOT, COLD)?;
        work.run(SETTLE)?;
        let before = counts(group)?;
        work.run(PASSES)?;
        let counts = counts(group)?.since(&before);
        each(&Phase { lists, swappiness, hot, limit_bytes, passes: PASSES, counts })?;
    }
    Ok(())
}

/// All of them. Neither kind of lists is always the first.
fn settings() -> Vec<(Hot, Lists, u32)> {
    let pair = |(number, (hot, swappiness)): (usize, (Hot, u32))| {
        let [one, other] = Lists::BOTH;
        let order = if number.is_multiple_of(2) { [one, other] } else { [other, one] };
        order.map(|lists| (hot, lists, swappiness))
    };
    let all = Hot::BOTH.into_iter().flat_map(|hot| SWAPPINESS.map(|swappiness| (hot, swappiness)));
    all.enumerate().flat_map(pair).collect()
}

fn counts(group: &Path) -> Result<Counts> {
    let read =
        |file: &Path| fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()));
    Ok(Counts::of(&read(&group.join(files::STATISTICS))?, &read(Path::new("/proc/vmstat"))?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_take_turns_at_each_setting() {
        use Lists::{Generations, Two};
        let settings = settings();
        let start: Vec<_> =
            settings[..4].iter().map(|(_, lists, swappiness)| (*lists, *swappiness)).collect();
        assert_eq!(start, [(Two, 20), (Generations, 20), (Generations, 60), (Two, 60)]);
        assert_eq!(settings.len(), 16);
        let hot = |hot| settings.iter().filter(|setting| setting.0 == hot).count();
        assert_eq!((hot(Hot::Files), hot(Hot::Others)), (8, 8));
    }
}
