//! How libztera.so is linked.

fn main() {
    // LLD packs segments so that code begins within a page. jhsdb then takes that library's part of a core file for
    // something else, and opens none of it, if the code ends at the wrong place ("address conflict").
    println!("cargo::rustc-link-arg-cdylib=-Wl,-z,separate-code");
    // The folder that hotspot/build/old-glibc.sh prints.
    if let Ok(old) = std::env::var("ZTERA_OLD_GLIBC") {
        println!("cargo::rustc-link-arg-cdylib=-L{old}");
    }
    println!("cargo::rerun-if-env-changed=ZTERA_OLD_GLIBC");
    println!("cargo::rerun-if-changed=build.rs");
}
