//! Compiles `range_test.c` against the header and the library, and runs it.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Where cargo put the library: beside this test, or one folder above.
fn library_dir() -> PathBuf {
    let test = std::env::current_exe().expect("the test has a path");
    let deps = test.parent().expect("the test is in a folder");
    let dirs = [deps, deps.parent().expect("deps is in a folder")];
    let found = dirs.into_iter().find(|dir| dir.join("libztera.so").exists());
    found.unwrap_or_else(|| panic!("libztera.so is not in {}", deps.display())).to_owned()
}

#[test]
fn c_program_uses_the_library() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let library = library_dir();
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join("range_test");
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    let compiled = Command::new(&compiler)
        .args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-O2", "-pthread", "-o"])
        .arg(&program)
        .arg(root.join("tests/range_test.c"))
        .arg("-I")
        .arg(root.join("include"))
        .arg("-L")
        .arg(&library)
        .args(["-lztera", "-ldl", &format!("-Wl,-rpath,{}", library.display())])
        .status()
        .unwrap_or_else(|error| panic!("cannot run the C compiler `{compiler}` (set CC): {error}"));
    assert!(compiled.success(), "the C program does not compile");

    // Cargo's own path comes before the program's, and may name an older library.
    let output =
        Command::new(&program).env("LD_LIBRARY_PATH", &library).output().expect("the C program starts");
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success() && stdout.trim() == "ok", "{}\n{stdout}\n{stderr}", output.status);
}
