//! Draining the pipes.

use std::sync::Arc;

use tokio::io::AsyncReadExt;
use tokio::net::unix::pipe::Receiver;
use tokio::sync::{oneshot, watch};

use crate::MediaError;
use crate::fragments::{Event, Header, Malformed, Reader, Sample};
use crate::merge::Feeder;
use crate::process::{Progress, ProgressParser};
use crate::track::Packet;

use super::ending::Ending;
use super::pulse::Pulse;
use super::times::Times;

/// How much is read at once, in bytes.
const CHUNK: usize = 256 << 10;

/// What reads the pipe of one track.
#[derive(Debug)]
pub(super) struct Pump {
    /// The number of the track.
    pub(super) track: u32,
    /// What its times mean.
    pub(super) times: Times,
    /// Beats as long as something arrives.
    pub(super) pulse: Arc<Pulse>,
    /// Of who writes it.
    pub(super) ending: Ending,
}

impl Pump {
    /// Reads `pipe` to its end: tells the header, feeds the packets, and if the stream breaks off
    /// why.
    pub(super) async fn run(
        mut self,
        mut pipe: Receiver,
        tell: oneshot::Sender<Header>,
        mut feeder: Feeder,
    ) {
        let Err(error) = self.drain(&mut pipe, tell, &mut feeder).await else { return };
        match error {
            // A pipe that ends too early is a symptom; how ffmpeg ended is the reason.
            MediaError::Encoder { .. } => {
                drop(pipe);
                feeder.fail(self.ending.reason(error).await);
            }
            // Nothing is wrong with ffmpeg, and a pipe that is closed would look as if.
            MediaError::CannotCopy { .. } => {
                feeder.fail(error);
                let mut chunk = vec![0; CHUNK];
                while matches!(pipe.read(&mut chunk).await, Ok(1..)) {
                    self.pulse.beat(1);
                }
            }
            _ => feeder.fail(error),
        }
    }

    async fn drain(
        &mut self,
        pipe: &mut Receiver,
        tell: oneshot::Sender<Header>,
        feeder: &mut Feeder,
    ) -> Result<(), MediaError> {
        let (mut reader, mut tell) = (Reader::default(), Some(tell));
        let mut chunk = vec![0; CHUNK];
        loop {
            let count = pipe.read(&mut chunk).await;
            let count = count.map_err(|error| MediaError::host("reading from ffmpeg", error))?;
            let (bytes, _) = chunk.split_at(count);
            if bytes.is_empty() {
                reader.finish().map_err(broken)?;
                return self.times.finish();
            }
            self.pulse.beat(u64::try_from(count).unwrap_or(1));
            reader.push(bytes);
            while let Some(event) = reader.next().map_err(broken)? {
                match event {
                    Event::Header(header) => {
                        let said = self.times.header(header.priming);
                        // The run may have been dropped.
                        drop(tell.take().map(|tell| tell.send(header)));
                        said?;
                    }
                    Event::Sample(sample) => {
                        let packet = self.packet(sample)?;
                        feeder.push(packet).await?;
                    }
                }
            }
        }
    }

    /// The sample with times of the track's own clock.
    fn packet(&mut self, sample: Sample) -> Result<Packet, MediaError> {
        let placed = self.times.place(&sample)?;
        Ok(Packet {
            track: self.track,
            pts: placed.pts,
            dts: placed.dts,
            duration: placed.duration,
            is_sync: sample.is_sync,
            data: sample.data,
        })
    }
}

/// Passes on the progress reports that ffmpeg writes to `pipe`, until it ends. Time never goes
/// back.
pub(super) async fn progress(
    mut pipe: Receiver,
    report: watch::Sender<Progress>,
    pulse: Arc<Pulse>,
) {
    let mut parser = ProgressParser::default();
    let mut chunk = [0; 4096];
    // A read error ends it like the end of the stream: the packets are what counts.
    while let Ok(count @ 1..) = pipe.read(&mut chunk).await {
        let (bytes, _) = chunk.split_at(count);
        let Some(mut progress) = parser.push(bytes) else { continue };
        let before = *report.borrow();
        progress.out_time_us = progress.out_time_us.max(before.out_time_us);
        pulse.beat(progress.frame.saturating_sub(before.frame));
        report.send_replace(progress);
    }
}

fn broken(error: Malformed) -> MediaError {
    MediaError::Encoder { message: format!("its output breaks off ({error})") }
}
