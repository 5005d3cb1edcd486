//! Compiles `range_test.c` against the header and the library, and runs it. And what the library cannot do.

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

/// A promise of docs/security.md: it has no way to another machine, or to another process by a socket.
#[test]
fn the_library_opens_no_connection() {
    let library = library_dir().join("libztera.so");
    let listed = Command::new("nm").args(["-D", "--undefined-only"]).arg(library).output();
    let listed = listed.expect("binutils are beside each C compiler");
    let listed = String::from_utf8(listed.stdout).expect("names");
    let calls: Vec<&str> = listed
        .lines()
        .filter_map(|line| line.split_whitespace().last())
        .map(|name| name.split('@').next().unwrap_or(name))
        .collect();
    assert!(calls.contains(&"mmap") || calls.contains(&"mmap64"), "{calls:?}");
    let network = ["socket", "connect", "bind", "listen", "accept", "accept4", "sendto", "getaddrinfo"];
    assert!(calls.iter().all(|call| !network.contains(call)), "{calls:?}");
}
