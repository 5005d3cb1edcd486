//! The tier alone: records in, out, and gone.

use std::collections::HashMap;
use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use libc::{EIO, ENOMEM, ENOSPC};
use tempfile::TempDir;
use ztera_fail::{Failure, Scenario};
use ztera_kit::{Random, noise};
use ztera_ssd::{Cause, Config, Patience, Place, Purpose, Reach, ReadError, Tier, WriteError};

const MIB: u64 = 1 << 20;

/// How often a record is read before it is given up.
const TRIES: u64 = 5;

/// The directory is a fresh one, and stays empty: the file has no name. Tests that let nothing fail have a
/// scenario too: else they would meet the failures of those that run beside them.
fn open(limit: u64) -> (Tier, Scenario, TempDir) {
    open_with(|config| config.limit = Some(limit))
}

fn open_with(configure: impl FnOnce(&mut Config)) -> (Tier, Scenario, TempDir) {
    let scenario = Scenario::begin();
    let directory = tempfile::tempdir().expect("a directory for the file");
    let mut config = Config::new(directory.path());
    configure(&mut config);
    let tier = Tier::open(&config).expect("a new file");
    assert_eq!(std::fs::read_dir(directory.path()).expect("the directory").count(), 0);
    (tier, scenario, directory)
}

fn contents(key: u32, version: u32, len: usize) -> Vec<u8> {
    noise(u64::from(key) << 32 | u64::from(version), len)
}

/// Writes as many of `records` as fit into one batch; returns their places, none if the file is full.
fn write(tier: &Tier, records: &[(u32, Vec<u8>)]) -> std::io::Result<Vec<Place>> {
    let mut batch = tier.batch();
    for (key, bytes) in records {
        if !batch.push(*key, bytes) {
            break;
        }
    }
    match tier.write(&mut batch, Purpose::Write) {
        Ok(places) => Ok(places),
        Err(WriteError::Full) => Ok(Vec::new()),
        Err(WriteError::Io(error)) => Err(error),
    }
}

/// The places of a segment's records, four of each of eight keys and a last one of key 9, after which it is closed: it has
/// room for that one, and not enough for another.
fn full_segment(tier: &Tier) -> Vec<Place> {
    let records: Vec<_> = (0..8).map(|key| (key, contents(key, 0, 30_000))).collect();
    let mut places: Vec<_> = (0..4).flat_map(|_| write(tier, &records).expect("the disk works")).collect();
    places.extend(write(tier, &[(9, contents(9, 0, 60_000))]).expect("the disk works"));
    assert_eq!(places.len(), 33);
    places
}

fn read(tier: &Tier, place: Place, key: u32) -> Result<Vec<u8>, ReadError> {
    let mut buffer = Tier::read_buffer(64 << 10);
    tier.read(place, key, &mut buffer, Reach::Around, Patience::Some).map(<[u8]>::to_vec)
}

fn is_corrupt(read: Result<Vec<u8>, ReadError>) -> bool {
    matches!(read, Err(ReadError { cause: Cause::Corrupt, .. }))
}

#[test]
fn what_is_written_is_read_back_until_it_is_freed() {
    for encrypt in [false, true] {
        write_and_read_back(encrypt);
    }
}

fn write_and_read_back(encrypt: bool) {
    let (tier, _scenario, _directory) = open_with(|config| {
        config.limit = Some(128 * MIB);
        config.encrypt = encrypt;
    });
    let room = tier.room();
    let mut live: HashMap<u32, (Place, Vec<u8>)> = HashMap::new();
    let mut random = Random(1);
    for version in 0..300 {
        let records: Vec<_> = (0..1 + random.below(100))
            .map(|_| {
                let key = random.below(2000) as u32;
                let len = if random.below(8) == 0 { 1 + random.below(65536) } else { 1 + random.below(4096) };
                (key, contents(key, version, len))
            })
            .collect();
        let places = write(&tier, &records).expect("the disk works");
        for (place, (key, bytes)) in places.into_iter().zip(records) {
            if let Some((old, _)) = live.insert(key, (place, bytes)) {
                tier.free(old);
            }
        }
        for _ in 0..20 {
            let key = random.below(2000) as u32;
            if let Some((place, bytes)) = live.get(&key) {
                assert!(read(&tier, *place, key).expect("readable") == *bytes, "key {key}");
            }
        }
        assert_eq!(tier.stats().bd_count, live.len() as u64);
    }
    assert!(tier.stats().bd_writes > 5_000 && live.len() > 1000);
    for (key, (place, bytes)) in live.drain() {
        assert!(read(&tier, place, key).expect("readable") == bytes);
        tier.free(place);
    }
    tier.make_holes();
    let stats = tier.stats();
    assert_eq!((stats.bd_count, stats.bd_used, stats.bd_errors), (0, 0, 0));
    assert_eq!(tier.room(), room);
    assert_eq!(tier.allocated(), 0, "all of it is with the file system again");
}

#[test]
fn a_full_file_says_so_and_takes_more_when_something_was_freed() {
    let (tier, _scenario, _directory) = open(2 * MIB + 4096);
    let records: Vec<_> = (0..4).map(|key| (key, contents(key, 0, 60_000))).collect();
    let mut places = Vec::new();
    loop {
        let written = write(&tier, &records).expect("the disk works");
        if written.is_empty() {
            break;
        }
        places.extend(written);
    }
    assert_eq!((places.len(), tier.room(), tier.stats().bd_limit), (32, 0, 2 * MIB));
    places.drain(..16).for_each(|place| tier.free(place));
    tier.make_holes();
    assert_eq!(tier.room(), MIB);
    assert_eq!(write(&tier, &records).expect("the disk works").len(), 4);
    for (i, place) in places.iter().enumerate() {
        assert!(read(&tier, *place, i as u32 % 4).expect("readable") == contents(i as u32 % 4, 0, 60_000));
    }
}

#[test]
fn a_write_that_fails_leaves_nothing_behind() {
    let (tier, scenario, _directory) = open(2 * MIB);
    let records = [(1, contents(1, 0, 50_000)), (2, contents(2, 0, 50_000))];
    let kept = write(&tier, &records).expect("the disk works");
    for errno in [ENOSPC, EIO] {
        scenario.fail("ssd.write.short", Failure::Errno(0)).times(1);
        scenario.fail("ssd.write", Failure::Errno(errno)).after(1).times(1);
        let error = write(&tier, &records).expect_err("it has to fail");
        assert_eq!(error.raw_os_error(), Some(errno));
    }
    assert_eq!((tier.stats().bd_count, tier.stats().bd_errors), (2, 2));
    scenario.mend();
    let again = write(&tier, &records).expect("the disk works again");
    for places in [kept, again] {
        for (place, (key, bytes)) in places.into_iter().zip(&records) {
            assert!(read(&tier, place, *key).expect("readable") == *bytes);
            tier.free(place);
        }
    }
    tier.make_holes();
    assert_eq!((tier.stats().bd_used, tier.allocated()), (0, 0));
}

#[test]
fn a_disk_that_fails_has_no_room_until_it_works_again() {
    let (tier, scenario, _directory) = open(8 * MIB);
    let room = tier.room();
    assert!(room > 0);
    for point in ["ssd.write", "ssd.allocate"] {
        scenario.fail(point, Failure::Errno(ENOSPC)).times(1);
        assert!(write(&tier, &[(1, contents(1, 0, 100))]).is_err(), "{point}");
        assert_eq!(tier.room(), 0);
        let place = write(&tier, &[(1, contents(1, 0, 100))]).expect("it works again")[0];
        assert!(tier.room() > 0);
        tier.free(place);
        tier.make_holes();
    }
    assert_eq!(tier.room(), room);
}

/// Threads that want room while the disk fails would read a segment each, again and again, for nothing.
#[test]
fn nothing_is_cleaned_just_after_a_write_failed() {
    let (tier, scenario, _directory) = open(8 * MIB);
    let places = full_segment(&tier);
    places[1..].iter().for_each(|place| tier.free(*place));
    let wait = std::time::Duration::from_millis(100);
    let before = std::time::Instant::now();
    scenario.fail("ssd.write", Failure::Errno(EIO)).times(1);
    assert!(write(&tier, &[(1, contents(1, 0, 100))]).is_err());
    let found = tier.sparsest();
    // A machine that is busy may have let that time pass.
    assert!(found.is_none() || before.elapsed() >= wait);
    std::thread::sleep(wait);
    found.into_iter().for_each(|sparse| tier.was_not_cleaned(sparse));
    let sparse = tier.sparsest().expect("nearly all of it is freed");
    assert_eq!(tier.sparsest(), None, "it was found already");
    tier.was_not_cleaned(sparse);
    assert_eq!(tier.sparsest(), Some(sparse));
}

/// Cleaning gives it up, and nothing is lost: what is left of it may be readable, and goes like any other record.
#[test]
fn a_segment_that_cannot_be_read_is_not_cleaned() {
    let (tier, scenario, _directory) = open(8 * MIB);
    let places = full_segment(&tier);
    places[1..32].iter().for_each(|place| tier.free(*place));
    let sparse = tier.sparsest().expect("nearly all of it is freed");
    scenario.fail("ssd.read", Failure::Errno(EIO)).times(1);
    assert!(tier.each_record(sparse, |_, _, _| panic!("nothing was read")).is_err());
    assert_eq!(tier.sparsest(), None, "others have their turn");
    assert!(read(&tier, places[0], 0).expect("this block is fine") == contents(0, 0, 30_000));
    assert_eq!(tier.stats().bd_used, MIB);
    [0, 32].into_iter().for_each(|last| tier.free(places[last]));
    tier.make_holes();
    assert_eq!(tier.stats().bd_used, 0, "nothing is left of it");
}

/// Reading on reads what nobody asked for yet. If the disk cannot give that, it is not the trouble of who asked.
#[test]
fn a_bad_block_behind_a_record_does_not_fail_it() {
    let (tier, scenario, _directory) = open(MIB);
    let records: Vec<_> = (0..20).map(|key| (key, contents(key, 0, 4000))).collect();
    let places = write(&tier, &records).expect("the disk works");
    scenario.fail("ssd.read", Failure::Errno(EIO)).times(1);
    let mut buffer = Tier::read_buffer(16 << 10);
    assert!(
        tier.read(places[3], 3, &mut buffer, Reach::Records(16), Patience::Some)
            .expect("its own blocks are fine")
            == records[3].1
    );
    assert_eq!((scenario.failed("ssd.read"), tier.stats().bd_errors), (1, 0));
}

/// One EIO ended the program, although the disk gave the bytes a moment later.
///
/// Situation: failing devices: a read of the SSD fails up to four times. Outcome: the right bytes.
#[test]
fn a_read_that_fails_is_made_again() {
    let (tier, scenario, _directory) = open(MIB);
    let place = write(&tier, &[(5, contents(5, 0, 5000))]).expect("the disk works")[0];
    for (point, errno) in [("ssd.read", EIO), ("ssd.read", ENOMEM), ("ssd.corrupt", 0)] {
        scenario.fail(point, Failure::Errno(errno)).times(TRIES - 1);
        assert!(read(&tier, place, 5).expect("it works the last time") == contents(5, 0, 5000));
        assert_eq!((scenario.failed(point), tier.stats().bd_errors), (TRIES - 1, 0), "{point} {errno}");
        scenario.mend();
    }
}

/// A bad record of a unit that nobody had asked for was read five times, with pauses, while a thread waited for another.
#[test]
fn a_record_that_nobody_needs_is_read_once() {
    let (tier, scenario, _directory) = open(MIB);
    let place = write(&tier, &[(5, contents(5, 0, 5000))]).expect("the disk works")[0];
    let mut buffer = Tier::read_buffer(64 << 10);
    for (point, errno) in [("ssd.read", EIO), ("ssd.corrupt", 0)] {
        scenario.fail(point, Failure::Errno(errno)).times(1);
        assert!(tier.read(place, 5, &mut buffer, Reach::Around, Patience::None).is_err(), "{point}");
        assert_eq!((scenario.failed(point), tier.stats().bd_errors), (1, 0), "{point}");
        assert!(read(&tier, place, 5).expect("its reader may have it") == contents(5, 0, 5000));
        scenario.mend();
    }
}

#[test]
fn an_error_names_its_cause_and_its_place() {
    let (tier, scenario, directory) = open(MIB);
    let records = [(4, contents(4, 0, 5000)), (5, contents(5, 0, 5000))];
    let place = write(&tier, &records).expect("the disk works")[1];
    scenario.fail("ssd.read", Failure::Errno(EIO));
    let text = read(&tier, place, 5).expect_err("the disk does not read").to_string();
    let at = format!("(os error 5); 5 times, at byte 5056 of {}", directory.path().display());
    assert!(text.starts_with("reading from the SSD tier: ") && text.ends_with(&at), "{text}");
}

/// Each block that is read besides its own is used, or is not read the next time.
#[test]
fn some_records_that_follow_are_read_too() {
    let (tier, _scenario, _directory) = open(MIB);
    let records: Vec<_> = (0..60).map(|key| (key, contents(key, 0, 4000))).collect();
    let places = write(&tier, &records).expect("the disk works");
    let mut buffer = Tier::read_buffer(16 << 10);
    let mut read_bytes = |key: usize| {
        let before = tier.stats().bd_read_bytes;
        let bytes =
            tier.read(places[key], key as u32, &mut buffer, Reach::Around, Patience::Some).expect("readable");
        assert!(bytes == records[key].1);
        tier.stats().bd_read_bytes - before
    };
    assert_eq!([10, 11, 13, 12].map(&mut read_bytes), [32 << 10, 0, 0, 0]);
    assert_eq!(read_bytes(25), 32 << 10, "it was of use");
    assert!(read_bytes(40) <= 8 << 10, "it was not");
    assert_eq!(read_bytes(50), 32 << 10, "another try");
}

/// Short records and long ones: what is wanted, and little more.
#[test]
fn as_many_records_are_read_as_are_wanted() {
    for len in [1000, 4000, 9000, 16 << 10] {
        let (tier, _scenario, _directory) = open(MIB);
        let records: Vec<_> = (0..20).map(|key| (key, contents(key, 0, len))).collect();
        let places = write(&tier, &records).expect("the disk works");
        let mut buffer = Tier::read_buffer(16 << 10);
        for (key, wanted) in (3..7).zip([4, 3, 2, 1]) {
            let bytes = tier
                .read(places[key], key as u32, &mut buffer, Reach::Records(wanted), Patience::Some)
                .expect("readable");
            assert!(bytes == records[key].1);
        }
        let read = tier.stats().bd_read_bytes as usize;
        assert!((4 * len..4 * len + (17 << 10)).contains(&read), "{read} for 4 of {len}");
    }
}

/// Nothing behind the last one that is wanted, also where what was read before was of no use.
#[test]
fn records_are_read_through_the_last_one() {
    let (tier, _scenario, _directory) = open(MIB);
    let records: Vec<_> = (0..40).map(|key| (key, contents(key, 0, 4000))).collect();
    let places = write(&tier, &records).expect("the disk works");
    let mut buffer = Tier::read_buffer(16 << 10);
    let mut read = |key: usize, reach| {
        let before = tier.stats().bd_read_bytes;
        let bytes = tier.read(places[key], key as u32, &mut buffer, reach, Patience::Some).expect("readable");
        assert!(bytes == records[key].1);
        (tier.stats().bd_read_bytes - before) as usize
    };
    read(30, Reach::Around);
    let through = Reach::along(places[3..19].iter().copied());
    let bytes = (3..19).map(|key| read(key, through)).sum::<usize>();
    assert!((16 * 4000..18 * 4096).contains(&bytes), "{bytes}");
    assert!(read(19, Reach::Records(1)) <= 8192, "it was not read before");
}

#[test]
fn a_short_write_is_gone_on_with() {
    let (tier, scenario, _directory) = open(MIB);
    scenario.fail("ssd.write.short", Failure::Errno(0)).times(5);
    let records = [(9, contents(9, 0, 65_536)), (8, contents(8, 0, 100))];
    let places = write(&tier, &records).expect("the disk works");
    assert_eq!(scenario.failed("ssd.write.short"), 5);
    for (place, (key, bytes)) in places.into_iter().zip(&records) {
        assert!(read(&tier, place, *key).expect("readable") == *bytes);
    }
}

#[test]
fn what_is_not_what_was_written_is_never_returned() {
    let (tier, scenario, _directory) = open(MIB);
    let place = write(&tier, &[(5, contents(5, 0, 5000))]).expect("the disk works")[0];
    assert!(is_corrupt(read(&tier, place, 6)), "another's record");
    scenario.fail("ssd.corrupt", Failure::Errno(0)).times(TRIES);
    assert!(is_corrupt(read(&tier, place, 5)), "a flipped bit");
    scenario.fail("ssd.read", Failure::Errno(EIO)).times(TRIES);
    let error = read(&tier, place, 5).expect_err("the disk does not read");
    let text = error.to_string();
    assert!(matches!(error.cause, Cause::Io(error) if error.raw_os_error() == Some(EIO)), "{text}");
    assert_eq!(tier.stats().bd_errors, 3);
    assert!(read(&tier, place, 5).expect("readable") == contents(5, 0, 5000));
}

/// The place and the key are the same ones, the bytes of the first life are still well formed: only the
/// segment's life tells that a write was lost.
#[test]
fn bytes_of_an_earlier_life_are_not_taken_for_new_ones() {
    let (tier, scenario, _directory) = open(MIB);
    scenario.fail("ssd.hole", Failure::Errno(0));
    let old = write(&tier, &[(5, contents(5, 0, 5000))]).expect("the disk works")[0];
    tier.free(old);
    tier.make_holes();
    scenario.fail("ssd.write.lost", Failure::Errno(0));
    let new = write(&tier, &[(5, contents(5, 1, 5000))]).expect("the disk claims to work")[0];
    assert_eq!((new, scenario.failed("ssd.hole"), scenario.failed("ssd.write.lost")), (old, 1, 1));
    assert!(is_corrupt(read(&tier, new, 5)));
}

#[test]
fn what_cannot_be_opened_is_an_error() {
    let config = Config::new("/no/such/directory");
    assert_eq!(Tier::open(&config).expect_err("there is none").kind(), ErrorKind::NotFound);
    let directory = tempfile::tempdir().expect("a directory");
    let config = Config { limit: Some(MIB - 1), ..Config::new(directory.path()) };
    assert_eq!(Tier::open(&config).expect_err("too small").kind(), ErrorKind::InvalidInput);
    let config = Config { write_rate: Some(MIB - 1), ..Config::new(directory.path()) };
    assert_eq!(Tier::open(&config).expect_err("too slow").kind(), ErrorKind::InvalidInput);
}

/// The file of a tier: it has no name, but we have it open.
fn open_file(directory: &Path) -> PathBuf {
    let mut files = std::fs::read_dir("/proc/self/fd").expect("our open files").filter_map(|file| {
        let link = file.ok()?.path();
        std::fs::read_link(&link).ok()?.starts_with(directory).then_some(link)
    });
    files.next().expect("the file is open")
}

/// The bytes on the medium, as somebody with the disk in hands would find them.
fn on_medium(directory: &Path) -> Vec<u8> {
    std::fs::read(open_file(directory)).expect("readable")
}

#[test]
fn a_file_has_no_name_and_is_its_owners() {
    let (_tier, _scenario, directory) = open(MIB);
    assert_eq!(std::fs::read_dir(directory.path()).expect("it is there").count(), 0);
    let file = open_file(directory.path()).metadata().expect("it is open");
    assert_eq!((file.nlink(), file.mode() & 0o777), (0, 0o600));
}

#[test]
fn what_is_encrypted_is_not_found_on_the_medium() {
    for encrypt in [false, true] {
        let (tier, _scenario, directory) = open_with(|config| config.encrypt = encrypt);
        let secret = b"what nobody else is to know ".repeat(20);
        let place = write(&tier, &[(5, secret.clone())]).expect("the disk works")[0];
        let found = on_medium(directory.path()).windows(12).any(|window| window == b"nobody else ");
        assert_eq!(found, !encrypt);
        assert!(read(&tier, place, 5).expect("readable") == secret);
    }
}

#[test]
fn a_writer_above_the_rate_waits() {
    let (tier, _scenario, _directory) = open_with(|config| config.write_rate = Some(MIB));
    let write = |round| write(&tier, &[(1, contents(1, round, 60_000))]).expect("the disk works");
    write(0);
    assert_eq!(tier.stats().bd_wait_ns, 0);
    // Some of them come in time, however slow the disk is at times.
    (1..10).for_each(|round| _ = write(round));
    assert!(tier.stats().bd_wait_ns > 0);
}

#[test]
fn what_may_be_written_in_a_day_is_room_until_it_is_written() {
    let (tier, _scenario, _directory) = open_with(|config| {
        config.limit = Some(64 * MIB);
        config.writes_per_day = Some(MIB);
    });
    let records: Vec<_> = (0..4).map(|key| (key, contents(key, 0, 60_000))).collect();
    assert_eq!(tier.room(), MIB);
    let mut written = Vec::new();
    while let places @ [_, ..] = &write(&tier, &records).expect("the disk works")[..] {
        written.extend_from_slice(places);
        assert_eq!(tier.stats().writeback_limit, MIB - tier.stats().bd_write_bytes);
    }
    assert_eq!((written.len(), tier.room()), (16, 0), "there would be room, but not today");
    for (i, place) in written.into_iter().enumerate() {
        assert!(read(&tier, place, i as u32 % 4).expect("readable") == records[i % 4].1);
        tier.free(place);
    }
}

/// One read brings in a whole run of records; what is in the buffer is believed only as far as it is still true.
#[test]
fn a_reader_in_order_reads_from_the_buffer() {
    let (tier, _scenario, _directory) = open(MIB);
    let records: Vec<_> = (0..20).map(|key| (key, contents(key, 0, 4000))).collect();
    let places = write(&tier, &records).expect("the disk works");
    let mut buffer = Tier::read_buffer(16 << 10);
    let mut check = |places: &[Place], records: &[(u32, Vec<u8>)]| {
        for (place, (key, bytes)) in places.iter().zip(records) {
            assert!(
                tier.read(*place, *key, &mut buffer, Reach::Records(16), Patience::Some).expect("readable")
                    == *bytes
            );
        }
    };
    check(&places, &records);
    let stats = tier.stats();
    assert_eq!((stats.bd_reads, stats.bd_errors), (20, 0));
    assert!(stats.bd_read_bytes < 2 * 20 * 4096, "{} bytes", stats.bd_read_bytes);
    // Others now live there, under the same keys.
    places.iter().for_each(|place| tier.free(*place));
    tier.make_holes();
    let changed: Vec<_> = (0..20).map(|key| (key, contents(key, 1, 4000))).collect();
    let again = write(&tier, &changed).expect("the disk works");
    assert_eq!(again, places);
    check(&again, &changed);
}

/// The rest of a sparse segment can be read whole, and only records that were written in this life.
#[test]
fn a_sparse_segment_gives_its_records() {
    for encrypt in [false, true] {
        look_into_a_sparse_segment(encrypt);
    }
}

fn look_into_a_sparse_segment(encrypt: bool) {
    let (tier, _scenario, _directory) = open_with(|config| {
        config.limit = Some(16 * MIB);
        config.encrypt = encrypt;
    });
    let mut live = Vec::new();
    for round in 0..56 {
        let records: Vec<_> = (0..8).map(|i| (round * 8 + i, contents(round * 8 + i, 0, 30_000))).collect();
        let places = write(&tier, &records).expect("the disk works");
        live.extend(places.into_iter().zip(records));
    }
    assert_eq!((tier.room(), tier.sparsest()), (0, None), "nothing is freed");
    let in_first = |place: &Place| tier_offset(*place) < MIB;
    let (first, _): (Vec<_>, Vec<_>) = live.iter().partition(|(place, _)| in_first(place));
    assert!(first.len() > 20);
    first.iter().skip(3).for_each(|(place, _)| tier.free(*place));
    let sparse = tier.sparsest().expect("most of the first segment is freed");
    let mut found = Vec::new();
    tier.each_record(sparse, |key, place, bytes| found.push((place, (key, bytes.to_vec()))))
        .expect("readable");
    let expected: Vec<_> = first.into_iter().cloned().collect();
    assert!(found == expected, "all of its records, freed ones too, in order");
    assert!(found.iter().all(|(place, _)| tier.holds(sparse, *place)));
    assert_eq!(tier.sparsest(), None, "it was tried");
}

/// A segment was read for cleaning. Before its records were looked at, all of them were freed, and the same
/// keys were written to the same places again: what was read is old, though key and place are right.
#[test]
fn a_segment_that_was_read_for_cleaning_may_have_ended_its_life() {
    let (tier, _scenario, _directory) = open(MIB);
    let mut places = full_segment(&tier);
    let kept = places[0];
    places.drain(1..).for_each(|place| tier.free(place));
    let sparse = tier.sparsest().expect("nearly all of it is freed");
    assert!(tier.holds(sparse, kept));
    let mut looked = 0;
    tier.each_record(sparse, |key, place, _| {
        if looked == 0 {
            tier.free(kept);
            tier.make_holes();
            let again = write(&tier, &[(key, contents(key, 1, 30_000))]).expect("the disk works");
            assert_eq!((again[0], place), (kept, kept));
            assert!(!tier.holds(sparse, place), "it is another life's");
        }
        looked += 1;
    })
    .expect("readable");
    assert_eq!(looked, 33);
}

/// Where a place starts, by its bits.
fn tier_offset(place: Place) -> u64 {
    (place.bits() >> 5) * 64
}

/// Each rest that was never written was a piece of its own for the file system, which then freed a file of 750 MiB in
/// 1500 steps: more than three seconds at the end of a process.
#[test]
fn full_segments_leave_nothing_unwritten() {
    let (tier, _scenario, _directory) = open(8 * MIB);
    // Four batches of these are less than a segment.
    for round in 0..8 {
        let records: Vec<_> = (0..31).map(|key| (key, contents(key, round, 8192))).collect();
        write(&tier, &records).expect("the disk works");
    }
    assert_eq!(tier.stats().bd_write_bytes, 2 * MIB);
}
