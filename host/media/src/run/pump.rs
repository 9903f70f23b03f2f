//! Draining the pipes.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::io::AsyncReadExt;
use tokio::net::unix::pipe::Receiver;
use tokio::sync::{oneshot, watch};

use crate::MediaError;
use crate::fragments::{Event, Header, Malformed, Reader, Sample};
use crate::merge::Feeder;
use crate::process::{Progress, ProgressParser};
use crate::track::Packet;

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
    /// Grows as long as something arrives.
    pub(super) moved: Arc<AtomicU64>,
}

impl Pump {
    /// Reads `pipe` to its end: tells the header, feeds the packets, and an error if the stream
    /// breaks off.
    pub(super) async fn run(
        mut self,
        mut pipe: Receiver,
        tell: oneshot::Sender<Header>,
        mut feeder: Feeder,
    ) {
        let Err(error) = self.drain(&mut pipe, tell, &mut feeder).await else { return };
        // Nothing is wrong with ffmpeg then, and a pipe that is closed would look as if.
        let goes_on = matches!(error, MediaError::CannotCopy { .. });
        feeder.fail(error);
        let mut chunk = vec![0; CHUNK];
        while goes_on && matches!(pipe.read(&mut chunk).await, Ok(1..)) {
            self.moved.fetch_add(1, Ordering::Relaxed);
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
            self.moved.fetch_add(u64::try_from(count).unwrap_or(1), Ordering::Relaxed);
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
    moved: Arc<AtomicU64>,
) {
    let mut parser = ProgressParser::default();
    let mut chunk = [0; 4096];
    // A read error ends it like the end of the stream: the packets are what counts.
    while let Ok(count @ 1..) = pipe.read(&mut chunk).await {
        let (bytes, _) = chunk.split_at(count);
        let Some(mut progress) = parser.push(bytes) else { continue };
        let before = *report.borrow();
        progress.out_time_us = progress.out_time_us.max(before.out_time_us);
        moved.fetch_add(progress.frame.saturating_sub(before.frame), Ordering::Relaxed);
        report.send_replace(progress);
    }
}

fn broken(error: Malformed) -> MediaError {
    MediaError::Encoder { message: format!("its output breaks off ({error})") }
}
