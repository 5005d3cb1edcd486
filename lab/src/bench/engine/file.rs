// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The arms that map a file: on zram, on an SSD, in memory.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use memmap2::{Mmap, MmapMut, MmapOptions};
use rustix::fs::{MemfdFlags, fadvise, memfd_create};
use tempfile::TempDir;
use ztera_machine::units::MIB;

use super::latency::Latency;
use super::limit::Limit;
use super::order::scattered;
use super::read_mapped::{Answer, in_child};
use super::reader::{Memory, Reading};
use crate::kit::data::pages::PAGE;
use crate::kit::filesystem;
use crate::kit::zram_fs::ZramFs;

/// Where the file is. Its drop unmounts and removes.
enum Home {
    Zram(ZramFs),
    Ssd(TempDir),
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
    /// None if all of it may be in the page cache.
    limit: Option<Limit>,
}

/// The cost of the touches of an arm, and the DRAM in use after them.
pub struct Touched {
    /// Per touch.
    pub latency: Latency,
    /// All of them.
    pub reading: Reading,
    /// Compressed pages and cached ones.
    pub dram: u64,
}

impl Home {
    /// The file's name, if it has one.
    fn file(&self) -> Option<PathBuf> {
        let dir = match self {
            Home::Zram(fs) => fs.path(),
            Home::Ssd(dir) => dir.path(),
            Home::Memory => return None,
        };
        Some(dir.join("pages"))
    }
}

impl Mapped {
    /// On ext4 on a zram device of its own.
    pub fn on_zram(algorithm: &str, bytes: &[u8]) -> Result<Mapped> {
        let limit = Limit::of(bytes.len())?;
        Mapped::filled(format!("mmap-zram-{algorithm}"), zram(algorithm, bytes.len())?, Some(limit), bytes)
    }

    /// The same with all of it in the page cache: the difference is what eviction costs. Its name is not like the
    /// others', as no ratio is made of it.
    pub fn roomy_on_zram(algorithm: &str, bytes: &[u8]) -> Result<Mapped> {
        Mapped::filled(format!("mmap-zram-roomy-{algorithm}"), zram(algorithm, bytes.len())?, None, bytes)
    }

    /// On the disk that `dir` lies on.
    pub fn on_ssd(dir: &Path, bytes: &[u8]) -> Result<Mapped> {
        let (dir, _) = filesystem::folder_on_disk(dir)?;
        let limit = Limit::of(bytes.len())?;
        Mapped::filled("mmap-ssd".to_owned(), Home::Ssd(dir), Some(limit), bytes)
    }

    /// In memory, uncompressed: what the kernel needs for the fault alone.
    pub fn in_memory(bytes: &[u8]) -> Result<Mapped> {
        Mapped::filled("mmap-tmpfs".to_owned(), Home::Memory, None, bytes)
    }

    fn filled(name: String, home: Home, limit: Option<Limit>, bytes: &[u8]) -> Result<Mapped> {
        let mut file = match home.file() {
            Some(path) => create(&path)?,
            None => File::from(memfd_create("ztera-bench", MemfdFlags::CLOEXEC)?),
        };
        file.write_all(bytes).with_context(|| format!("cannot write the file of {name}"))?;
        let mapped = Mapped { name, file, home, len: bytes.len(), limit };
        mapped.make_cold()?;
        Ok(mapped)
    }

    /// Reads a word at each of the offsets of `seed` for the first time. `bytes` is what is in the file.
    pub fn touch(&self, bytes: &[u8], seed: u64) -> Result<Touched> {
        let Answer { latency, reading } = match self.home.file() {
            Some(file) => self.read_in_child(&file, Some(seed))?,
            None => self.overwrite(bytes, seed)?,
        };
        Ok(Touched { latency, reading, dram: self.dram()? })
    }

    /// Reads all of it for the first time, with the read-ahead that the kernel chooses.
    pub fn scan(&self) -> Result<Reading> {
        match self.home.file() {
            Some(file) => Ok(self.read_in_child(&file, None)?.reading),
            None => Ok(memory(&self.map()?).scan()),
        }
    }

    /// The page cache is charged to who reads first: so the file is cold, and only the child reads it.
    fn read_in_child(&self, file: &Path, touch: Option<u64>) -> Result<Answer> {
        self.make_cold()?;
        let cgroup = self.limit.map(Limit::cgroup).transpose()?;
        let answer = in_child(file, touch, cgroup.as_ref())?;
        if let Some((limit, cgroup)) = self.limit.zip(cgroup) {
            limit.check(&cgroup, self.cached()?)?;
        }
        Ok(answer)
    }

    /// The kernel maps 16 pages around a read that finds them in memory already. So in memory, words are written.
    fn overwrite(&self, bytes: &[u8], seed: u64) -> Result<Answer> {
        let mut map = self.map_writable()?;
        // SAFETY: the mapping outlives its use here, and nobody else has the file.
        let memory = unsafe { Memory::new(map.as_mut_ptr(), map.len()) };
        // SAFETY: it is mapped for writing.
        let (latency, reading) = unsafe { memory.overwrite(&scattered(self.len, seed), bytes) };
        Ok(Answer { latency, reading })
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

    /// Bytes of it in the page cache.
    fn cached(&self) -> Result<u64> {
        Ok((self.cached_pages()? * PAGE) as u64)
    }

    fn dram(&self) -> Result<u64> {
        let compressed = match &self.home {
            Home::Zram(fs) => fs.memory_used().context("zram has no mm_stat")?,
            Home::Ssd(_) | Home::Memory => 0,
        };
        Ok(compressed + self.cached()?)
    }
}

fn zram(algorithm: &str, len: usize) -> Result<Home> {
    // Room for what ext4 needs and keeps free.
    Ok(Home::Zram(ZramFs::create(len as u64 * 2 + 64 * MIB, algorithm, None)?))
}

fn create(path: &Path) -> Result<File> {
    let created = OpenOptions::new().read(true).write(true).create_new(true).open(path);
    created.with_context(|| format!("cannot create {}", path.display()))
}

fn memory(map: &Mmap) -> Memory {
    // SAFETY: who calls keeps the mapping while it uses the result, and nobody else has the file.
    unsafe { Memory::new(map.as_ptr().cast_mut(), map.len()) }
}
