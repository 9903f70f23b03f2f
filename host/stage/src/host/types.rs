//! The records of the contract: those of the model itself, and a rectangle. They stand in for the
//! module that `bindgen!` would make of the interface, so that nothing is converted.

use wasmtime::component::{ComponentType, HasData, HasSelf, Lift, Linker, Lower};

pub use crate::model::{Anchor, Colour, Point, Rational, Size};

/// A rectangle of whole pixels.
#[derive(Clone, Copy, Debug, ComponentType, Lift, Lower)]
#[component(record)]
pub struct Rect {
    pub origin: Point,
    pub size: Size,
}

/// The functions of the interface: there are none.
pub trait Host {}

impl Host for &mut super::Host {}

/// The functions that need the store: there are none.
pub trait HostWithStore<T>: HasData {}

impl<T> HostWithStore<T> for HasSelf<super::Host> {}

/// Links the interface, which takes nothing.
pub fn add_to_linker<T: 'static, D: HostWithStore<T>>(
    _linker: &mut Linker<T>,
    _host: fn(&mut T) -> D::Data<'_>,
) -> wasmtime::Result<()> {
    Ok(())
}
