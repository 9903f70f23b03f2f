//! What agents and people are promised: the tools with their schemas, the
//! answers that they give, and the one catalogue of what can go wrong.
//!
//! Pure data and pure functions: nothing here knows how a render is made, how
//! it is kept, or by which protocol it was asked for.

pub mod answers;
pub mod arguments;
pub mod catalogue;
pub mod envelope;
pub mod failure;
pub mod fields;
pub mod schema;
pub mod summary;
pub mod tools;
