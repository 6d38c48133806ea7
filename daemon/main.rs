//! Turns the command line into an exit code. Everything else is in the library.
#![forbid(unsafe_code)]

use doozer_box::app;
use doozer_box::appliance::journal;
use doozer_box::options::{self, Action, Options};
use doozer_box::version::BUILD;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let outcome = match read(&|path| std::fs::read(path)) {
        Ok(Action::Print(text)) => write!(io::stdout(), "{text}").map_err(|error| error.to_string()),
        Ok(Action::Run(options)) => app::run(*options, Box::new(read_with)),
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

/// Reads the command line, the environment and the files.
fn read(read_file: &dyn Fn(&Path) -> io::Result<Vec<u8>>) -> Result<Action, String> {
    options::parse(std::env::args_os().skip(1), &|name| std::env::var_os(name), read_file, BUILD)
}

/// Reads them anew, with this text as the owner's file.
fn read_with(owner: &Path, text: &str) -> Result<Options, String> {
    match read(&|path| if path == owner { Ok(text.into()) } else { std::fs::read(path) })? {
        Action::Run(options) => Ok(*options),
        Action::Print(text) => Err(text),
    }
}
