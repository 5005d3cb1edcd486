// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The types of fields and elements.

use serde::Serialize;

/// As HPROF numbers them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
#[repr(u8)]
pub enum Type {
    /// An object or nothing.
    Reference = 2,
    /// 1 byte.
    Boolean = 4,
    /// 2 bytes.
    Char = 5,
    /// 4 bytes.
    Float = 6,
    /// 8 bytes.
    Double = 7,
    /// 1 byte.
    Byte = 8,
    /// 2 bytes.
    Short = 9,
    /// 4 bytes.
    Int = 10,
    /// 8 bytes.
    Long = 11,
}

impl Type {
    /// The type with this number.
    pub fn from_number(number: u8) -> Option<Type> {
        use Type::{Boolean, Byte, Char, Double, Float, Int, Long, Reference, Short};
        let types = [Reference, Boolean, Char, Float, Double, Byte, Short, Int, Long];
        types.into_iter().find(|kind| *kind as u8 == number)
    }

    /// Bytes of one where a reference takes `reference` bytes.
    pub fn bytes(self, reference: usize) -> usize {
        match self {
            Type::Reference => reference,
            Type::Boolean | Type::Byte => 1,
            Type::Char | Type::Short => 2,
            Type::Float | Type::Int => 4,
            Type::Double | Type::Long => 8,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_name_types() {
        let named: Vec<u8> =
            (0..=255).filter(|&n| Type::from_number(n).is_some_and(|t| t as u8 == n)).collect();
        assert_eq!(named, [2, 4, 5, 6, 7, 8, 9, 10, 11]);
        assert_eq!(Type::from_number(3), None);
    }
}
