//! One track that a plugin encodes.

mod order;

use picture::Frame;
use wasmtime::Store;
use wasmtime::component::{Resource, ResourceAny};

use crate::call::{Watch, begin_frame_call};
use crate::host::bindings::exports::video_render::stage::frame_encoder;
use crate::host::{Host, JobHandle};
use crate::model::{Job, Packet, Warning};
use crate::plugin::Loaded;
use crate::{PluginFault, Terms};
use order::Order;

/// A video track that is to be encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EncodingTask {
    /// The place of the track in the encode plan, from 0.
    pub track: u32,
    /// Ticks per second of the times of its packets, at least 1.
    pub timescale: u32,
    /// The ticks from one frame of the raster to the next, at least 1.
    pub frame_duration: u32,
    /// How many frames will come, as far as that is known.
    pub frames: Option<u64>,
}

/// What a plugin says of a track that it encoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EncodedTrack {
    /// The codec by RFC 6381 with its profile.
    pub codec: String,
    /// What a decoder needs before the first packet; may be empty.
    pub codec_config: Vec<u8>,
}

/// One track that a plugin encodes, which lives in an instance of its own. After an error, or a
/// call that was not awaited to its end, it can only be dropped.
pub struct Encoder {
    watch: Watch,
    wall_ms: u64,
    order: Order,
    next: Next,
    was_asked: bool,
    encoding: Option<Encoding>,
}

struct Encoding {
    store: Store<Host>,
    guest: frame_encoder::Guest,
    encoder: ResourceAny,
}

/// What an encoder waits for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    /// The first packet.
    Packet,
    /// More frames, or their end.
    Frames,
    /// Nothing; only the track may still be asked for.
    Nothing,
}

impl Encoder {
    pub(crate) async fn begin(
        plugin: &Loaded,
        job: &Job,
        task: EncodingTask,
        terms: &Terms,
    ) -> Result<Self, PluginFault> {
        let watch = Watch::new(&plugin.manifest.name, terms);
        let wall_ms = terms.limits.frame_wall_per_call_ms;
        let order = Order::new(task.frame_duration);
        let work = async {
            let mut store = watch.store(&plugin.shared, terms.limits.frame_time_ms, None)?;
            let instance = plugin.pre.instantiate_async(&mut store).await?;
            let guest = plugin.exports.encoder(&mut store, &instance)?;
            let host = store.data_mut();
            host.draws_on(job);
            host.encodes(task.track);
            let job = host.push(JobHandle(job.clone()))?;
            let lent = host.push(task)?;
            let task = Resource::new_borrow(lent.rep());
            let answer = guest.encoder().call_begin(&mut store, job, task).await?;
            let host = store.data_mut();
            host.take(lent)?;
            match answer {
                Ok(encoder) => Ok(Ok(Encoding { store, guest, encoder })),
                Err(fault) => Ok(Err(host.take(fault)?)),
            }
        };
        match watch.run(wall_ms, work).await? {
            Ok(encoding) => {
                let (next, encoding) = (Next::Packet, Some(encoding));
                Ok(Self { watch, wall_ms, order, next, was_asked: false, encoding })
            }
            Err(fault) => Err(fault.of(watch.plugin())),
        }
    }

    /// Lends the next frame and takes the packets that are finished, in the order in which they
    /// are decoded.
    ///
    /// # Errors
    /// See [`PluginFault`].
    pub async fn push(&mut self, frame: &Frame) -> Result<Vec<Packet>, PluginFault> {
        if self.next == Next::Nothing {
            return Err(self.misused("was given a frame after the last"));
        }
        self.order.came(frame.index).map_err(|message| PluginFault::Host { message })?;
        // Taken out, so that a call that is dropped half-way takes its instance with it.
        let mut encoding = self.take()?;
        let work = async {
            let Encoding { store, guest, encoder } = &mut encoding;
            begin_frame_call(store);
            let frame = store.data_mut().push_frame(frame.clone())?;
            let lent = Resource::new_borrow(frame.rep());
            let answer = guest.encoder().call_push(&mut *store, *encoder, lent).await?;
            let host = store.data_mut();
            host.take_frame(frame)?;
            match answer {
                Ok(packets) => host.take_packets(packets).map(Ok),
                Err(fault) => host.take(fault).map(Err),
            }
        };
        match self.watch.run(self.wall_ms, work).await? {
            Ok(packets) => {
                self.check(&packets)?;
                self.encoding = Some(encoding);
                Ok(packets)
            }
            Err(fault) => Err(fault.of(self.watch.plugin())),
        }
    }

    /// Takes the packets that were held back; there are no more frames.
    ///
    /// # Errors
    /// See [`PluginFault`].
    pub async fn flush(&mut self) -> Result<Vec<Packet>, PluginFault> {
        if self.next == Next::Nothing {
            return Err(self.misused("was flushed twice"));
        }
        let mut encoding = self.take()?;
        let work = async {
            let Encoding { store, guest, encoder } = &mut encoding;
            begin_frame_call(store);
            let answer = guest.encoder().call_flush(&mut *store, *encoder).await?;
            let host = store.data_mut();
            match answer {
                Ok(packets) => host.take_packets(packets).map(Ok),
                Err(fault) => host.take(fault).map(Err),
            }
        };
        match self.watch.run(self.wall_ms, work).await? {
            Ok(packets) => {
                self.check(&packets)?;
                self.order.end().map_err(|rule| self.watch.broken(rule))?;
                self.next = Next::Nothing;
                self.encoding = Some(encoding);
                Ok(packets)
            }
            Err(fault) => Err(fault.of(self.watch.plugin())),
        }
    }

    /// Asks what the muxer is to be told of the track: once, when there was a packet or after
    /// [`flush`](Self::flush).
    ///
    /// # Errors
    /// See [`PluginFault`].
    pub async fn track(&mut self) -> Result<EncodedTrack, PluginFault> {
        if self.next == Next::Packet {
            return Err(self.misused("was asked for its track before there was a packet"));
        }
        if self.was_asked {
            return Err(self.misused("was asked for its track twice"));
        }
        self.was_asked = true;
        let mut encoding = self.take()?;
        let work = async {
            let Encoding { store, guest, encoder } = &mut encoding;
            begin_frame_call(store);
            let answer = guest.encoder().call_track(&mut *store, *encoder).await?;
            let host = store.data_mut();
            match answer {
                Ok(track) => host.take(track).map(Ok),
                Err(fault) => host.take(fault).map(Err),
            }
        };
        match self.watch.run(self.wall_ms, work).await? {
            Ok(track) => {
                self.encoding = Some(encoding);
                Ok(track)
            }
            Err(fault) => Err(fault.of(self.watch.plugin())),
        }
    }

    /// What the plugin wants said so far; at most 32 in all.
    pub fn take_warnings(&mut self) -> Vec<Warning> {
        match &mut self.encoding {
            Some(encoding) => encoding.store.data_mut().take_warnings(),
            None => Vec::new(),
        }
    }

    fn check(&mut self, packets: &[Packet]) -> Result<(), PluginFault> {
        for packet in packets {
            self.order.made(packet).map_err(|rule| self.watch.broken(rule))?;
            self.next = Next::Frames;
        }
        Ok(())
    }

    fn take(&mut self) -> Result<Encoding, PluginFault> {
        self.encoding.take().ok_or_else(|| self.misused("has ended"))
    }

    fn misused(&self, how: &str) -> PluginFault {
        let message = format!("the encoder of plugin {} {how}", self.watch.plugin());
        PluginFault::Host { message }
    }
}
