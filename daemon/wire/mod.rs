//! The wire, version 1: one enum a direction and role. Only this module knows the pages' JSON.
//!
//! A client may send what [`FirstMessage`], `PhoneMessage` or `TvMessage` can hold: a new kind is a deliberate
//! change here.

mod parse;
mod print;

pub use parse::*;
pub use print::*;
