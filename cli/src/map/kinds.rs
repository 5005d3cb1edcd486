// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The area of a mapping that the JVM said nothing about, by its kind.

use std::path::Path;

use ztera_machine::process::files::{self, FileKind};
use ztera_machine::process::mapping::Mapping;
use ztera_machine::process::smaps::Entry;

use super::area::Area;

/// An arena of glibc's malloc begins at a multiple of this, and is no larger.
const ARENA: u64 = 64 << 20;

/// Facts of a process by which its mappings are told apart.
#[derive(Clone, Copy, Debug, Default)]
pub struct Owner<'o> {
    /// The stack pointers of all threads.
    pub stacks: &'o [u64],
    /// Whether it is a JVM whose second heap is on.
    pub has_h2: bool,
}

/// The area of `entry`, which follows `before`, in a process of this kind.
pub fn area(entry: &Entry, before: Option<&Entry>, owner: Owner) -> Area {
    let mapping = &entry.mapping;
    match mapping.name.as_str() {
        "[heap]" => return Area::Malloc,
        "[stack]" => return Area::Stacks,
        name if name.starts_with("[v") => return Area::Kernel,
        name if name.starts_with("/memfd:java_heap") => return Area::Heap,
        _ => (),
    }
    if let Some(area) = of_file(mapping) {
        return area;
    }
    match before {
        _ if mapping.shared => Area::Shared,
        _ if !(mapping.readable || mapping.writable || mapping.executable) => Area::Reserved,
        _ if owner.stacks.iter().any(|pointer| mapping.range.contains(pointer)) => Area::Stacks,
        // The engine keeps its memory from child processes and from huge pages.
        _ if owner.has_h2 && entry.has("dc") && entry.has("nh") => Area::H2Pool,
        _ if is_arena(entry) => Area::Malloc,
        Some(before) if is_zeroed_data(mapping, &before.mapping) => {
            of_file(&before.mapping).unwrap_or(Area::Other)
        }
        _ => Area::Other,
    }
}

fn of_file(mapping: &Mapping) -> Option<Area> {
    // Shared memory without a file has a deleted one of this name.
    let path = mapping.path().filter(|path| *path != Path::new("/dev/zero"))?;
    Some(match files::kind(path, mapping.executable) {
        FileKind::Libjvm => Area::Libjvm,
        FileKind::Cds => Area::Cds,
        FileKind::Jars => Area::Jars,
        FileKind::Library => Area::Libraries,
        FileKind::Other => Area::Files,
    })
}

/// glibc reserves an arena without accounting, and makes its beginning writable.
fn is_arena(entry: &Entry) -> bool {
    let range = &entry.mapping.range;
    let in_place = range.start.is_multiple_of(ARENA) && entry.mapping.len() <= ARENA;
    in_place && entry.mapping.writable && entry.has("nr") && !entry.has("nh")
}

/// A library's variables that begin as zeros lie behind those that its file has.
fn is_zeroed_data(mapping: &Mapping, before: &Mapping) -> bool {
    before.range.end == mapping.range.start && before.writable && mapping.writable
}

#[cfg(test)]
mod tests {
    use super::*;
    use ztera_machine::process::smaps;

    fn areas(lines: &[(&str, &str)], owner: Owner) -> Vec<Area> {
        let text: String = lines.iter().map(|(head, flags)| format!("{head}\nVmFlags: {flags}\n")).collect();
        let entries = smaps::parse(&text);
        let before = |index: usize| index.checked_sub(1).map(|before| &entries[before]);
        entries.iter().enumerate().map(|(index, entry)| area(entry, before(index), owner)).collect()
    }

    #[test]
    fn each_kind_has_its_area() {
        let lines = [
            ("00100000-00200000 rw-p 00000000 00:00 0   [heap]", "rd wr ac"),
            ("00200000-00300000 rw-p 00000000 fe:00 7   /jdk/lib/server/libjvm.so", "rd wr ac"),
            ("00300000-00400000 rw-p 00000000 00:00 0 ", "rd wr ac"),
            ("00400000-00500000 r--p 00000000 fe:00 8   /jdk/lib/modules", "rd"),
            ("00500000-00600000 r--p 00000000 fe:00 9   /usr/lib/locale", "rd"),
            ("00600000-00700000 rw-p 00000000 00:00 0 ", "rd wr ac"),
            ("00700000-00800000 ---p 00000000 00:00 0 ", "nr"),
            ("00800000-00900000 rw-s 00000000 00:01 5   /memfd:x (deleted)", "rd wr"),
            ("00900000-00a00000 rw-p 00000000 00:00 0 ", "rd wr dc nr nh"),
            ("04000000-04100000 rw-p 00000000 00:00 0 ", "rd wr nr"),
            ("04100000-04200000 rw-p 00000000 00:00 0 ", "rd wr ac"),
            ("04200000-04300000 r-xp 00000000 00:00 0   [vdso]", "rd ex"),
        ];
        let expected = [
            Area::Malloc,
            Area::Libjvm,
            Area::Libjvm,
            Area::Jars,
            Area::Files,
            Area::Stacks,
            Area::Reserved,
            Area::Shared,
            Area::H2Pool,
            Area::Malloc,
            Area::Other,
            Area::Kernel,
        ];
        assert_eq!(areas(&lines, Owner { stacks: &[0x6f_0000], has_h2: true }), expected);
    }

    #[test]
    fn memory_that_children_do_not_inherit_need_not_be_the_engine_s() {
        let of_library = [("00900000-00a00000 rw-p 00000000 00:00 0 ", "rd wr dc")];
        assert_eq!(areas(&of_library, Owner { stacks: &[], has_h2: true }), [Area::Other]);
        let like_the_engine_s = [("00900000-00a00000 rw-p 00000000 00:00 0 ", "rd wr dc nr nh")];
        assert_eq!(areas(&like_the_engine_s, Owner::default()), [Area::Other]);
    }
}
