//! The output as a muxer sees it.

use wasmtime::Result;
use wasmtime::component::Resource;

use super::bindings::video_render::stage::output;
use super::handles::{SinkHandle, SpoolHandle};
use super::{Host, no_output};
use crate::model::Packet;

impl output::Host for Host {}

impl output::HostSink for Host {
    fn write(&mut self, sink: Resource<SinkHandle>, bytes: Vec<u8>) -> Result<()> {
        self.get(&sink)?;
        Ok(self.output()?.write(&bytes)?)
    }

    fn create_spool(&mut self, sink: Resource<SinkHandle>) -> Result<Resource<SpoolHandle>> {
        self.get(&sink)?;
        let spool = self.output()?.create_spool()?;
        self.push(SpoolHandle(spool))
    }

    async fn append_spool(
        &mut self,
        sink: Resource<SinkHandle>,
        spool: Resource<SpoolHandle>,
    ) -> Result<()> {
        self.get(&sink)?;
        let SpoolHandle(spool) = self.take(spool)?;
        let _not_the_plugins_time = self.clock.pause();
        Ok(self.output()?.append_spool(spool).await?)
    }

    fn drop(&mut self, sink: Resource<SinkHandle>) -> Result<()> {
        self.take(sink).map(drop)
    }
}

impl output::HostSpool for Host {
    fn append(&mut self, spool: Resource<SpoolHandle>, packet: Resource<Packet>) -> Result<()> {
        let data = self.get(&packet)?.data.clone();
        let SpoolHandle(spool) = self.table.get_mut(&spool)?;
        let output = self.output.as_mut().ok_or_else(no_output)?;
        Ok(output.append_to(spool, &data)?)
    }

    fn write(&mut self, spool: Resource<SpoolHandle>, bytes: Vec<u8>) -> Result<()> {
        let SpoolHandle(spool) = self.table.get_mut(&spool)?;
        let output = self.output.as_mut().ok_or_else(no_output)?;
        Ok(output.write_to(spool, &bytes)?)
    }

    fn patch(&mut self, spool: Resource<SpoolHandle>, position: u64, bytes: Vec<u8>) -> Result<()> {
        let SpoolHandle(spool) = self.table.get_mut(&spool)?;
        Ok(spool.patch(position, &bytes)?)
    }

    fn drop(&mut self, spool: Resource<SpoolHandle>) -> Result<()> {
        let SpoolHandle(spool) = self.take(spool)?;
        self.output()?.discard(spool);
        Ok(())
    }
}
