// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The data that a run stores and reads: pages in memory of their own.

pub mod pages;
pub mod vectors;

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use bytes::Bytes;
use fastrand::Rng;
use memmap2::MmapMut;
use serde::{Deserialize, Serialize};

use pages::PAGE;
use vectors::{Numbers, Vectors};

/// Where pages come from.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// Of a program's heap, by `--pages`.
    Real,
    /// Invented.
    Synthetic,
}

/// Whole pages, at an address that direct I/O takes.
pub struct Data {
    /// Where they come from.
    pub origin: Origin,
    bytes: MmapMut,
}

impl Data {
    /// `len` bytes of copies of the pages in `file`, or of their beginning.
    pub fn of_file(file: &Path, len: usize) -> Result<Data> {
        let shown = file.display();
        let opened = File::open(file).with_context(|| format!("cannot open {shown}"))?;
        let whole = opened.metadata()?.len();
        if whole == 0 || whole % PAGE as u64 != 0 {
            bail!("{shown} has {whole} bytes: it must be raw pages, a multiple of {PAGE}, and not empty");
        }
        let mut source = Vec::new();
        opened.take(len as u64).read_to_end(&mut source).with_context(|| format!("cannot read {shown}"))?;
        Data::filled(Origin::Real, len, |index, page| pages::of_copies(&source, index, page))
    }

    /// `len` bytes of copies of `source`, which is one page or more, and whole ones.
    pub fn of_pages(source: &[u8], len: usize) -> Result<Data> {
        Data::filled(Origin::Real, len, |index, page| pages::of_copies(source, index, page))
    }

    /// The same of a file of any length, without what it has beyond whole pages.
    pub fn of_any_file(file: &Path, len: usize) -> Result<Data> {
        let mut source = std::fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
        source.truncate(source.len() / PAGE * PAGE);
        if source.is_empty() {
            bail!("{} is shorter than a page", file.display());
        }
        Data::filled(Origin::Real, len, |index, page| pages::of_copies(&source, index, page))
    }

    /// `len` bytes in the likeness of small objects, a share of them random.
    pub fn synthetic(noise: f64, len: usize, seed: u64) -> Result<Data> {
        let mut rng = Rng::with_seed(seed);
        Data::filled(Origin::Synthetic, len, |_, page| pages::synthetic(&mut rng, noise, page))
    }

    /// `len` bytes of arrays of numbers.
    pub fn vectors(numbers: Numbers, len: usize, seed: u64) -> Result<Data> {
        let mut vectors = Vectors::new(numbers, seed);
        Data::filled(Origin::Synthetic, len, |_, page| vectors.fill(page))
    }

    fn filled(origin: Origin, len: usize, mut fill: impl FnMut(usize, &mut [u8])) -> Result<Data> {
        let mut bytes = MmapMut::map_anon(len).context("no memory for the pages to measure with")?;
        bytes.chunks_exact_mut(PAGE).enumerate().for_each(|(index, page)| fill(index, page));
        Ok(Data { origin, bytes })
    }

    /// All of them.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// All of them, to be sliced into requests that refer to them as those of a kernel do: nothing is copied.
    pub fn requests(self: &Arc<Data>) -> Bytes {
        Bytes::from_owner(Shared(self.clone()))
    }
}

struct Shared(Arc<Data>);

impl AsRef<[u8]> for Shared {
    fn as_ref(&self) -> &[u8] {
        self.0.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_pages_is_repeated_or_cut() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), [vec![1; PAGE], vec![2; PAGE]].concat()).unwrap();
        let first_bytes = |len| {
            let data = Data::of_file(file.path(), len).unwrap();
            data.bytes().chunks(PAGE).map(|page| page[0]).collect::<Vec<_>>()
        };
        assert_eq!((first_bytes(PAGE), first_bytes(3 * PAGE)), (vec![1], vec![1, 2, 1]));
    }

    #[test]
    fn half_a_page_is_refused() {
        let file = tempfile::NamedTempFile::new().unwrap();
        for wrong in [0, PAGE / 2] {
            std::fs::write(file.path(), vec![0; wrong]).unwrap();
            assert!(Data::of_file(file.path(), PAGE).is_err(), "{wrong}");
        }
    }
}
