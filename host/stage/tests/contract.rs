//! The contract in `wit/` stays what plugins were built against.

#[cfg(test)]
mod common;

#[cfg(test)]
mod contract {
    mod documentation;
    mod growth;
    mod linking;
    mod usage;
}
