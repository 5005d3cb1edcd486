//! A codec and its level, also as people write them: `lz4`, `zstd:3`, `deflate`.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use crate::codec::CodecKind;

/// The codec of new objects. Old ones say themselves how they were made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Settings {
    /// The codec.
    pub kind: CodecKind,
    /// zstd, deflate: its level; lz4: its acceleration. 0 = the codec's default.
    pub level: i32,
}

impl CodecKind {
    /// Every codec.
    pub const ALL: [Self; 3] = [Self::Lz4, Self::Zstd, Self::Deflate];

    /// The name by which people choose it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Lz4 => "lz4",
            Self::Zstd => "zstd",
            Self::Deflate => "deflate",
        }
    }

    /// Its levels; 0 = its default.
    pub fn levels(self) -> RangeInclusive<i32> {
        match self {
            Self::Lz4 => 0..=65537,
            Self::Zstd => -7..=22,
            Self::Deflate => 0..=12,
        }
    }
}

impl fmt::Display for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.level {
            0 => f.write_str(self.kind.name()),
            level => write!(f, "{}:{level}", self.kind.name()),
        }
    }
}

/// A text that names no codec, or no level of it; says which there are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoCodec(String);

impl fmt::Display for NoCodec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NoCodec {}

impl FromStr for Settings {
    type Err = NoCodec;

    fn from_str(text: &str) -> Result<Self, NoCodec> {
        let (name, level) = text.split_once(':').unwrap_or((text, "0"));
        let Some(kind) = CodecKind::ALL.into_iter().find(|kind| kind.name() == name) else {
            let names = CodecKind::ALL.map(CodecKind::name).join(", ");
            return Err(NoCodec(format!("`{name}` is no codec; there are {names}")));
        };
        let levels = kind.levels();
        match level.parse() {
            Ok(level) if levels.contains(&level) => Ok(Self { kind, level }),
            _ => Err(NoCodec(format!(
                "`{level}` is no level of {name}, which has {} to {}",
                levels.start(),
                levels.end()
            ))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_codec_may_have_a_level() {
        for (text, kind, level) in [
            ("lz4", CodecKind::Lz4, 0),
            ("zstd:-3", CodecKind::Zstd, -3),
            ("deflate:9", CodecKind::Deflate, 9),
        ] {
            let settings = Settings { kind, level };
            assert_eq!(text.parse(), Ok(settings));
            assert_eq!(settings.to_string(), text);
        }
        for wrong in ["lzo", "", "zstd:99", "zstd:", "lz4:x", "deflate:13"] {
            assert!(wrong.parse::<Settings>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn every_codec_has_a_name_of_its_own() {
        for kind in CodecKind::ALL {
            assert_eq!(kind.name().parse(), Ok(Settings { kind, level: 0 }));
        }
    }
}
