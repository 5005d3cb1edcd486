//! Stand-ins for libraries that need a device, made from C files in `tests/`.

use std::path::Path;
use std::process::Command;

/// The library of `tests/NAME.c`, compiled with `options` to a file in `dir`; its path.
pub(crate) fn library(dir: &Path, name: &str, options: &[&str]) -> String {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/{name}.c"));
    let library = dir.join(format!("lib{name}.so")).display().to_string();
    let status = Command::new("cc")
        .args(["-shared", "-fPIC", "-Wall", "-Werror", "-o", &library])
        .args(options)
        .arg(source)
        .status()
        .expect("a C compiler");
    assert!(status.success());
    library
}
