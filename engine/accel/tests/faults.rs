//! Each unit ends, for all that a device may do, as an object that the CPU decodes to it, or with a reason for the CPU to
//! compress it.

use std::time::Duration;

use proptest::prelude::*;
use ztera_accel::model::{Faults, Model, Params};
use ztera_accel::{Accelerator, Fault, Made, Options, Verify, Why};
use ztera_codec::{Packer, Settings};
use ztera_kit::{Random, data, noise};

const UNIT: usize = 16384;

/// So quick that tests are, too.
fn quick(faults: Faults) -> Params {
    Params {
        instances: 2,
        latency: Duration::from_micros(20),
        page: Duration::ZERO,
        level: 1,
        faults,
        ..Params::default()
    }
}

fn accelerator(params: Params, verify: Verify, deadline: Duration) -> Accelerator {
    let device = Box::new(Model::start(params).expect("a thread"));
    Accelerator::start(device, Options { deadline, verify, ..Options::default() }).expect("a thread")
}

const LONG: Duration = Duration::from_secs(20);

/// Has the device compress units as one batch, and checks each output.
fn compress(accelerator: &Accelerator, units: &[Vec<u8>]) -> Vec<Result<(), Option<Why>>> {
    let mut packer = Packer::new(Settings::default(), UNIT);
    let mut back = vec![0; UNIT];
    let mut tickets = accelerator.offer(units.iter().map(Vec::as_slice)).into_iter();
    let mut outcome = |unit: &Vec<u8>| {
        let Some(ticket) = tickets.next().expect("one for each") else { return Err(None) };
        let is_unit = |frame: &[u8]| packer.unpack(frame, &mut back).is_ok() && back == *unit;
        match accelerator.wait(&ticket, is_unit) {
            Ok(Made::Frame(frame)) => {
                assert!(packer.unpack(&frame, &mut back).is_ok() && back == *unit, "a wrong object");
                Ok(())
            }
            Ok(Made::Huge) => Ok(()),
            Err(why) => Err(Some(why)),
        }
    };
    units.iter().map(&mut outcome).collect()
}

fn units(count: usize) -> Vec<Vec<u8>> {
    data::objects(count * UNIT).chunks_exact(UNIT).map(<[u8]>::to_vec).collect()
}

#[test]
fn a_device_that_works_compresses_all() {
    for verify in [Verify::Decode, Verify::Sums] {
        let accelerator = accelerator(quick(Faults::default()), verify, LONG);
        assert_eq!(compress(&accelerator, &units(8)), [Ok(()); 8]);
        assert_eq!(accelerator.stats().offloaded_units, 8);
    }
}

#[test]
fn noise_is_huge_and_not_an_error() {
    let accelerator = accelerator(quick(Faults::default()), Verify::Decode, LONG);
    assert_eq!(compress(&accelerator, &[noise(1, UNIT)]), [Ok(())]);
}

#[test]
fn small_units_stay_on_the_cpu() {
    let accelerator = accelerator(quick(Faults::default()), Verify::Decode, LONG);
    assert_eq!(compress(&accelerator, &[vec![1; 512]]), [Err(None)]);
    assert_eq!(accelerator.stats().small_units, 1);
}

#[test]
fn what_the_rings_have_no_room_for_is_the_cpus() {
    let params = Params { instances: 1, ring: 3, ..quick(Faults::default()) };
    let accelerator = accelerator(params, Verify::Decode, LONG);
    let outcomes = compress(&accelerator, &units(16));
    assert!(outcomes[..3].iter().all(Result::is_ok), "{outcomes:?}");
    let stats = accelerator.stats();
    assert_eq!(stats.offloaded_units + stats.ring_full_units, 16, "{stats:?}");
    assert!(stats.ring_full_units > 0, "{stats:?}");
    assert!(accelerator.is_up(), "that is no mistake of the device");
}

/// Each fault by itself, the answer to it, and whether the device is reset for it.
#[test]
fn each_fault_has_its_reason() {
    let none = Faults::default();
    let cases = [
        (Faults { error: 1.0, ..none }, Why::Failed(Fault::Error)),
        (Faults { corrupt: 1.0, ..none }, Why::Wrong),
        (Faults { expand: 1.0, ..none }, Why::Failed(Fault::TooLong)),
        (Faults { stuck: 1.0, ..none }, Why::Late),
        (Faults { reset: 1.0, ..none }, Why::Failed(Fault::Lost)),
        (Faults { gone_after: Some(0), ..none }, Why::Failed(Fault::Gone)),
    ];
    for (faults, why) in cases {
        for verify in [Verify::Decode, Verify::Sums] {
            let deadline = if why == Why::Late { Duration::from_millis(1) } else { LONG };
            let accelerator = accelerator(quick(faults), verify, deadline);
            assert_eq!(compress(&accelerator, &units(1)), [Err(Some(why))], "{faults:?}");
        }
    }
}

#[test]
fn a_device_that_does_badly_is_reset_and_used_again() {
    let accelerator = accelerator(quick(Faults { error: 1.0, ..Faults::default() }), Verify::Decode, LONG);
    let units = units(4);
    assert_eq!(compress(&accelerator, &units), [Err(Some(Why::Failed(Fault::Error))); 4]);
    while accelerator.stats().resets < 2 {
        // It is tried again after each pause, and reset at once.
        compress(&accelerator, &units);
    }
    while !accelerator.is_up() {
        std::thread::yield_now();
    }
    let stats = accelerator.stats();
    assert!(stats.down_units > 0, "meanwhile the CPU did it: {stats:?}");
}

#[test]
fn stuck_jobs_leave_the_rings_by_a_reset() {
    let params = Params { instances: 1, ring: 4, ..quick(Faults { stuck: 1.0, ..Faults::default() }) };
    let accelerator = accelerator(params, Verify::Decode, Duration::from_millis(1));
    assert_eq!(compress(&accelerator, &units(4)), [Err(Some(Why::Late)); 4]);
    while accelerator.stats().resets == 0 {
        std::thread::yield_now();
    }
    assert_eq!(accelerator.stats().in_flight_units, 0);
}

#[test]
fn a_forgotten_ticket_harms_nobody() {
    let accelerator = accelerator(quick(Faults::default()), Verify::Decode, LONG);
    let units = units(4);
    drop(accelerator.offer(units.iter().map(Vec::as_slice)));
    while accelerator.stats().in_flight_units > 0 {
        std::thread::yield_now();
    }
    assert_eq!(compress(&accelerator, &units), [Ok(()); 4]);
}

/// The queue is so long that a CPU would be much quicker.
#[test]
fn a_long_queue_sends_units_to_the_cpu() {
    let slow =
        Params { instances: 1, ring: 64, latency: Duration::from_millis(2), ..quick(Faults::default()) };
    let accelerator = accelerator(slow, Verify::Decode, LONG);
    accelerator.cpu_begins();
    accelerator.cpu_ends(Duration::ZERO);
    assert_eq!(compress(&accelerator, &units(1)), [Ok(())], "both are known from here on");
    assert!(matches!(accelerator.offer([&units(1)[0][..]])[..], [None]));
    assert_eq!(accelerator.stats().busy_units, 1);
}

fn faults() -> impl Strategy<Value = Faults> {
    let share = || prop_oneof![3 => Just(0.0), 1 => 0.0..0.2_f64];
    let gone = prop_oneof![4 => Just(None), 1 => (0..60_u64).prop_map(Some)];
    ((share(), share(), share()), (share(), share(), share()), gone).prop_map(
        |((error, corrupt, expand), (slow, stuck, reset), gone_after)| Faults {
            error,
            corrupt,
            expand,
            slow,
            stuck,
            reset,
            gone_after,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_unit_is_lost_and_none_is_wrong(faults in faults(), seed in any::<u64>(), sums in any::<bool>()) {
        let params = Params { seed, ..quick(faults) };
        let verify = if sums { Verify::Sums } else { Verify::Decode };
        let accelerator = accelerator(params, verify, Duration::from_millis(2));
        let units = units(6);
        let mut counted = 0;
        for _ in 0..10 {
            // `compress` looks at the bytes.
            counted += compress(&accelerator, &units).len() as u64;
        }
        let stats = accelerator.stats();
        let sum: u64 = stats.values().iter().sum::<u64>() - stats.resets - stats.in_flight_units;
        prop_assert_eq!(sum, counted, "{:?}", stats);
    }
}

/// Many threads, and all faults.
///
/// Bug of this test: on a busy machine the device was late at once, and was reset for the rest of it. So it goes on until a unit
/// was met that failed.
#[test]
fn threads_share_a_bad_device() {
    let seed = std::env::var("SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1_u64);
    println!("SEED={seed}");
    let faults = Faults {
        error: 0.02,
        corrupt: 0.02,
        expand: 0.01,
        slow: 0.02,
        stuck: 0.005,
        reset: 0.005,
        gone_after: None,
    };
    let params = Params { seed, instances: 4, ..quick(faults) };
    let accelerator = accelerator(params, Verify::Decode, Duration::from_millis(5));
    let units = units(32);
    let has_met_all = || {
        let stats = accelerator.stats();
        stats.offloaded_units > 0 && stats.failed_units + stats.wrong_units > 0
    };
    let met = (0..MOST_ROUNDS).any(|round| {
        share(&accelerator, &units, seed + 8 * round);
        has_met_all()
    });
    assert!(met, "{:?}", accelerator.stats());
}

/// Far more than it takes on any machine.
const MOST_ROUNDS: u64 = 100;

/// Eight threads compress 300 times each.
fn share(accelerator: &Accelerator, units: &[Vec<u8>], seed: u64) {
    std::thread::scope(|scope| {
        for thread in 0..8 {
            scope.spawn(move || {
                let mut random = Random(seed + thread);
                for _ in 0..300 {
                    let first = random.below(units.len() - 8);
                    compress(accelerator, &units[first..first + 1 + random.below(8)]);
                }
            });
        }
    });
}
