//! Fuzzes pipelined requests over a real socket.
#![no_main]

#[path = "../pipeline.rs"]
mod pipeline;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| pipeline::pipeline(bytes));
