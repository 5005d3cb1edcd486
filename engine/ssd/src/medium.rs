//! The file, and how bytes get to it and back.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};

use rustix::fs::{FallocateFlags, Mode, OFlags, SeekFrom};
use rustix::io::Errno;

use crate::awake::Awake;
use crate::patience::Patience;
use crate::signature;

/// An open file that has no name, or a block device. All methods may be called by any thread; buffers and offsets
/// are whole blocks.
#[derive(Debug)]
pub(crate) struct Medium {
    file: OwnedFd,
    /// Bytes of a device.
    device_len: Option<u64>,
    /// The medium that was opened.
    directory: PathBuf,
    awake: Awake,
}

const FLAGS: OFlags = OFlags::RDWR.union(OFlags::CLOEXEC);

impl Medium {
    /// A new file in the directory `at`, readable by its owner only, and gone with this process. If `at` is a block
    /// device, that: nobody else may use it meanwhile, and what was on it is lost. So there must be nothing that anybody
    /// knows: [`AlreadyExists`](io::ErrorKind::AlreadyExists).
    pub fn create(at: &Path) -> io::Result<Self> {
        ztera_fail::check("ssd.open")?;
        if std::fs::metadata(at)?.file_type().is_block_device() {
            return Self::take_device(at);
        }
        let file = match nameless(at, FLAGS | OFlags::DIRECT) {
            // A file system without direct I/O. The page cache then holds what is written once more.
            Err(Errno::INVAL) => nameless(at, FLAGS)?,
            file => file?,
        };
        Ok(Self { file, device_len: None, directory: at.to_owned(), awake: Awake::default() })
    }

    /// O_EXCL: not if it is mounted, or swapped to, or anybody else's.
    fn take_device(at: &Path) -> io::Result<Self> {
        let file = rustix::fs::open(at, FLAGS | OFlags::DIRECT | OFlags::EXCL, Mode::empty())?;
        signature::refuse(at)?;
        let len = rustix::fs::seek(&file, SeekFrom::End(0))?;
        Ok(Self { file, device_len: Some(len), directory: at.to_owned(), awake: Awake::default() })
    }

    /// The directory of the file, or the device.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Writes all of `bytes` at `offset`. After an error any part of them may have been written.
    pub fn write(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        if ztera_fail::at("ssd.write.lost").is_some() {
            return Ok(());
        }
        let mut done = 0;
        while done < bytes.len() {
            ztera_fail::check("ssd.write")?;
            let rest = &bytes[done..];
            // A short write ends at a block, so that what follows is still aligned.
            let rest = if ztera_fail::at("ssd.write.short").is_some() { &rest[..4096] } else { rest };
            match rustix::io::pwrite(&self.file, rest, offset + done as u64) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(n) => done += n,
                Err(Errno::INTR | Errno::AGAIN) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    /// Fills `bytes` with what is at `offset`, as far as the file goes; returns how many they are. A thread that has patience,
    /// as it needs the bytes, may stay awake until they are there.
    pub fn read(&self, bytes: &mut [u8], offset: u64, patience: Patience) -> io::Result<usize> {
        let mut done = 0;
        while done < bytes.len() {
            ztera_fail::check("ssd.read")?;
            match self.read_once(&mut bytes[done..], offset + done as u64, patience) {
                Ok(0) => break,
                Ok(n) => done += n,
                Err(Errno::INTR | Errno::AGAIN) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(done)
    }

    fn read_once(&self, bytes: &mut [u8], offset: u64, patience: Patience) -> rustix::io::Result<usize> {
        let awake = match patience {
            Patience::Some => self.awake.read(self.file.as_fd(), bytes, offset),
            Patience::None => None,
        };
        awake.map_or_else(|| rustix::io::pread(&self.file, bytes, offset), Ok)
    }

    /// Sees to it that the bytes can be written without the file system having to find room, or to change the
    /// file's size: ext4 lets nobody read meanwhile. Where it knows no such thing, that is how it will be.
    pub fn allocate(&self, offset: u64, len: u64) -> io::Result<()> {
        ztera_fail::check("ssd.allocate")?;
        match rustix::fs::fallocate(&self.file, FallocateFlags::empty(), offset, len) {
            Ok(()) | Err(Errno::OPNOTSUPP | Errno::INTR) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Gives the bytes back to the file system. Where it cannot, they stay taken until they are written again.
    pub fn make_hole(&self, offset: u64, len: u64) {
        if ztera_fail::at("ssd.hole").is_some() {
            return;
        }
        let flags = FallocateFlags::PUNCH_HOLE | FallocateFlags::KEEP_SIZE;
        let punched = rustix::fs::fallocate(&self.file, flags, offset, len);
        if punched.is_err() && self.is_device() {
            // A device that cannot write zeros without data may still forget what it has.
            let _ = discard(&self.file, offset, len);
        }
    }

    /// Whether it is a block device, which still has what was written when this process has ended.
    pub fn is_device(&self) -> bool {
        self.device_len.is_some()
    }

    /// Bytes that there are for us when nobody sets a limit: a device's, or most of what the file system has left.
    pub fn room(&self) -> io::Result<u64> {
        if let Some(len) = self.device_len {
            return Ok(len);
        }
        let stat = rustix::fs::fstatvfs(&self.file)?;
        Ok(stat.f_bavail * stat.f_frsize / 10 * 9)
    }

    /// Bytes that there can be at most.
    pub fn most(&self) -> u64 {
        self.device_len.unwrap_or(u64::MAX)
    }

    /// Bytes of the file system that the file takes now; 0 if it does not tell.
    pub fn allocated(&self) -> u64 {
        rustix::fs::fstat(&self.file).map_or(0, |stat| stat.st_blocks as u64 * 512)
    }
}

/// Has a block device forget bytes, whatever it reads there afterwards.
fn discard(device: &OwnedFd, offset: u64, len: u64) -> io::Result<()> {
    // As of linux/fs.h: _IO(0x12, 119), and two words.
    const BLKDISCARD: rustix::ioctl::Opcode = rustix::ioctl::opcode::none(0x12, 119);
    // SAFETY: the operation takes a pointer to a start and a length, which it only reads.
    unsafe {
        rustix::ioctl::ioctl(device, rustix::ioctl::Setter::<BLKDISCARD, [u64; 2]>::new([offset, len]))?
    };
    Ok(())
}

fn nameless(directory: &Path, flags: OFlags) -> rustix::io::Result<OwnedFd> {
    let mode = Mode::RUSR | Mode::WUSR;
    match rustix::fs::open(directory, flags | OFlags::TMPFILE, mode) {
        // File systems and kernels that know no O_TMPFILE take it for an attempt to write to a directory.
        Err(Errno::OPNOTSUPP | Errno::ISDIR | Errno::NOENT) => {}
        result => return result,
    }
    let name = directory.join(format!(".ztera-{}-{}", std::process::id(), ztera_sync::ticket()));
    let file = rustix::fs::open(&name, flags | OFlags::CREATE | OFlags::EXCL, mode)?;
    rustix::fs::unlink(&name)?;
    Ok(file)
}
