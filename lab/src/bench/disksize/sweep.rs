// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! All cells of a sweep, in turns.

use std::path::PathBuf;

use anyhow::Result;

use super::arm::Arm;
use super::cell::{self, Cell};
use super::data::Data;
use super::machine::Machine;
use super::program::Program;
use crate::frame::steps::Steps;

/// The axes of a sweep.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The programs.
    pub programs: Vec<Program>,
    /// DRAM in percent of the footprint.
    pub limits: Vec<u32>,
    /// Machines of the study, in GB, for programs that the study has.
    pub study: Vec<u32>,
    /// Sizes of swap in percent.
    pub sizes: Vec<u32>,
    /// Kinds of swap.
    pub arms: Vec<Arm>,
    /// How often each cell has its turn.
    pub rounds: u32,
    /// A directory on the SSD, for zswap.
    pub ssd: PathBuf,
}

impl Plan {
    /// The keys of all steps.
    pub fn keys(&self) -> Vec<String> {
        let mut keys = Vec::new();
        for round in 1..=self.rounds {
            for program in &self.programs {
                keys.push(key_without_limit(program, round));
                keys.extend(self.cells(program).iter().map(|cell| key(program, cell, round)));
            }
        }
        keys
    }

    /// Cells of a program. Without swap all arms are the same, so the first alone has that cell.
    pub fn cells(&self, program: &Program) -> Vec<Cell> {
        let study = self.study.iter().filter_map(|gb| Machine::of_study(*gb, program.kernel.as_deref()?));
        let machines: Vec<Machine> =
            study.chain(self.limits.iter().map(|limit| Machine::percent(*limit))).collect();
        let mut cells = Vec::new();
        for (number, arm) in self.arms.iter().enumerate() {
            for machine in &machines {
                let sizes = self.sizes.iter().filter(|size| **size > 0 || number == 0);
                cells.extend(sizes.map(|size| Cell {
                    arm: arm.clone(),
                    machine: machine.clone(),
                    size_percent: *size,
                }));
            }
        }
        cells
    }

    /// Takes all steps. Footprints are those of the first round.
    pub fn run(&self, steps: &mut Steps) -> Result<()> {
        for round in 1..=self.rounds {
            for program in &self.programs {
                steps.take(&key_without_limit(program, round), || cell::reference(program))?;
                let references = Data::of(steps.samples()).references;
                let Some(reference) = references.iter().find(|known| known.program == program.name) else {
                    continue;
                };
                for cell in self.cells(program) {
                    let step = key(program, &cell, round);
                    steps.take(&step, || cell::run(program, &cell, reference, &self.ssd))?;
                }
            }
        }
        Ok(())
    }
}

fn key_without_limit(program: &Program, round: u32) -> String {
    format!("{}, no limit, round {round}", program.name)
}

fn key(program: &Program, cell: &Cell, round: u32) -> String {
    let (arm, machine, size) = (cell.arm.name(), &cell.machine.name, cell.size_percent);
    format!("{}, {machine} of DRAM, {arm} of {size} %, round {round}", program.name)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;
    use std::time::Duration;

    use serde_json::Value;
    use ztera_machine::cgroup::{group, place};

    use super::super::data::CellRun;
    use super::*;
    use crate::kit::ending::Ending;
    use crate::kit::swap::first_of_all;

    fn plan(program: Program, arms: Vec<Arm>) -> Plan {
        let ssd = std::env::temp_dir();
        Plan {
            programs: vec![program],
            limits: vec![120, 60],
            study: vec![4],
            sizes: vec![0, 100],
            arms,
            rounds: 1,
            ssd,
        }
    }

    /// A program that touches 32 MiB, which are zeros.
    fn toucher() -> Program {
        Program::any(&["dd", "if=/dev/zero", "of=/dev/null", "bs=32M", "count=1"].map(Into::into))
    }

    #[test]
    fn each_arm_but_the_first_leaves_out_the_cell_without_swap() {
        let arms = vec![Arm::of_study(), Arm::Disk];
        let plan = plan(toucher(), arms);
        let cells = plan.cells(&plan.programs[0]);
        let shown: Vec<_> = cells
            .iter()
            .map(|cell| (cell.arm.name(), cell.machine.name.as_str(), cell.size_percent))
            .collect();
        let zram = |machine, size| ("zram lzo-rle".to_owned(), machine, size);
        let disk = |machine| ("our disk".to_owned(), machine, 100);
        let expected = [
            zram("120 %", 0),
            zram("120 %", 100),
            zram("60 %", 0),
            zram("60 %", 100),
            disk("120 %"),
            disk("60 %"),
        ];
        assert_eq!(shown, expected);
        assert_eq!(plan.keys().len(), 7);
    }

    #[test]
    fn a_program_that_needs_swap_is_out_of_memory_without_it() {
        let root = rustix::process::geteuid().is_root();
        if !root || !Path::new("/sys/class/zram-control").exists() {
            eprintln!("SKIPPED, not tested: a sweep takes root, and a kernel that has zram");
            return;
        }
        wait_for_swap();
        if let Err(why) = first_of_all() {
            eprintln!("SKIPPED, not tested: {why}");
            return;
        }
        let mut steps = Steps::in_memory("toy");
        let plan = plan(toucher(), vec![Arm::of_study()]);
        steps.plan(plan.keys()).unwrap();
        plan.run(&mut steps).unwrap();
        let cells = Data::of(steps.samples()).cells;
        let ending = |machine: &str, size| {
            let is = |cell: &&CellRun| cell.machine == machine && cell.size_percent == size;
            cells.iter().find(is).map(|cell| (cell.ending, cell.swap_peak_bytes > 0))
        };
        let fits = Some((Ending::Finished, false));
        assert_eq!(
            (ending("120 %", 0), ending("60 %", 0)),
            (fits, Some((Ending::Killed, false))),
            "{cells:?}"
        );
        assert_eq!(ending("60 %", 100).map(|(ending, _)| ending), Some(Ending::Finished), "{cells:?}");
        assert!(steps.samples().iter().all(|sample| sample.data != Value::Null));
        let taken: Vec<&str> = steps.samples().iter().map(|sample| sample.step.as_str()).collect();
        assert_eq!(taken, plan.keys());
        nothing_is_left();
    }

    /// Another test of this machine may swap for a moment.
    fn wait_for_swap() {
        for _ in 0..300 {
            if fs::read_to_string("/proc/swaps").unwrap().lines().count() < 2 {
                return;
            }
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    fn nothing_is_left() {
        let own = format!("{}{}-disksize", place::PREFIX, std::process::id());
        for group in group::own() {
            let names = fs::read_dir(&group.dir).unwrap().flatten().map(|entry| entry.file_name());
            let left: Vec<_> = names.filter(|name| name.to_string_lossy().starts_with(&own)).collect();
            assert!(left.is_empty(), "{left:?} in {}", group.dir.display());
        }
        let swaps = fs::read_to_string("/proc/swaps").unwrap();
        assert!(!swaps.contains("zram"), "{swaps}");
    }
}
