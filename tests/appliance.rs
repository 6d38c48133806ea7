//! Compares the box's files with the daemon's settings: the config file, its documentation, the units.
#![allow(clippy::unwrap_used)]

use doozer_box::options::{Action, Options, SETTINGS, config_file, parse, table};
use std::fs;
use std::path::{Path, PathBuf};

fn path(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn file(name: &str) -> String {
    fs::read_to_string(path(name)).unwrap()
}

fn from_file(text: &str) -> Options {
    let args = ["--config".into(), "/box.toml".into()];
    let action = parse(args, &|_| None, &|_| Ok(text.into()), "").unwrap();
    let Action::Run(options) = action else { panic!("{action:?}") };
    *options
}

/// Asserts that a file is equal to the text from the table of settings. `BLESS=1 cargo test --test appliance` writes it.
fn assert_file(name: &str, wanted: &str) {
    if std::env::var_os("BLESS").is_some() {
        return fs::write(path(name), wanted).unwrap();
    }
    let help = "differs from the table of settings: BLESS=1 cargo test --test appliance writes it";
    assert!(file(name) == wanted, "{name} {help}");
}

#[test]
fn the_config_file_has_every_setting_once_and_what_holds_without_it() {
    let text = config_file();
    assert_file("deploy/doozer-box.toml", &text);
    assert_eq!(from_file(&text), Options::default(), "as it is installed");
    let settings: String = text.lines().filter_map(setting).map(|line| line + "\n").collect();
    let all = from_file(&settings);
    assert_eq!(all.problems, Vec::<String>::new(), "every line can be taken as it is");
    let examples = |name: &str| SETTINGS.iter().any(|s| s.name == name && !s.example.is_empty());
    let defaults = settings.lines().filter(|line| !examples(line.split(" =").next().unwrap()));
    assert_eq!(from_file(&defaults.collect::<Vec<_>>().join("\n")), Options::default());
}

/// Returns a line without the `#` in front of its setting or section.
fn setting(line: &str) -> Option<String> {
    line.strip_prefix('#').filter(|line| !line.starts_with([' ', '-'])).map(str::to_owned)
}

#[test]
fn the_owners_page_has_the_table_of_settings() {
    let page = file("deploy/README.md");
    let head = table().lines().next().unwrap().to_owned();
    let (before, rest) = page.split_once(&head).expect("no table of settings");
    let (_, after) = rest.split_once("\n\n").unwrap();
    assert_file("deploy/README.md", &format!("{before}{}\n{after}", table()));
}

#[test]
fn the_files_of_the_package_exist() {
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
