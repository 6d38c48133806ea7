//! The box's own files say what the daemon takes: the config file, its documentation, the units.
#![allow(clippy::unwrap_used)]

use doozer_box::options::{Action, Options, USAGE, parse};
use std::fs;
use std::path::Path;

fn file(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

/// The settings that `--help` names, but those that only the command line has.
fn settings() -> Vec<&'static str> {
    let flags = USAGE.lines().filter_map(|line| line.trim_start().strip_prefix("--"));
    let names = flags.map(|flag| flag.split([' ', ',']).next().unwrap());
    names.filter(|name| !["config", "help", "version"].contains(name)).collect()
}

fn from_file(text: &str) -> Options {
    let action = parse(["--config".into(), "/box.toml".into()], &|_| None, &|_| Ok(text.into())).unwrap();
    let Action::Run(options) = action else { panic!("{action:?}") };
    *options
}

#[test]
fn the_config_file_has_every_setting_and_what_holds_without_it() {
    let text = file("deploy/doozer-box.toml");
    assert_eq!(from_file(&text), Options::default(), "as it is installed");
    let (mut defaults, mut every) = (String::new(), String::new());
    for name in settings() {
        let line = text.lines().find(|line| line.starts_with(&format!("#{name} = ")));
        let line = line.unwrap_or_else(|| panic!("no {name} in the config file"));
        let line = line.strip_prefix('#').unwrap();
        every += &format!("{line}\n");
        // These have no default: what stands there is an example.
        if !["state", "www", "address", "interface", "wifi", "hotspot", "hotspot-password"].contains(&name) {
            defaults += &format!("{line}\n");
        }
    }
    assert_eq!(from_file(&defaults), Options::default(), "what stands behind the # is the default");
    assert_eq!(from_file(&every).warning, None, "every line can be taken as it is");
    let words = text.split_once("#[words]").unwrap().1.replace('#', "");
    assert_eq!(from_file(&format!("[words]{words}")), Options::default());
}

#[test]
fn the_owners_page_names_every_setting() {
    let page = file("deploy/README.md");
    for name in settings() {
        assert!(page.contains(&format!("`{name}`")), "{name}");
    }
}

#[test]
fn what_the_package_holds_is_there() {
    let manifest: toml::Table = file("Cargo.toml").parse().unwrap();
    let deb = &manifest["package"]["metadata"]["deb"];
    for asset in deb["assets"].as_array().unwrap() {
        let source = asset[0].as_str().unwrap();
        let found = match source.split_once('*') {
            _ if source.starts_with("target/") => true,
            None => Path::new(env!("CARGO_MANIFEST_DIR")).join(source).is_file(),
            Some((folder, end)) => {
                let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
                fs::read_dir(folder)
                    .unwrap()
                    .any(|entry| entry.unwrap().path().to_string_lossy().ends_with(end))
            }
        };
        assert!(found, "{source}");
    }
}
