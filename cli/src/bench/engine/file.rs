// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The arms that map a file: on zram, on an SSD, in memory.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use memmap2::{Advice, Mmap, MmapMut, MmapOptions};
use rustix::fs::{MemfdFlags, fadvise, memfd_create};
use tempfile::TempDir;

use super::latency::Latency;
use super::pages::PAGE;
use super::reader::{Memory, Reading};
use crate::bench::filesystem;
use crate::bench::zram::ZramFs;
use crate::units::MIB;

/// Where the file is. What is dropped with it unmounts and removes.
enum Home {
    Zram(ZramFs),
    Ssd { _dir: TempDir },
    Memory,
}

/// How often the page cache is asked to forget a file.
const COLD_TRIES: usize = 50;

/// A file with the data in it, on disk and not in the page cache.
pub struct Mapped {
    /// As in the report.
    pub name: String,
    // Closed before its home goes.
    file: File,
    home: Home,
    len: usize,
}

/// What the touches of an arm took, and the DRAM in use after them.
pub struct Touched {
    /// Per touch.
    pub latency: Latency,
    /// All of them.
    pub reading: Reading,
    /// Compressed pages and cached ones.
    pub dram: u64,
}

impl Mapped {
    /// On ext4 on a zram device of its own.
    pub fn on_zram(algorithm: &str, bytes: &[u8]) -> Result<Mapped> {
        // Room for what ext4 needs and keeps free.
        let fs = ZramFs::create(bytes.len() as u64 * 2 + 64 * MIB, algorithm, None)?;
        let file = create(fs.path())?;
        Mapped::filled(format!("mmap-zram-{algorithm}"), file, Home::Zram(fs), bytes)
    }

    /// On the disk that `dir` lies on.
    pub fn on_ssd(dir: &Path, bytes: &[u8]) -> Result<Mapped> {
        filesystem::disk(dir)?;
        let dir = tempfile::Builder::new().prefix("ztera-bench-").tempdir_in(dir)?;
        let file = create(dir.path())?;
        Mapped::filled("mmap-ssd".to_owned(), file, Home::Ssd { _dir: dir }, bytes)
    }

    /// In memory, uncompressed: what the kernel needs for the fault alone.
    pub fn in_memory(bytes: &[u8]) -> Result<Mapped> {
        let file = File::from(memfd_create("ztera-bench", MemfdFlags::CLOEXEC)?);
        Mapped::filled("mmap-tmpfs".to_owned(), file, Home::Memory, bytes)
    }

    fn filled(name: String, mut file: File, home: Home, bytes: &[u8]) -> Result<Mapped> {
        file.write_all(bytes).with_context(|| format!("cannot write the file of {name}"))?;
        let mapped = Mapped { name, file, home, len: bytes.len() };
        mapped.make_cold()?;
        Ok(mapped)
    }

    /// Reads a word at each offset for the first time. `bytes` is what is in the file.
    ///
    /// The kernel maps 16 pages around a read that finds them in memory already. So in memory, words are written.
    pub fn touch(&self, offsets: &[usize], bytes: &[u8]) -> Result<Touched> {
        self.make_cold()?;
        let (latency, reading) = if let Home::Memory = self.home {
            let mut map = self.map_writable()?;
            // SAFETY: the mapping outlives its use here, and nobody else has the file.
            let memory = unsafe { Memory::new(map.as_mut_ptr(), map.len()) };
            // SAFETY: it is mapped for writing.
            unsafe { memory.overwrite(offsets, bytes) }
        } else {
            let map = self.map()?;
            map.advise(Advice::Random)?;
            memory(&map).touch(offsets)
        };
        Ok(Touched { latency, reading, dram: self.dram()? })
    }

    /// Reads all of it for the first time, with the read-ahead that the kernel chooses.
    pub fn scan(&self) -> Result<Reading> {
        self.make_cold()?;
        let map = self.map()?;
        Ok(memory(&map).scan())
    }

    fn map(&self) -> Result<Mmap> {
        // SAFETY: nobody else has the file, and it keeps its length.
        Ok(unsafe { MmapOptions::new().len(self.len).map(&self.file)? })
    }

    fn map_writable(&self) -> Result<MmapMut> {
        // SAFETY: as above.
        Ok(unsafe { MmapOptions::new().len(self.len).map_mut(&self.file)? })
    }

    /// Throws its pages out of the page cache. Nobody has them mapped.
    fn make_cold(&self) -> Result<()> {
        if let Home::Memory = self.home {
            return Ok(());
        }
        self.file.sync_all()?;
        // The kernel passes over pages that it is busy with.
        for _ in 0..COLD_TRIES {
            fadvise(&self.file, 0, None, rustix::fs::Advice::DontNeed)?;
            if self.cached_pages()? == 0 {
                return Ok(());
            }
            thread::sleep(Duration::from_millis(20));
        }
        bail!("the kernel keeps {} pages of {} in its cache", self.cached_pages()?, self.name)
    }

    fn cached_pages(&self) -> Result<usize> {
        let map = self.map()?;
        let mut states = vec![0_u8; self.len.div_ceil(PAGE)];
        // SAFETY: exactly our mapping, and a byte for each of its pages.
        let result = unsafe { libc::mincore(map.as_ptr() as *mut _, map.len(), states.as_mut_ptr()) };
        if result != 0 {
            return Err(std::io::Error::last_os_error()).context("mincore");
        }
        Ok(states.iter().filter(|&&state| state & 1 != 0).count())
    }

    fn dram(&self) -> Result<u64> {
        let compressed = match &self.home {
            Home::Zram(fs) => fs.memory_used().context("zram has no mm_stat")?,
            Home::Ssd { .. } | Home::Memory => 0,
        };
        Ok(compressed + (self.cached_pages()? * PAGE) as u64)
    }
}

fn create(dir: &Path) -> Result<File> {
    let path = dir.join("pages");
    let created = OpenOptions::new().read(true).write(true).create_new(true).open(&path);
    created.with_context(|| format!("cannot create {}", path.display()))
}

fn memory(map: &Mmap) -> Memory {
    // SAFETY: who calls keeps the mapping while it uses the result, and nobody else has the file.
    unsafe { Memory::new(map.as_ptr().cast_mut(), map.len()) }
}
