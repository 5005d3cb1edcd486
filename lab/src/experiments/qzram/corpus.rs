// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The text that is written: the Calgary corpus, as in the source.

use std::fs;

use anyhow::{Context, Result};
use fastrand::Rng;

use crate::frame::context::Scale;
use crate::kit::data::pages::PAGE;

/// The corpus in one file, beside the repository.
pub const CALGARY: &str = "../shared/data/calgary";
/// The contents of that file, and who has them.
pub const CONTENTS: &str = "the Calgary corpus, one file of the sample data of github.com/intel/qatlib,";

/// A text.
pub struct Corpus(Vec<u8>);

impl Corpus {
    /// The corpus, or an invented text at the scale whose numbers mean nothing.
    pub fn of(scale: Scale) -> Result<Corpus> {
        match scale {
            Scale::Tiny => Ok(Corpus::invented()),
            _ => Ok(Corpus(fs::read(CALGARY).with_context(|| format!("cannot read {CALGARY}"))?)),
        }
    }

    /// 256 KiB of made-up words.
    pub fn invented() -> Corpus {
        let mut random = Rng::with_seed(1);
        let mut text = Vec::new();
        while text.len() < 64 * PAGE {
            let letters = random.usize(2..9);
            let first = random.u8(b'a'..=b'p');
            text.extend((0..letters as u8).map(|letter| first + letter));
            text.push(b' ');
        }
        text.truncate(64 * PAGE);
        Corpus(text)
    }

    /// All of it.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// Without the rest behind the last whole page.
    pub fn pages(&self) -> &[u8] {
        &self.0[..self.0.len() / PAGE * PAGE]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_whole() {
        assert_eq!(Corpus(vec![7; 3 * PAGE - 1]).pages().len(), 2 * PAGE);
        let invented = Corpus::invented();
        assert_eq!(invented.pages(), invented.bytes());
    }
}
