// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! A Prometheus that scrapes `ztera export`, and what dashboard and documents ask of it. The panels with their values
//! are in out/dashboard.txt.

use std::fmt::Write as _;
use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::Value;

use crate::common::ztera;
use crate::export::get;
use crate::fake_jvm::FakeJvm;
use crate::fake_jvm::busy::busy;
use crate::promtool::{check, program};
use crate::signal::Running;

/// Looks for an answer until it is there. A test that fails takes all of them.
const LOOKS: u32 = 600;
const OPERATING: &str = include_str!("../../../docs/operating.md");

/// A server with a folder of its own. Dropping it ends it.
struct Prometheus {
    child: Child,
    address: String,
    _folder: tempfile::TempDir,
}

impl Prometheus {
    /// None where there is no such program.
    fn scraping(target: &str) -> Option<Prometheus> {
        let program = program("prometheus")?;
        let folder = tempfile::tempdir().unwrap();
        let config = folder.path().join("prometheus.yml");
        let scrape = format!(
            "scrape_configs: [{{job_name: ztera, scrape_interval: 200ms, scrape_timeout: 200ms, \
             static_configs: [{{targets: ['{target}']}}]}}]"
        );
        fs::write(&config, scrape).unwrap();
        let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let child = Command::new(program)
            .arg(format!("--config.file={}", config.display()))
            .arg(format!("--storage.tsdb.path={}", folder.path().join("data").display()))
            .arg(format!("--web.listen-address={free}"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("it was there");
        Some(Prometheus { child, address: free.to_string(), _folder: folder })
    }

    /// The answer to a query: a value for each series.
    fn ask(&self, query: &str) -> Vec<(String, String)> {
        let path = format!("GET /api/v1/query?query={} HTTP/1.1", in_an_address(query));
        let (_, body) = get(&self.address, &path);
        let answer: Value = serde_json::from_str(&body).unwrap_or_else(|_| panic!("{query}: {body}"));
        assert_eq!(answer["status"], "success", "{query}: {body}");
        let series = answer["data"]["result"].as_array().expect("a list");
        let text = |value: &Value| value.as_str().expect("a text").to_owned();
        series.iter().map(|it| (it["metric"].to_string(), text(&it["value"][1]))).collect()
    }

    /// The same, once there is one.
    fn await_answer(&self, query: &str) -> Vec<(String, String)> {
        for _ in 0..LOOKS {
            if self.is_ready() {
                let answer = self.ask(query);
                if !answer.is_empty() {
                    return answer;
                }
            }
            thread::sleep(Duration::from_millis(50));
        }
        panic!("no answer to {query}");
    }

    /// Prometheus listens before it answers queries: until then it says that the service is unavailable.
    fn is_ready(&self) -> bool {
        std::net::TcpStream::connect(&self.address).is_ok()
            && get(&self.address, "GET /-/ready HTTP/1.1").0.contains(" 200 ")
    }
}

impl Drop for Prometheus {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// With the escapes of a query in an address.
fn in_an_address(text: &str) -> String {
    text.bytes().fold(String::new(), |mut all, byte| {
        if byte.is_ascii_alphanumeric() {
            all.push(char::from(byte));
        } else {
            let _ = write!(all, "%{byte:02X}");
        }
        all
    })
}

/// Grafana fills the variables of an expression so where nothing is chosen.
fn filled_in(expression: &str) -> String {
    ["$instance", "$main", "$pid"]
        .iter()
        .fold(expression.replace("$__rate_interval", "2s"), |text, variable| text.replace(variable, ".*"))
}

/// Title and expressions of each panel of the dashboard that the command prints.
fn panels() -> Vec<(String, Vec<String>)> {
    let printed = ztera().args(["export", "--dashboard"]).output().unwrap().stdout;
    let dashboard: Value = serde_json::from_slice(&printed).unwrap();
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let list = |value: &Value| value.as_array().expect("a list").clone();
    list(&dashboard["panels"])
        .iter()
        .map(|panel| {
            let asked =
                list(&panel["targets"]).iter().map(|target| filled_in(&text(&target["expr"]))).collect();
            (text(&panel["title"]), asked)
        })
        .collect()
}

/// The part of operating.md between two marks.
fn part(from: &str, to: &str) -> &'static str {
    let (_, rest) = OPERATING.split_once(from).expect("the first mark");
    rest.split_once(to).expect("the second mark").0
}

/// Nobody had tried the rules that operators copy.
#[test]
fn prometheus_understands_the_alerts() {
    check("rules", part("```yaml\n", "```"));
}

/// A panel without data, and a name that was misspelt, look alike: nothing is drawn.
#[test]
fn each_panel_has_data() {
    let _jvm = FakeJvm::start("org.example.Dashboard", busy());
    let folder = tempfile::tempdir().unwrap();
    let disk = folder.path().join("disk.sock").display().to_string();
    let mut served =
        Running::start(&["disk", "serve", "--size", "64m", "--memory-limit", "32m", "--socket", &disk]);
    served.line();
    let mut export =
        Running::start(&["export", "--listen", "127.0.0.1:0", "--disk", &disk, "example.Dashboard"]);
    let line = export.line();
    let target = line.split("http://").nth(1).unwrap().split('/').next().unwrap().to_owned();
    let Some(prometheus) = Prometheus::scraping(&target) else { return };
    prometheus.await_answer("rate(ztera_h2_faults_total[2s])");
    let mut picture = String::new();
    for (title, expressions) in panels() {
        let _ = writeln!(picture, "{title}");
        for expression in expressions {
            let _ = writeln!(picture, "  {expression}");
            for (series, value) in prometheus.await_answer(&expression) {
                let _ = writeln!(picture, "    {series} {value}");
            }
        }
    }
    keep(&picture);
    let capacity = part("| Guess | PromQL |", "\n\n").split('`').skip(1).step_by(2);
    let asked = capacity.filter(|code| code.contains("ztera_")).map(|code| code.replace("[5m]", "[2s]"));
    assert_eq!(
        asked.map(|query| prometheus.await_answer(&query).len()).filter(|&series| series > 0).count(),
        4
    );
    assert!(export.interrupt().success() && served.interrupt().success());
}

fn keep(picture: &str) {
    let out = Path::new(env!("CARGO_MANIFEST_DIR")).join("../out");
    fs::create_dir_all(&out).unwrap();
    fs::write(out.join("dashboard.txt"), picture).unwrap();
}
