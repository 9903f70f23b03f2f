//! The engine with plugins written by hand, each made to do one thing wrong or right.

#[cfg(test)]
mod common;

#[cfg(test)]
mod engine {
    mod decide;
    mod encoder;
    mod filter;
    mod fixture;
    mod frame_limits;
    mod frame_plugin;
    mod given;
    mod limits;
    mod load;
    mod mux;
    mod plugin;
}
