//! What a plugin says about itself.

use wasmtime::Result;
use wasmtime::component::Resource;

use super::Host;
use super::bindings::video_render::stage::manifest;
use super::handles::ManifestHandle;
use super::text::{is_words, short};
use crate::fault::{Stop, ensure};
use crate::parameters::Schema;

const MAX_CONTAINERS: usize = 64;
const MAX_MARKS: usize = 64;
const MAX_SCHEMA_BYTES: usize = 64 << 10;

impl manifest::Host for Host {}

impl manifest::HostManifest for Host {
    fn new(&mut self, name: String, version: String) -> Result<Resource<ManifestHandle>> {
        let name = short("a plugin's name", name)?;
        ensure(is_words(&name, '-'), || {
            format!("the plugin's name {name:?} is not lower-case words joined by hyphens")
        })?;
        let version = short("a plugin's version", version)?;
        ensure(semver::Version::parse(&version).is_ok(), || {
            format!("the plugin's version {version:?} is not a semantic version")
        })?;
        let (containers, marks) = (Vec::new(), Vec::new());
        self.push(ManifestHandle { name, version, parameters: None, containers, marks })
    }

    fn set_parameters(&mut self, manifest: Resource<ManifestHandle>, schema: String) -> Result<()> {
        ensure(schema.len() <= MAX_SCHEMA_BYTES, || {
            format!(
                "the parameters' schema has {} bytes, {MAX_SCHEMA_BYTES} are allowed",
                schema.len()
            )
        })?;
        let schema = Schema::parse(&schema).map_err(|reason| {
            Stop::contract(format!("the parameters' schema is not usable: {reason}"))
        })?;
        self.get_mut(&manifest)?.parameters = Some(schema);
        Ok(())
    }

    fn add_container(&mut self, manifest: Resource<ManifestHandle>, name: String) -> Result<()> {
        let name = short("a container's name", name)?;
        let containers = &mut self.get_mut(&manifest)?.containers;
        ensure(containers.len() < MAX_CONTAINERS, || {
            format!("more than {MAX_CONTAINERS} containers")
        })?;
        containers.push(name);
        Ok(())
    }

    fn add_mark(&mut self, manifest: Resource<ManifestHandle>, kind: String) -> Result<()> {
        let kind = short("a kind of mark", kind)?;
        let marks = &mut self.get_mut(&manifest)?.marks;
        ensure(marks.len() < MAX_MARKS, || format!("more than {MAX_MARKS} kinds of marks"))?;
        marks.push(kind);
        Ok(())
    }

    fn drop(&mut self, manifest: Resource<ManifestHandle>) -> Result<()> {
        self.take(manifest).map(drop)
    }
}
