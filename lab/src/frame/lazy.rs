// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Things that are set up at the first step that needs them.

use anyhow::Result;

/// Such a thing. A run that goes on may have all of its steps behind it, and never set it up.
pub struct Lazy<T>(Option<T>);

impl<T> Default for Lazy<T> {
    fn default() -> Self {
        Lazy(None)
    }
}

impl<T> Lazy<T> {
    /// The thing, made now if it is not there yet.
    pub fn get(&mut self, make: impl FnOnce() -> Result<T>) -> Result<&T> {
        if self.0.is_none() {
            self.0 = Some(make()?);
        }
        Ok(self.0.as_ref().expect("it was made"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::bail;

    #[test]
    fn it_is_made_once_and_tried_again() {
        let mut lazy = Lazy::default();
        assert!(lazy.get(|| bail!("no zram")).is_err());
        assert_eq!(*lazy.get(|| Ok(1)).unwrap(), 1);
        assert_eq!(*lazy.get(|| panic!("it is there")).unwrap(), 1);
    }
}
