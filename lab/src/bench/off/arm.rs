// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The JVM that the workloads run on.

use ztera_machine::jvm_flags::H2Flags;
use ztera_machine::units::GIB;

/// A JVM, and whether it has a second heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arm {
    /// The stock JDK.
    Stock,
    /// The view without H2.
    View,
    /// The stock JDK once more, for the noise.
    StockAgain,
    /// The view with H2, and nothing in it.
    ViewH2,
}

impl Arm {
    /// Those that run, the one that all are compared with first.
    pub fn wanted(empty_h2: bool) -> Vec<Arm> {
        let mut arms = vec![Arm::Stock, Arm::View, Arm::StockAgain];
        if empty_h2 {
            arms.push(Arm::ViewH2);
        }
        arms
    }

    /// As it is shown.
    pub fn name(self) -> &'static str {
        match self {
            Arm::Stock => "stock",
            Arm::View => "view",
            Arm::StockAgain => "stock-again",
            Arm::ViewH2 => "view-h2",
        }
    }

    /// Whether it is the stock JDK.
    pub fn is_stock(self) -> bool {
        matches!(self, Arm::Stock | Arm::StockAgain)
    }

    /// The options of its JVM beside those of all.
    pub fn options(self) -> Vec<String> {
        match self {
            Arm::ViewH2 => H2Flags { size: GIB, ..H2Flags::default() }.arguments(),
            _ => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_arm_has_h2() {
        let with = |arm: &&Arm| !arm.options().is_empty();
        assert_eq!(Arm::wanted(true).iter().filter(with).collect::<Vec<_>>(), [&Arm::ViewH2]);
        assert_eq!(Arm::wanted(false).iter().find(with), None);
    }
}
