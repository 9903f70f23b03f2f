//! Judging films by what a browser shows: headless Chromium loads them from a server on this
//! machine, seeks, plays, and reports the pixels.

mod browser;
mod server;

use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};

use self::browser::Browser;
use self::server::Server;
use crate::numbered;

/// How long starting and watching may take in all, on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// A film and what is to be done with it.
pub struct Film<'a> {
    /// The file; its extension says what the server calls it.
    pub file: &'a Path,
    /// The times to seek to, in seconds and in this order.
    pub seeks: Vec<f64>,
    /// If set, the film is played from here to its end.
    pub plays_from: Option<f64>,
}

/// What the browser made of a film.
#[derive(Clone, Debug)]
pub struct Watched {
    /// What went wrong, in the browser's words; the rest is what was seen until then.
    pub failure: Option<String>,
    /// Width and height.
    pub size: (u64, u64),
    /// In seconds; none if the browser knows of no end.
    pub duration: Option<f64>,
    /// What stood on the screen after each seek.
    pub shown: Vec<Shown>,
    /// What stood there when the film had been played to its end.
    pub ended: Option<Shown>,
}

/// What stood on the screen.
#[derive(Clone, Debug)]
pub struct Shown {
    /// Where the film was sent.
    pub to: f64,
    /// Where the browser says it is.
    pub at: f64,
    /// The time of the frame on the screen, if the browser told.
    pub time: Option<f64>,
    /// The number in the picture, if it is one of [`numbered`]'s.
    pub number: Option<u64>,
}

/// Watches films one after the other in one browser. None, with a notice, where there is no
/// browser.
#[track_caller]
pub fn watch(films: &[Film<'_>]) -> Option<Vec<Watched>> {
    let program = browser::find()?;
    let list: Vec<Value> = films
        .iter()
        .enumerate()
        .map(|(number, film)| {
            json!({ "url": format!("/film/{number}"), "seeks": film.seeks, "plays_from": film.plays_from })
        })
        .collect();
    let files = films.iter().map(|film| film.file.to_owned()).collect();
    let server =
        Server::start(include_str!("chromium/page.html"), Value::from(list).to_string(), files);
    let browser = Browser::start(&program, &server.page());
    let Ok(report) = server.reports.recv_timeout(PATIENCE) else {
        panic!("Chromium did not report within {PATIENCE:?}: {}", browser.said());
    };
    let report: Vec<Value> = serde_json::from_slice(&report).unwrap();
    assert_eq!(report.len(), films.len());
    Some(report.iter().map(Watched::read).collect())
}

impl Watched {
    fn read(report: &Value) -> Self {
        let shown = report["shown"].as_array().unwrap();
        Self {
            failure: report["failure"].as_str().map(str::to_owned),
            size: (report["width"].as_u64().unwrap_or(0), report["height"].as_u64().unwrap_or(0)),
            duration: report["duration"].as_f64(),
            shown: shown.iter().map(Shown::read).collect(),
            ended: report["ended"].is_object().then(|| Shown::read(&report["ended"])),
        }
    }

    /// What is wrong with a numbered film of this size, rate and number of frames; nothing if a
    /// viewer gets what the file promises.
    pub fn faults(&self, size: (u64, u64), rate: f64, frames: u64) -> Vec<String> {
        let mut faults: Vec<String> = self.failure.iter().cloned().collect();
        if self.size != size {
            faults.push(format!("it is {:?}, not {size:?}", self.size));
        }
        let end = frames as f64 / rate;
        match self.duration {
            // Sound may last a packet longer than the picture.
            Some(duration) if (duration - end).abs() <= 0.05_f64.max(1.0 / rate) => {}
            other => faults.push(format!("it lasts {other:?} s, not {end} s")),
        }
        for shown in &self.shown {
            let expected = ((shown.to * rate).floor() as u64).min(frames - 1);
            if shown.number != Some(expected) {
                faults.push(format!(
                    "at {} s frame {:?} is shown, not {expected} (the browser is at {}, its frame at {:?})",
                    shown.to, shown.number, shown.at, shown.time
                ));
            }
        }
        if let Some(ended) = &self.ended
            && ended.number != Some(frames - 1)
        {
            faults.push(format!("it ends on frame {:?}, not {}", ended.number, frames - 1));
        }
        faults
    }
}

impl Shown {
    fn read(report: &Value) -> Self {
        let blocks: Vec<f64> =
            report["blocks"].as_array().unwrap().iter().filter_map(Value::as_f64).collect();
        Self {
            to: report["to"].as_f64().unwrap(),
            at: report["at"].as_f64().unwrap(),
            time: report["time"].as_f64(),
            number: numbered::number(&blocks),
        }
    }
}

/// Times in the middle of frames all over a film, forward and backward, the first and the last
/// among them.
pub fn everywhere(rate: f64, frames: u64) -> Vec<f64> {
    let last = frames - 1;
    let numbers = [last / 2, last, 0, last / 3, 1.min(last), last * 3 / 4, last.saturating_sub(1)];
    numbers.iter().map(|number| (*number as f64 + 0.5) / rate).collect()
}
