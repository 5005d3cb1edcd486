// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Kinds of files that a JVM maps or keeps open.

use std::path::Path;

/// A kind of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FileKind {
    /// The JVM itself.
    Libjvm,
    /// An archive of classes, loaded as they are.
    Cds,
    /// Classes: jars, and the JDK's own modules.
    Jars,
    /// Other programs and libraries.
    Library,
    /// Anything else.
    Other,
}

/// The kind of a file by its name; `executable` says whether some of it is mapped to be run.
pub fn kind(path: &Path, executable: bool) -> FileKind {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let ends = |suffixes: &[&str]| suffixes.iter().any(|suffix| name.ends_with(suffix));
    match name.as_ref() {
        "libjvm.so" => FileKind::Libjvm,
        _ if ends(&[".jsa", ".aot"]) => FileKind::Cds,
        _ if ends(&[".jar", ".jmod", ".war"]) => FileKind::Jars,
        "modules" if path.parent().is_some_and(|folder| folder.ends_with("lib")) => FileKind::Jars,
        _ if executable || ends(&[".so"]) || name.contains(".so.") => FileKind::Library,
        _ => FileKind::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_known_by_their_names() {
        for (path, expected) in [
            ("/jdk/lib/server/libjvm.so", FileKind::Libjvm),
            ("/jdk/lib/server/classes_nocoops.jsa", FileKind::Cds),
            ("/jdk/lib/modules", FileKind::Jars),
            ("/app/a.jar", FileKind::Jars),
            ("/lib/libc.so.6", FileKind::Library),
            ("/lib/libnio.so", FileKind::Library),
            ("/app/modules", FileKind::Other),
            ("/tmp/hsperfdata_me/7", FileKind::Other),
        ] {
            assert_eq!(kind(Path::new(path), false), expected, "{path}");
        }
        assert_eq!(kind(Path::new("/bin/java"), true), FileKind::Library);
    }
}
