//! `include/ztera.h` is what the Rust sources say.

use std::path::Path;

#[test]
fn header_is_fresh() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let committed = root.join("include/ztera.h");
    let config = cbindgen::Config::from_file(root.join("cbindgen.toml")).expect("cbindgen.toml is valid");
    let sources = ["config.rs", "range.rs", "staging.rs", "stats.rs"];
    let builder = sources.iter().fold(cbindgen::Builder::new().with_config(config), |builder, source| {
        builder.with_src(root.join("src").join(source))
    });
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
