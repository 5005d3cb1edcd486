// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The text that is written: the Calgary corpus, as in the source.

use std::fs;
use std::io::Write;

use anyhow::{Context, Result};
use fastrand::Rng;
use tempfile::NamedTempFile;
use ztera_codec::{Packed, Packer, Settings};

use crate::frame::context::Scale;
use crate::kit::data::pages::PAGE;

/// The corpus in one file, beside the repository.
pub const CALGARY: &str = "../shared/data/calgary";

/// Pages of the sample that fio writes.
const PAGES: usize = 32;

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

    /// A file with pages of all parts of it. A request writes the front, so pages of average compressibility come
    /// first.
    pub fn sample(&self) -> Result<NamedTempFile> {
        let all: Vec<&[u8]> = self.pages().chunks_exact(PAGE).collect();
        let mut packer = Packer::new(Settings::default(), PAGE);
        let mut pages: Vec<(usize, &[u8])> = all
            .iter()
            .step_by((all.len() / PAGES).max(1))
            .map(|page| (packed(&mut packer, page), *page))
            .collect();
        let mean = pages.iter().map(|(len, _)| len).sum::<usize>() / pages.len().max(1);
        pages.sort_by_key(|(len, _)| len.abs_diff(mean));
        let mut file = tempfile::Builder::new().prefix("ztera-text-").tempfile()?;
        pages.iter().take(PAGES).try_for_each(|(_, page)| file.write_all(page))?;
        Ok(file)
    }
}

fn packed(packer: &mut Packer, page: &[u8]) -> usize {
    match packer.pack(page) {
        Packed::Same(_) => 0,
        Packed::Frame(frame) => frame.len(),
        Packed::Huge => page.len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sample_begins_with_an_average_page() {
        let mut text = Corpus::invented().0;
        text[..PAGE].fill(b' ');
        let sample = fs::read(Corpus(text).sample().unwrap().path()).unwrap();
        assert_eq!(sample.len(), PAGES * PAGE);
        assert!(sample[..PAGE].iter().any(|byte| *byte != b' '));
        assert!(sample[(PAGES - 1) * PAGE..].iter().all(|byte| *byte == b' '), "the oddest is the last");
    }
}
