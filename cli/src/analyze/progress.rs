// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Says on standard error how much has been read: a bar on a terminal, a line now and then elsewhere.

use std::io::IsTerminal;

use indicatif::{ProgressBar, ProgressStyle};
use ztera_machine::interrupt;
use ztera_machine::units::{MIB, show_size};

/// Between two plain lines, in percent.
const PLAIN_STEP: u64 = 20;

/// Less than this is read at once.
const WORTH_A_LINE: u64 = 256 * MIB;

/// How much of `total` bytes has been read.
pub struct Progress {
    total: u64,
    bar: Option<ProgressBar>,
    /// Percent at the last plain line.
    told: u64,
}

impl Progress {
    /// Nothing yet.
    pub fn new(total: u64) -> Self {
        let bar = std::io::stderr().is_terminal().then(|| bar(total));
        Self { total, bar, told: 0 }
    }

    /// So many bytes. Fails if this process was asked to end.
    pub fn reached(&mut self, bytes: u64) -> anyhow::Result<()> {
        interrupt::check()?;
        if let Some(bar) = &self.bar {
            bar.set_position(bytes);
        } else if let Some(percent) = self.due(bytes) {
            eprintln!("  {percent} % of {} read", show_size(self.total));
        }
        Ok(())
    }

    /// The percentage, if it is time to tell it.
    fn due(&mut self, bytes: u64) -> Option<u64> {
        let percent = bytes.saturating_mul(100) / self.total.max(1);
        let due = self.total >= WORTH_A_LINE && percent / PLAIN_STEP > self.told / PLAIN_STEP;
        due.then(|| {
            self.told = percent;
            percent
        })
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn bar(total: u64) -> ProgressBar {
    let style =
        ProgressStyle::with_template("  [{bar:30}] {percent:>3} % of {binary_total_bytes} read, {eta} left");
    let bar = ProgressBar::new(total);
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_lines_are_few() {
        let mut progress = Progress { total: 1000 * MIB, bar: None, told: 0 };
        let told: Vec<_> = (0..=1000).filter_map(|mib| progress.due(mib * MIB)).collect();
        assert_eq!(told, [20, 40, 60, 80, 100]);
        let mut short = Progress { total: MIB, bar: None, told: 0 };
        assert_eq!(short.due(MIB), None);
    }
}
