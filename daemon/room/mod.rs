//! One room, and all of them. Pure: time and randomness are arguments.

pub mod bucket;
pub mod names;
