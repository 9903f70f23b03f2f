//! The exported interfaces, each filled by an adapter of the plugin's trait.

use super::output::HostOutput;
use super::write::ToHost;
use super::{read, write};
use crate::bindings::host::{job as host, manifest, outcome, output, packets};
use crate::bindings::{encode, mux, muxing, plugin, watermark};
use crate::{
    EncodePlugin, Fault, Job, MuxPlugin, Muxer, Resumed, Resumption, Verdict, WatermarkPlugin,
};
use serde::de::DeserializeOwned;
use std::cell::RefCell;
use std::marker::PhantomData;

/// Fills the encode world.
pub struct Encode<T>(PhantomData<T>);
/// Fills the watermark world.
pub struct Watermark<T>(PhantomData<T>);
/// Fills the mux world.
pub struct Mux<T>(PhantomData<T>);

fn start<P: DeserializeOwned, D: ToHost>(
    job: &host::Job,
    decide: impl FnOnce(&Job<P>) -> Result<Verdict<D>, Fault>,
) -> outcome::Verdict {
    let result = read::job(job).and_then(|facts| {
        let result = decide(&facts);
        write::warnings(&facts, job);
        result
    });
    write::verdict(result, job)
}

fn resume<P: DeserializeOwned, D: ToHost>(
    job: &host::Job,
    resumption: &host::Resumption,
    decide: impl FnOnce(&Job<P>, &Resumption) -> Result<Resumed<D>, Fault>,
) -> outcome::Verdict {
    let result = read::job(job).and_then(|facts| {
        let result = decide(&facts, &read::resumption(resumption));
        write::warnings(&facts, job);
        result
    });
    write::resumed(result, job, resumption)
}

macro_rules! stage {
    ($adapter:ident, $trait:ident) => {
        impl<T: $trait> $adapter<T> {
            /// Lets a native build find out whether the plugin fits.
            pub const CHECKED: () = ();
        }

        impl<T: $trait> plugin::Guest for $adapter<T> {
            fn describe() -> manifest::Manifest {
                write::manifest(&T::manifest())
            }
        }
    };
}

stage!(Encode, EncodePlugin);
stage!(Watermark, WatermarkPlugin);
stage!(Mux, MuxPlugin);

impl<T: EncodePlugin> encode::Guest for Encode<T> {
    fn start(job: &host::Job) -> outcome::Verdict {
        start(job, T::start)
    }

    fn resume(job: &host::Job, resumption: &host::Resumption) -> outcome::Verdict {
        resume(job, resumption, T::resume)
    }
}

impl<T: WatermarkPlugin> watermark::Guest for Watermark<T> {
    fn start(job: &host::Job) -> outcome::Verdict {
        start(job, T::start)
    }

    fn resume(job: &host::Job, resumption: &host::Resumption) -> outcome::Verdict {
        resume(job, resumption, T::resume)
    }
}

impl<T: MuxPlugin> mux::Guest for Mux<T> {
    fn start(job: &host::Job) -> outcome::Verdict {
        start(job, T::start)
    }

    fn resume(job: &host::Job, resumption: &host::Resumption) -> outcome::Verdict {
        resume(job, resumption, T::resume)
    }
}

impl<T: MuxPlugin> muxing::Guest for Mux<T> {
    type Muxer = OpenFile<T>;
}

/// The exported muxer; empty once it is finished or has failed.
pub struct OpenFile<T: MuxPlugin>(RefCell<Option<T::Muxer<HostOutput>>>);

impl<T: MuxPlugin> muxing::GuestMuxer for OpenFile<T> {
    fn begin(
        job: &host::Job,
        tracks: Vec<packets::Track>,
        sink: output::Sink,
    ) -> Result<muxing::Muxer, outcome::Fault> {
        let tracks = tracks.iter().map(read::track).collect();
        read::job(job)
            .and_then(|facts| {
                let begun = T::begin(&facts, tracks, HostOutput(sink));
                write::warnings(&facts, job);
                begun
            })
            .map(|muxer| muxing::Muxer::new(Self(RefCell::new(Some(muxer)))))
            .map_err(|fault| write::fault(&fault))
    }

    fn write(&self, packet: &packets::Packet) -> Result<(), outcome::Fault> {
        let mut open = self.0.borrow_mut();
        let muxer = open.as_mut().ok_or_else(ended)?;
        muxer.write(&read::packet(packet), packet).map_err(|fault| {
            *open = None;
            write::fault(&fault)
        })
    }

    fn finish(&self) -> Result<(), outcome::Fault> {
        let muxer = self.0.borrow_mut().take().ok_or_else(ended)?;
        muxer.finish().map_err(|fault| write::fault(&fault))
    }
}

fn ended() -> outcome::Fault {
    write::fault(&Fault::failed("The file has already been ended."))
}
