//! The daemon: options in, exit code out.
#![forbid(unsafe_code)]

use doozer_box::appliance::journal;
use doozer_box::house;
use doozer_box::net::BUILD;
use doozer_box::options::{self, Action, USAGE};
use std::io::{self, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    let args = std::env::args_os().skip(1);
    let ended = match options::parse(args, &|name| std::env::var_os(name), &|path| std::fs::read(path)) {
        Ok(Action::Help) => write!(io::stdout(), "{USAGE}").map_err(|error| error.to_string()),
        Ok(Action::Version) => {
            writeln!(io::stdout(), "doozer-box {BUILD}").map_err(|error| error.to_string())
        }
        Ok(Action::Run(options)) => house::run(*options),
        Err(error) => {
            eprintln!("doozer-box: {error}\nSee doozer-box --help.");
            return ExitCode::from(2);
        }
    };
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            log::error!("{error}");
            journal::flush();
            ExitCode::FAILURE
        }
    }
}
