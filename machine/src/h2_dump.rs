// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The pages of a running JVM's second heap, by GC.h2_dump.

use std::path::Path;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::jvm::Jvm;

/// Makes the JVM write the pages of its H2, or of one label in it, to `file`, which must not exist.
pub fn dump(jvm: &Jvm, label: Option<i64>, file: &Path) -> Result<()> {
    check(&jvm.h2_info()?)?;
    // The JVM may be in another directory.
    let file = std::path::absolute(file)?;
    let (name, label) = (quoted(&file)?, label.map(|label| label.to_string()));
    let request: Vec<&str> = ["GC.h2_dump", &name].into_iter().chain(label.as_deref()).collect();
    let said = jvm.ask(&request)?;
    let bytes = file.metadata().map(|metadata| metadata.len());
    match (bytes, label) {
        (Ok(0), Some(label)) => {
            std::fs::remove_file(&file)?;
            bail!("H2 has nothing with label {label}; `ztera stat PID` lists the labels")
        }
        (Ok(bytes), _) if bytes > 0 && said.contains("written to") => Ok(()),
        (Ok(_), _) => bail!("the JVM did not write all pages: {}", said.trim()),
        (Err(error), _) => bail!(
            "the JVM did not write {}, or did so where this process does not see it ({error}); name a file with --out \
             that the JVM's user may make, and run this in the JVM's container. The JVM said: {}",
            file.display(),
            said.trim()
        ),
    }
}

/// Whether there is something to write.
fn check(info: &Value) -> Result<()> {
    if info["enabled"] != true {
        bail!("this is a ZTera JVM, and its second heap is off: give it -XX:H2Size");
    }
    if info["used_bytes"] == 0 {
        bail!(
            "the second heap is empty: nothing has moved there yet; tag a group with H2.tag, \
             and wait for a full GC"
        );
    }
    Ok(())
}

/// As jcmd takes it.
fn quoted(file: &Path) -> Result<String> {
    let name = file.to_str().context("the file's name must be UTF-8")?;
    Ok(if name.contains(char::is_whitespace) { format!("\"{name}\"") } else { name.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_has_no_pages_is_explained() {
        let refusal = |info| check(&info).unwrap_err().to_string();
        assert!(refusal(json!({"enabled": false})).contains("-XX:H2Size"));
        assert!(refusal(json!({"enabled": true, "used_bytes": 0})).contains("is empty"));
        assert!(check(&json!({"enabled": true, "used_bytes": 5})).is_ok());
    }

    #[test]
    fn names_with_spaces_are_quoted() {
        let quoted = |name: &str| quoted(Path::new(name)).unwrap();
        assert_eq!((quoted("/a/b"), quoted("/a b")), ("/a/b".to_owned(), "\"/a b\"".to_owned()));
    }
}
