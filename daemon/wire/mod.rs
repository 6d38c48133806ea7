//! The messages between pages and daemon, version 1. Only this module knows the pages' JSON.
//!
//! A client may send only what [`FirstMessage`] and [`RoomMessage`] can represent, so a new kind needs a change here.

pub mod owner;
mod parse;
mod print;

pub use parse::*;
pub use print::*;

use print::print;
