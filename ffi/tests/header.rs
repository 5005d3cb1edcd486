//! `include/ztera.h` is what the Rust sources say.

use std::fmt::Write;
use std::path::Path;

/// `zt_stats`, which a macro makes of the definitions: cbindgen does not see into macros.
fn stats() -> String {
    let mut source =
        "/// A snapshot of a range's statistics. Pages are of 4 KiB; times are sums over threads.\n\
        #[repr(C)]\npub struct zt_stats {\n\
        /// In: sizeof(zt_stats) of the caller. Out: how many bytes of it were filled in.\n pub size: u32,\n\
        /// 0.\n pub reserved: u32,\n"
            .to_owned();
    for statistic in ztera_metrics::ALL {
        writeln!(source, "/// {}\npub {}: u64,", statistic.meaning, statistic.name).expect("memory");
    }
    source + "}\n"
}

#[test]
fn header_is_fresh() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let committed = root.join("include/ztera.h");
    let config = cbindgen::Config::from_file(root.join("cbindgen.toml")).expect("cbindgen.toml is valid");
    let generated = tempfile::NamedTempFile::new().expect("a temporary file");
    std::fs::write(generated.path(), stats()).expect("it can be written");
    let sources = ["config.rs", "log.rs", "lz4.rs", "range.rs", "staging.rs", "stats.rs"];
    let builder = cbindgen::Builder::new().with_config(config).with_src(generated.path());
    let builder =
        sources.iter().fold(builder, |builder, source| builder.with_src(root.join("src").join(source)));
    let mut fresh = Vec::new();
    builder.generate().expect("the sources make a header").write(&mut fresh);
    if std::env::var_os("ZTERA_BLESS").is_some() {
        std::fs::write(&committed, &fresh).expect("the header can be written");
    }
    let old = std::fs::read(&committed).unwrap_or_default();
    assert!(
        old == fresh,
        "{} is stale: run `ZTERA_BLESS=1 cargo test -p ztera-ffi --test header` and commit it",
        committed.display()
    );
}
