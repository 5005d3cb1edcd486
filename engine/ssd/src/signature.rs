//! Whether a block device holds something that its owner would miss, as mkfs looks before it writes.
//!
//! libblkid knows file systems, swap, RAID, encrypted disks and tables of partitions. It comes with util-linux, and is
//! loaded only where a device is taken.

use std::ffi::{CStr, c_char, c_int};
use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::path::Path;
use std::ptr;

use libloading::Library;

/// Where the library is.
const LIBRARY: &str = "libblkid.so.1";

/// `blkid_probe` of blkid.h, whose contents are the library's own.
type Probe = *mut std::ffi::c_void;
type New = unsafe extern "C" fn() -> Probe;
type Free = unsafe extern "C" fn(Probe);
type SetDevice = unsafe extern "C" fn(Probe, c_int, i64, i64) -> c_int;
type Enable = unsafe extern "C" fn(Probe, c_int) -> c_int;
type Run = unsafe extern "C" fn(Probe) -> c_int;
type Lookup = unsafe extern "C" fn(Probe, *const c_char, *mut *const c_char, *mut usize) -> c_int;

/// Fails with [`AlreadyExists`](io::ErrorKind::AlreadyExists) if the device has a signature, and also if nobody can tell.
pub(crate) fn refuse(device: &Path) -> io::Result<()> {
    match look(LIBRARY, &File::open(device)?)? {
        None => Ok(()),
        Some(kind) => Err(io::Error::new(
            io::ErrorKind::AlreadyExists,
            format!(
                "{shown} holds data ({kind}); name another device, or erase their signature with `wipefs --all {shown}`",
                shown = device.display()
            ),
        )),
    }
}

/// The kind of what `device` holds, as blkid names it.
fn look(library: &str, device: &File) -> io::Result<Option<String>> {
    let missing = |error: libloading::Error| {
        let why = format!(
            "{library}, which tells whether a device holds data, cannot be had (Debian: libblkid1): {error}"
        );
        io::Error::new(io::ErrorKind::Unsupported, why)
    };
    // SAFETY: a system library, whose initialisers do nothing that others could notice.
    let library = unsafe { Library::new(library) }.map_err(missing)?;
    // SAFETY: the names' types are those of blkid.h. A pointer is used while `library` is loaded only; the device is open.
    unsafe {
        let new = library.get::<New>(c"blkid_new_probe").map_err(missing)?;
        let free = library.get::<Free>(c"blkid_free_probe").map_err(missing)?;
        let set_device = library.get::<SetDevice>(c"blkid_probe_set_device").map_err(missing)?;
        let partitions = library.get::<Enable>(c"blkid_probe_enable_partitions").map_err(missing)?;
        let run = library.get::<Run>(c"blkid_do_fullprobe").map_err(missing)?;
        let lookup = library.get::<Lookup>(c"blkid_probe_lookup_value").map_err(missing)?;
        let probe = new();
        if probe.is_null() {
            return Err(io::ErrorKind::OutOfMemory.into());
        }
        let ready = set_device(probe, device.as_raw_fd(), 0, 0) == 0 && partitions(probe, 1) == 0;
        let found = match if ready { run(probe) } else { -1 } {
            0 => Ok(Some(kind(probe, &lookup))),
            1 => Ok(None),
            _ => Err(io::Error::other("libblkid cannot tell whether the device holds data")),
        };
        free(probe);
        found
    }
}

/// # Safety
/// `probe` is one of the library that has found something.
unsafe fn kind(probe: Probe, lookup: &Lookup) -> String {
    let value = |name: &CStr| {
        let mut text = ptr::null();
        // SAFETY: both names and variables live as long as the call; a text lives as long as the probe.
        let found =
            unsafe { lookup(probe, name.as_ptr(), &raw mut text, ptr::null_mut()) == 0 && !text.is_null() };
        // SAFETY: values that are asked for by these names are C strings.
        found.then(|| unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned())
    };
    let partitions = || value(c"PTTYPE").map(|table| format!("a table of partitions, {table}"));
    value(c"TYPE").or_else(partitions).unwrap_or_else(|| "of an unknown kind".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::FileExt;

    /// A file of 4 MiB, which the library takes as well as a device.
    fn file() -> File {
        let file = tempfile::tempfile().unwrap();
        file.set_len(4 << 20).unwrap();
        file
    }

    #[test]
    fn signatures_are_found_and_random_bytes_have_none() {
        let file = file();
        assert_eq!(look(LIBRARY, &file).unwrap(), None);
        let random = ztera_kit::noise(7, 1 << 20);
        file.write_all_at(&random, 0).unwrap();
        assert_eq!(look(LIBRARY, &file).unwrap(), None);
        // The first page of swap: a version, the last page's number, and words at the end.
        file.write_all_at(&[0; 4096], 0).unwrap();
        file.write_all_at(&[1, 0, 0, 0, 255, 3, 0, 0], 1024).unwrap();
        file.write_all_at(b"SWAPSPACE2", 4096 - 10).unwrap();
        assert_eq!(look(LIBRARY, &file).unwrap().as_deref(), Some("swap"));
    }

    #[test]
    fn tables_of_partitions_count() {
        let file = file();
        // One Linux partition from the second MiB on, and the sign of the table.
        let entry = [0, 0, 0, 0, 0x83, 0, 0, 0, 0, 8, 0, 0, 0, 8, 0, 0];
        file.write_all_at(&entry, 446).unwrap();
        file.write_all_at(&[0x55, 0xaa], 510).unwrap();
        assert_eq!(look(LIBRARY, &file).unwrap().as_deref(), Some("a table of partitions, dos"));
    }

    #[test]
    fn a_device_is_refused_where_nobody_can_tell() {
        let error = look("libnothing.so.1", &file()).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::Unsupported);
        assert!(error.to_string().contains("Debian: libblkid1"), "{error}");
    }
}
