// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! A server that Prometheus scrapes.

use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use tiny_http::{Header, Method, Request, Response, Server};
use ztera_machine::interrupt;

use super::encode::{Format, encode};
use super::gather::Targets;

/// Between looks whether a signal came.
const LOOK: Duration = Duration::from_millis(200);

/// Serves until a signal comes.
pub fn serve(address: &str, targets: &Targets) -> Result<()> {
    let server = Server::http(address)
        .map_err(|error| anyhow!("{error}"))
        .with_context(|| format!("cannot serve at {address}: name a free one with --listen ADDRESS:PORT"))?;
    println!("Numbers are at http://{}/metrics until Ctrl-C.", server.server_addr());
    while !interrupt::came() {
        if let Some(request) = server.recv_timeout(LOOK).context("cannot serve")? {
            // A client that went away is no trouble of others.
            let _ = answer(request, targets);
        }
    }
    Ok(())
}

fn answer(request: Request, targets: &Targets) -> Result<()> {
    let path = request.url().split('?').next().unwrap_or_default();
    let response = match (request.method(), path) {
        (Method::Get | Method::Head, "/metrics") => {
            let format = wanted(request.headers());
            Response::from_string(encode(targets.gather(), format)?).with_header(content_type(format)?)
        }
        (Method::Get | Method::Head, "/") => Response::from_string("ZTera's numbers are at /metrics\n"),
        (Method::Get | Method::Head, _) => text(404, "Nothing is here: /metrics has the numbers\n"),
        _ => text(405, "This can only be read, with GET\n"),
    };
    Ok(request.respond(response)?)
}

fn text(status: u16, text: &str) -> Response<std::io::Cursor<Vec<u8>>> {
    Response::from_string(text).with_status_code(status)
}

/// The newer format for those who ask for it.
fn wanted(headers: &[Header]) -> Format {
    let accepts = headers.iter().filter(|header| header.field.equiv("Accept"));
    let newer = accepts.into_iter().any(|it| it.value.as_str().contains("application/openmetrics-text"));
    if newer { Format::OpenMetrics } else { Format::Prometheus }
}

fn content_type(format: Format) -> Result<Header> {
    Header::from_bytes("Content-Type", format.content_type()).map_err(|()| anyhow!("no header"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_client_chooses_the_format() {
        let accept = |value: &str| wanted(&[Header::from_bytes("accept", value).unwrap()]);
        assert_eq!(accept("application/openmetrics-text;version=1.0.0;q=0.5,*/*"), Format::OpenMetrics);
        assert_eq!(accept("*/*"), Format::Prometheus);
        assert_eq!(wanted(&[]), Format::Prometheus);
    }
}
