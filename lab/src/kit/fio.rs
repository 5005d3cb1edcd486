// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! fio: jobs that run one after the other, and how fast each was.

use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result, bail};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use ztera_machine::child::{End, supervise};
use ztera_machine::units::{GIB, MIB};

/// The way to what is measured.
#[derive(Clone, Copy, Debug)]
pub enum Place<'p> {
    /// A folder for files.
    Folder(&'p Path),
    /// A block device.
    Device(&'p Path),
    /// The socket of an NBD server.
    Socket(&'p Path),
}

/// The bytes that are written: invented, of which so many percent compress to nothing. A text cannot be given, as fio
/// before 3.34 takes 512 bytes of it and repeats them.
#[derive(Clone, Copy, Debug)]
pub enum Contents {
    /// Other ones for each request.
    Anew(u32),
    /// The same for each request of a process.
    Again(u32),
}

/// The common part of all jobs of a run.
#[derive(Clone, Copy, Debug)]
pub struct Load<'l> {
    /// Where.
    pub place: Place<'l>,
    /// What.
    pub contents: Contents,
    /// Bytes of each process.
    pub size: u64,
    /// Bytes of a request.
    pub block: u64,
    /// Requests of a process that are under way at once; 0 is synchronous.
    pub depth: u32,
    /// Processes.
    pub jobs: u32,
    /// Time of each job.
    pub milliseconds: u32,
}

/// The findings of one job.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct Job {
    /// Read and written.
    pub mib_per_second: f64,
    /// From submission to completion.
    pub mean_us: f64,
    /// Of the slowest of a hundred.
    pub p99_us: f64,
    /// CPU time of user space, as a share of a process's time, in percent.
    pub user: f64,
    /// The same of the kernel.
    pub system: f64,
    /// CPU seconds of both, of all processes.
    #[serde(default)]
    pub cpu_seconds: f64,
    /// Read and written.
    #[serde(default)]
    pub gib: f64,
}

/// Runs jobs one after the other, each given by its own options.
pub fn run(load: &Load, jobs: &[Vec<String>]) -> Result<Vec<Job>> {
    let mut command = Command::new("fio");
    command.args(arguments(load, jobs));
    let run = supervise(command, None, None, &mut |_| {})?;
    if !matches!(run.end, End::Exited(status) if status.success()) {
        bail!("fio failed: {}", run.tail.last().map_or("it says nothing", String::as_str));
    }
    let found = parse(&run.stdout)?;
    if found.len() != jobs.len() {
        bail!("fio reported {} jobs, not {}", found.len(), jobs.len());
    }
    Ok(found)
}

fn arguments(load: &Load, jobs: &[Vec<String>]) -> Vec<String> {
    let mut all =
        ["--output-format=json", "--thread", "--group_reporting", "--time_based"].map(str::to_owned).to_vec();
    all.extend(of_place(load));
    all.push(format!("--iodepth={}", load.depth.max(1)));
    all.push(format!("--size={}", load.size));
    all.push(format!("--bs={}", load.block));
    all.push(format!("--numjobs={}", load.jobs));
    all.push(format!("--runtime={}ms", load.milliseconds));
    let (percent, again) = match load.contents {
        Contents::Anew(percent) => (percent, "--refill_buffers"),
        // Else fio changes a few bytes each time.
        Contents::Again(percent) => (percent, "--scramble_buffers=0"),
    };
    all.push(format!("--buffer_compress_percentage={percent}"));
    all.extend(["--buffer_compress_chunk=256", again].map(str::to_owned));
    for (number, job) in jobs.iter().enumerate() {
        all.push(format!("--name=job{number}"));
        if number > 0 {
            all.push("--stonewall".to_owned());
        }
        all.extend(job.iter().cloned());
    }
    all
}

fn of_place(load: &Load) -> Vec<String> {
    let engine = if load.depth == 0 { "psync" } else { "io_uring" };
    let direct = |rest: [String; 2]| {
        ["--direct=1".to_owned(), format!("--ioengine={engine}")].into_iter().chain(rest).collect()
    };
    let apart = format!("--offset_increment={}", load.size);
    match load.place {
        Place::Folder(folder) => {
            direct([format!("--directory={}", folder.display()), "--filename_format=file.$jobnum".to_owned()])
        }
        Place::Device(node) => direct([format!("--filename={}", node.display()), apart]),
        Place::Socket(socket) => {
            let uri = format!("--uri=nbd+unix:///?socket={}", socket.display());
            vec!["--ioengine=nbd".to_owned(), uri, apart]
        }
    }
}

/// fio may print warnings before its JSON.
fn parse(text: &str) -> Result<Vec<Job>> {
    let json = text.find('{').map_or("", |start| &text[start..]);
    let report: Value = serde_json::from_str(json).context("fio did not print JSON")?;
    report["jobs"].as_array().map_or(&[][..], Vec::as_slice).iter().map(job).collect()
}

fn job(json: &Value) -> Result<Job> {
    let number = |value: &Value| value.as_f64().unwrap_or(0.0);
    let sides = ["read", "write"].map(|side| &json[side]);
    let sum = |name: &str| sides.iter().map(|side| number(&side[name])).sum::<f64>();
    let ios = sides.map(|side| number(&side["total_ios"]));
    let all: f64 = ios.iter().sum();
    if all == 0.0 {
        bail!("fio did no input or output");
    }
    let mean: f64 = sides.iter().zip(ios).map(|(side, ios)| number(&side["lat_ns"]["mean"]) * ios).sum();
    let slow = sides.map(|side| number(&side["clat_ns"]["percentile"]["99.000000"]));
    let (user, system) = (number(&json["usr_cpu"]), number(&json["sys_cpu"]));
    Ok(Job {
        mib_per_second: sum("bw_bytes") / MIB as f64,
        mean_us: mean / all / 1e3,
        p99_us: slow[0].max(slow[1]) / 1e3,
        user,
        system,
        // Milliseconds of all processes.
        cpu_seconds: (user + system) / 100.0 * number(&json["job_runtime"]) / 1e3,
        gib: sum("io_bytes") / GIB as f64,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn side(bytes: u64, ios: u64, mean: f64) -> Value {
        json!({"bw_bytes": bytes, "io_bytes": 256 * bytes, "total_ios": ios, "lat_ns": {"mean": mean},
               "clat_ns": {"percentile": {"99.000000": 3.0 * mean}}})
    }

    #[test]
    fn both_sides_of_a_job_are_added() {
        let none = json!({"bw_bytes": 0, "total_ios": 0, "lat_ns": {"mean": 0.0}, "clat_ns": {}});
        let cpu = |read: Value, write: Value| json!({"read": read, "write": write, "usr_cpu": 5.0, "sys_cpu": 90.0, "job_runtime": 2000});
        let report = json!({"jobs": [
            cpu(none, side(4 << 20, 10, 1000.0)),
            cpu(side(3 << 20, 30, 1000.0), side(1 << 20, 10, 5000.0)),
        ]});
        let found = parse(&format!("fio: a warning\n{report}")).unwrap();
        let [write, read] = found[..] else { panic!("{found:?}") };
        assert_eq!((write.mib_per_second, write.mean_us, write.system), (4.0, 1.0, 90.0));
        assert_eq!((read.mib_per_second, read.mean_us, read.p99_us), (4.0, 2.0, 15.0));
        assert_eq!((read.cpu_seconds, read.gib), (1.9, 1.0));
    }

    #[test]
    fn what_fio_did_not_do_is_an_error() {
        assert!(parse("fio: engine not found\n").is_err());
        assert_eq!(parse(r#"{"jobs": []}"#).unwrap(), []);
        let idle = r#"{"jobs": [{"read": {"total_ios": 0}, "write": {"total_ios": 0}}]}"#;
        assert!(parse(idle).unwrap_err().to_string().contains("no input or output"));
    }

    #[test]
    fn a_load_becomes_options() {
        let has = |place: Place, depth: u32, options: &[&str]| {
            let load = Load {
                place,
                contents: Contents::Again(33),
                size: 1 << 20,
                block: 4096,
                depth,
                jobs: 2,
                milliseconds: 300,
            };
            let all = arguments(&load, &[vec!["--rw=write".to_owned()], vec!["--rw=randread".to_owned()]]);
            options.iter().all(|option| all.iter().any(|own| own == option))
        };
        let folder = ["--ioengine=io_uring", "--iodepth=16", "--numjobs=2", "--rw=randread", "--stonewall"];
        assert!(has(Place::Folder(Path::new("/x")), 16, &folder));
        let device =
            ["--ioengine=psync", "--filename=/dev/x", "--direct=1", "--scramble_buffers=0", "--bs=4096"];
        assert!(has(Place::Device(Path::new("/dev/x")), 0, &device));
        let socket = ["--ioengine=nbd", "--uri=nbd+unix:///?socket=/x/s", "--offset_increment=1048576"];
        assert!(has(Place::Socket(Path::new("/x/s")), 0, &socket));
    }
}
