//! The daemon. (being written)
fn main() {}
