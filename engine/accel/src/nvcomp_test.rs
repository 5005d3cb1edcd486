use std::path::Path;
use std::time::Duration;

use super::sizes::LARGEST;
use super::*;
use crate::offload::{Accelerator, Made, Options};
use ztera_codec::{Packer, Settings};

/// A library with the functions of both: the real ones need a GPU.
fn fake(dir: &Path, options: &[&str]) -> String {
    crate::fake::library(dir, "fake_nvcomp", options)
}

fn open(dir: &Path, options: &[&str]) -> io::Result<NvComp> {
    let library = fake(dir, options);
    NvComp::open_with(LEVEL, &library, &library)
}

#[test]
fn a_missing_library_is_named() {
    let dir = tempfile::tempdir().expect("a folder");
    let library = fake(dir.path(), &[]);
    for (cuda, nvcomp, named) in [
        (
            "libcuda-that-is-not-there.so.1",
            library.as_str(),
            "libcuda-that-is-not-there.so.1 (NVIDIA's driver)",
        ),
        (library.as_str(), "libnvcomp-that-is-not-there.so.6", "(PyPI: nvidia-libnvcomp-cu12)"),
    ] {
        let error = NvComp::open_with(LEVEL, cuda, nvcomp).err().expect("it is not there");
        assert!(error.to_string().contains(named), "{error}");
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
    }
}

#[test]
fn without_a_gpu_it_says_so() {
    let dir = tempfile::tempdir().expect("a folder");
    let error = open(dir.path(), &["-DNO_GPU"]).err().expect("there is none");
    assert_eq!(error.kind(), io::ErrorKind::NotFound);
    assert!(error.to_string().contains("error 100"), "{error}");
}

/// Offers units, and gives back those outputs that decode to them.
fn compress(device: NvComp, units: &[Vec<u8>]) -> (Vec<bool>, Accelerator) {
    let options = Options { deadline: Duration::from_secs(60), ..Options::default() };
    let accelerator = Accelerator::start(Box::new(device), options).expect("a thread");
    let mut packer = Packer::new(Settings::default(), LARGEST);
    let tickets = accelerator.offer(units.iter().map(Vec::as_slice));
    let is_made = units.iter().zip(tickets).map(|(unit, ticket)| {
        let mut back = vec![1; unit.len()];
        let mut decodes = |frame: &[u8]| packer.unpack(frame, &mut back).is_ok() && back == *unit;
        let made = accelerator.wait(&ticket.expect("the queue has room"), &mut decodes);
        matches!(made, Ok(Made::Frame(_)))
    });
    (is_made.collect(), accelerator)
}

#[test]
fn units_of_several_batches_and_sizes_are_what_the_cpu_decodes() {
    let dir = tempfile::tempdir().expect("a folder");
    let device = open(dir.path(), &[]).expect("the fake has a GPU");
    // The fake finds runs of whole units only, which is enough to make them shorter.
    let units: Vec<Vec<u8>> = (0..BATCH + 20).map(|i| vec![i as u8; 4096 << (i % 5)]).collect();
    let (is_made, accelerator) = compress(device, &units);
    assert_eq!(is_made, vec![true; units.len()]);
    assert_eq!(accelerator.stats().offloaded_units, units.len() as u64);
}

#[test]
fn a_unit_that_fails_does_not_take_its_batch_with_it() {
    let dir = tempfile::tempdir().expect("a folder");
    let device = open(dir.path(), &[]).expect("the fake has a GPU");
    let mut mixed = vec![7; 4096];
    mixed[9] = 8;
    let (is_made, accelerator) =
        compress(device, &[vec![1; 4096], mixed, vec![2; 4096], vec![3; 2 * LARGEST]]);
    assert_eq!(is_made, [true, false, true, false]);
    let stats = accelerator.stats();
    assert_eq!((stats.offloaded_units, stats.failed_units, stats.too_long_units), (2, 1, 1));
}

#[test]
fn an_output_that_is_wrong_is_found() {
    let dir = tempfile::tempdir().expect("a folder");
    let device = open(dir.path(), &["-DWRONG"]).expect("the fake has a GPU");
    let (is_made, accelerator) = compress(device, &[vec![1; 4096]]);
    assert_eq!((is_made, accelerator.stats().wrong_units), (vec![false], 1));
}

#[test]
fn a_gpu_without_room_is_an_error() {
    let dir = tempfile::tempdir().expect("a folder");
    let error = open(dir.path(), &["-DNO_MEMORY"]).err().expect("there is no room");
    assert!(error.to_string().contains("no room for a batch, or failed (error 2)"), "{error}");
}
