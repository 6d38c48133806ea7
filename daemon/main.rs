//! Turns the command line into an exit code. Everything else is in the library.
#![forbid(unsafe_code)]

use doozer_box::app;
use doozer_box::appliance::journal;
use doozer_box::options::{self, Action};
use doozer_box::version::BUILD;
use std::io::{self, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    let args = std::env::args_os().skip(1);
    let outcome =
        match options::parse(args, &|name| std::env::var_os(name), &|path| std::fs::read(path), BUILD) {
            Ok(Action::Print(text)) => write!(io::stdout(), "{text}").map_err(|error| error.to_string()),
            Ok(Action::Run(options)) => app::run(*options),
            Err(error) => {
                eprintln!("doozer-box: {error}\nSee doozer-box --help.");
                return ExitCode::from(2);
            }
        };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            log::error!("{error}");
            journal::flush();
            ExitCode::FAILURE
        }
    }
}
