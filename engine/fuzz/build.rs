//! Makes what the C codecs' branches count visible to libFuzzer.

fn main() {
    println!("cargo:rerun-if-changed=fuzzers/coverage.c");
    #[cfg(feature = "libfuzzer")]
    cc::Build::new().file("fuzzers/coverage.c").link_lib_modifier("+whole-archive").compile("ztera_coverage");
}
