//! The backends, as people choose them: `model`, `model:instances=4`, `qatzip`, `nvcomp`, `nvcomp:5`.

use std::str::FromStr;
use std::{fmt, io};

use crate::device::Device;
use crate::model::{Model, Params};
use crate::nvcomp::{self, NvComp};
use crate::qatzip::QatZip;

/// A backend, and what it is like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Backend {
    /// A model of a device, for tests and estimates.
    Model(Params),
    /// Intel QuickAssist, or what its library takes in its place, by `libqatzip.so.3`.
    QatZip,
    /// A GPU, by `libnvcomp.so.6`, and a level of its.
    NvComp(u8),
}

impl Backend {
    /// Opens it. An error says what is missing.
    pub fn open(&self) -> io::Result<Box<dyn Device>> {
        Ok(match *self {
            Self::Model(params) => Box::new(Model::start(params)?),
            Self::QatZip => Box::new(QatZip::open()?),
            Self::NvComp(level) => Box::new(NvComp::open(level)?),
        })
    }
}

/// A text that names no backend; says which there are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoBackend(String);

impl fmt::Display for NoBackend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NoBackend {}

impl FromStr for Backend {
    type Err = NoBackend;

    fn from_str(text: &str) -> Result<Self, NoBackend> {
        match text.split_once(':').unwrap_or((text, "")) {
            ("model", params) => params.parse().map(Self::Model).map_err(NoBackend),
            ("qatzip", "") => Ok(Self::QatZip),
            ("nvcomp", "") => Ok(Self::NvComp(nvcomp::LEVEL)),
            ("nvcomp", level) => {
                let known = level.parse().ok().filter(|level| nvcomp::LEVELS.contains(level));
                let none = || NoBackend(format!("nvcomp has no level `{level}`: give one from 0 to 5"));
                known.map(Self::NvComp).ok_or_else(none)
            }
            _ => Err(NoBackend(format!(
                "`{text}` is no accelerator; there are model, model:NAME=VALUE,.., qatzip, nvcomp and nvcomp:LEVEL"
            ))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_backend_is_chosen_by_its_name() {
        assert_eq!("model".parse(), Ok(Backend::Model(Params::default())));
        assert!(matches!("model:instances=3".parse(), Ok(Backend::Model(Params { instances: 3, .. }))));
        assert_eq!("qatzip".parse(), Ok(Backend::QatZip));
        assert_eq!("nvcomp".parse(), Ok(Backend::NvComp(nvcomp::LEVEL)));
        assert_eq!("nvcomp:5".parse(), Ok(Backend::NvComp(5)));
        for wrong in ["", "gpu", "qatzip:1", "model:x=1", "nvcomp:6", "nvcomp:x"] {
            assert!(wrong.parse::<Backend>().is_err(), "{wrong}");
        }
    }
}
