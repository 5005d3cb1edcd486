//! How the command is linked.

fn main() {
    // The folder that hotspot/build/old-glibc.sh prints.
    if let Ok(old) = std::env::var("ZTERA_OLD_GLIBC") {
        println!("cargo::rustc-link-arg-bins=-L{old}");
    }
    println!("cargo::rerun-if-env-changed=ZTERA_OLD_GLIBC");
    println!("cargo::rerun-if-changed=build.rs");
}
