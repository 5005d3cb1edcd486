// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! One run of fio: a job that writes, and one that reads, or reads and writes.

use std::process::Command;

use anyhow::{Context as _, Result, bail};
use serde_json::Value;
use ztera_machine::child::{End, supervise};
use ztera_machine::units::MIB;

use super::medium::{Medium, Place};
use super::point::{Job, Outcome, Point};

/// Measures at a point, with files of `size` and for so many milliseconds per job.
pub fn measure(medium: &Medium, point: &Point, size: u64, milliseconds: u32) -> Result<Outcome> {
    let mut command = Command::new("fio");
    command.args(arguments(&medium.place(), point, size, milliseconds));
    let run = supervise(command, None, None, &mut |_| {})?;
    if !matches!(run.end, End::Exited(status) if status.success()) {
        bail!("fio failed: {}", run.tail.last().map_or("it says nothing", String::as_str));
    }
    let [write, read] = jobs(&run.stdout)?;
    Ok(Outcome { point: point.clone(), write, read, smaller_by: medium.smaller_by() })
}

fn arguments(place: &Place, point: &Point, size: u64, milliseconds: u32) -> Vec<String> {
    let mut all =
        ["--output-format=json", "--thread", "--group_reporting", "--time_based"].map(str::to_owned).to_vec();
    let (folder, socket) = match place {
        Place::Folder(folder) => (Some(folder), None),
        Place::Socket(socket) => (None, Some(socket)),
    };
    if let Some(folder) = folder {
        all.push("--direct=1".to_owned());
        all.push(format!("--directory={}", folder.display()));
        all.push("--filename_format=file.$jobnum".to_owned());
        all.push(format!("--ioengine={}", if point.depth == 0 { "psync" } else { "io_uring" }));
    }
    if let Some(socket) = socket {
        all.push("--ioengine=nbd".to_owned());
        all.push(format!("--uri=nbd+unix:///?socket={}", socket.display()));
        all.push(format!("--offset_increment={size}"));
    }
    all.push(format!("--iodepth={}", point.depth.max(1)));
    all.push(format!("--size={size}"));
    all.push(format!("--bs={}", point.block));
    all.push(format!("--numjobs={}", point.jobs));
    all.push(format!("--runtime={milliseconds}ms"));
    all.push(format!("--buffer_compress_percentage={}", point.compressible));
    all.push("--buffer_compress_chunk=256".to_owned());
    // Without it fio writes the same buffer again and again.
    all.push("--refill_buffers".to_owned());
    let random = if point.random { "rand" } else { "" };
    all.push("--name=write".to_owned());
    all.push(format!("--rw={random}write"));
    all.extend(["--name=read", "--stonewall"].map(str::to_owned));
    match point.reads {
        100 => all.push(format!("--rw={random}read")),
        reads => all.extend([format!("--rw={random}rw"), format!("--rwmixread={reads}")]),
    }
    all
}

/// fio may print warnings before its JSON.
fn jobs(text: &str) -> Result<[Job; 2]> {
    let json = text.find('{').map_or("", |start| &text[start..]);
    let report: Value = serde_json::from_str(json).context("fio did not print JSON")?;
    let jobs = report["jobs"].as_array().map_or(&[][..], Vec::as_slice);
    let [write, read] = jobs else { bail!("fio reported {} jobs, not 2", jobs.len()) };
    Ok([job(write)?, job(read)?])
}

fn job(json: &Value) -> Result<Job> {
    let number = |value: &Value| value.as_f64().unwrap_or(0.0);
    let sides = ["read", "write"].map(|side| &json[side]);
    let ios = sides.map(|side| number(&side["total_ios"]));
    let all: f64 = ios.iter().sum();
    if all == 0.0 {
        bail!("fio did no input or output");
    }
    let mean: f64 = sides.iter().zip(ios).map(|(side, ios)| number(&side["lat_ns"]["mean"]) * ios).sum();
    let slow = sides.map(|side| number(&side["clat_ns"]["percentile"]["99.000000"]));
    Ok(Job {
        mib_per_second: sides.iter().map(|side| number(&side["bw_bytes"])).sum::<f64>() / MIB as f64,
        mean_us: mean / all / 1e3,
        p99_us: slow[0].max(slow[1]) / 1e3,
        user: number(&json["usr_cpu"]),
        system: number(&json["sys_cpu"]),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use std::path::Path;

    fn side(bytes: u64, ios: u64, mean: f64) -> Value {
        json!({"bw_bytes": bytes, "total_ios": ios, "lat_ns": {"mean": mean},
               "clat_ns": {"percentile": {"99.000000": 3.0 * mean}}})
    }

    #[test]
    fn both_sides_of_a_job_are_added() {
        let none = json!({"bw_bytes": 0, "total_ios": 0, "lat_ns": {"mean": 0.0}, "clat_ns": {}});
        let cpu = |read: Value, write: Value| json!({"read": read, "write": write, "usr_cpu": 5.0, "sys_cpu": 90.0});
        let report = json!({"jobs": [
            cpu(none, side(4 << 20, 10, 1000.0)),
            cpu(side(3 << 20, 30, 1000.0), side(1 << 20, 10, 5000.0)),
        ]});
        let [write, read] = jobs(&format!("fio: a warning\n{report}")).unwrap();
        assert_eq!((write.mib_per_second, write.mean_us, write.system), (4.0, 1.0, 90.0));
        assert_eq!((read.mib_per_second, read.mean_us, read.p99_us), (4.0, 2.0, 15.0));
    }

    #[test]
    fn what_fio_did_not_do_is_an_error() {
        assert!(jobs("fio: engine not found\n").is_err());
        assert!(jobs(r#"{"jobs": []}"#).unwrap_err().to_string().contains("0 jobs"));
    }

    #[test]
    fn a_point_becomes_options() {
        let has = |place: Place, point: Point, options: &[&str]| {
            let all = arguments(&place, &point, 1 << 20, 300);
            options.iter().all(|option| all.iter().any(|own| own == option))
        };
        let mixed = Point { reads: 90, random: true, depth: 16, jobs: 2, ..Point::of("ssd") };
        let options = ["--ioengine=io_uring", "--iodepth=16", "--rw=randrw", "--rwmixread=90", "--numjobs=2"];
        assert!(has(Place::Folder(Path::new("/x")), mixed, &options));
        let options = ["--ioengine=nbd", "--uri=nbd+unix:///?socket=/x/s", "--rw=read"];
        assert!(has(Place::Socket(Path::new("/x/s")), Point::of("ours-lz4"), &options));
    }
}
