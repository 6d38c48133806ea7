//! Reads config files in TOML line by line, so that a mistake skips only its own line.

use super::settings::Kind;
use super::{CONFIG, Options, Setting};
use crate::limits::PROBLEMS_MAX;
use std::collections::HashSet;
use std::io::{self, ErrorKind};
use std::path::Path;
use toml::{Table, Value};

/// Characters of a nickname word, and words of a list.
const WORD_CHARS_MAX: usize = 48;
const WORDS_MAX: usize = 10_000;
/// Characters of a paired phone's entry: its secret and its name.
const PHONE_CHARS_MAX: usize = 128;
/// Characters of a problem. Longer ones are cut.
const PROBLEM_CHARS_MAX: usize = 120;

/// Reads the files. Later ones override earlier ones, and the owner's file overrides all. Only the first must exist.
pub(super) fn read_all(
    files: &[String],
    owner: Option<&Path>,
    read_file: &dyn Fn(&Path) -> io::Result<Vec<u8>>,
) -> Options {
    let mut reader = Reader::default();
    for (number, file) in files.iter().enumerate() {
        let source = if number == 0 { "Settings".to_owned() } else { format!("Settings in {file}") };
        match read_file(Path::new(file)) {
            Ok(bytes) => reader.file(&source, &bytes),
            Err(error) if number > 0 && error.kind() == ErrorKind::NotFound => {}
            Err(error) => reader.problem(format!("{source}: {file} {}", unreadable(&error))),
        }
    }
    if let Some(owner) = owner {
        reader.is_owners = true;
        match read_file(owner) {
            Ok(bytes) => reader.file("Owner's settings", &bytes),
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => {
                reader.problem(format!("Owner's settings: {} {}", owner.display(), unreadable(&error)))
            }
        }
    }
    reader.done()
}

fn unreadable(error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => "is not there".to_owned(),
        ErrorKind::PermissionDenied => "may not be read by the box: sudo chmod 644 helps".to_owned(),
        _ => format!("cannot be read: {error}"),
    }
}

#[derive(Default)]
struct Reader {
    options: Options,
    /// Settings whose newest line was skipped.
    left_out: HashSet<&'static str>,
    /// Whether the file is the owner's, which alone lists phones.
    is_owners: bool,
}

/// The names set so far in one file. A name may be set once.
type Seen = HashSet<String>;

impl Reader {
    fn file(&mut self, source: &str, bytes: &[u8]) {
        let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
        let lines: Vec<&[u8]> = bytes.split(|&byte| byte == b'\n').collect();
        let mut seen = Seen::new();
        let mut at = 0;
        while let Some(line) = lines.get(at) {
            let (taken, outcome) = match std::str::from_utf8(line) {
                Ok(line) if is_nothing(line) => (1, Ok(())),
                Ok(line) if line.trim_start().starts_with('[') => (1, section(line)),
                Ok(line) => self.statement(line, &lines[at..], &mut seen),
                Err(_) => (1, Err("is not UTF-8 text".to_owned())),
            };
            if let Err(wrong) = outcome {
                self.problem(format!("{source}, line {}: {wrong}", at + 1));
            }
            at += taken;
        }
    }

    /// Reads the setting that starts in `line`, the first of `lines`. Returns the number of its lines.
    fn statement(&mut self, line: &str, lines: &[&[u8]], seen: &mut Seen) -> (usize, Result<(), String>) {
        if let Ok(table) = line.trim_end().parse::<Table>() {
            return (1, self.set_all(table, seen));
        }
        // Only a list can continue on the next lines.
        if !line.split_once('=').is_some_and(|(_, value)| value.trim_start().starts_with('[')) {
            return (1, Err(self.unparsed(line)));
        }
        let more = lines.iter().skip(1).take_while(|line| !begins_anew(line)).count();
        let whole = lines[..=more].join(&b'\n');
        let table = std::str::from_utf8(&whole).ok().and_then(|text| text.trim_end().parse::<Table>().ok());
        let outcome = match table {
            Some(table) => self.set_all(table, seen),
            None => Err(self.unparsed(line)),
        };
        (more + 1, outcome)
    }

    /// Returns what is wrong with a line that is not TOML.
    fn unparsed(&mut self, line: &str) -> String {
        let Some((name, _)) = line.split_once('=') else { return "is not like `name = value`".to_owned() };
        let name = name.trim();
        match Setting::named(name) {
            Some(setting) => {
                self.left_out.insert(setting.name);
                format!("`{name}` wants {}, like {}", wants(setting.kind), setting.example_line())
            }
            None if is_words(name) => {
                format!("`{name}` wants a list of words in quotes, like {name} = [\"word\"]")
            }
            None => format!("`{name}` is unknown"),
        }
    }

    fn set_all(&mut self, table: Table, seen: &mut Seen) -> Result<(), String> {
        table.into_iter().try_for_each(|(name, value)| {
            if name == "words" {
                let Value::Table(lists) = value else {
                    return Err("`words` is a section: [words]".to_owned());
                };
                return self.set_all(lists, seen);
            }
            if (Setting::named(&name).is_some() || is_words(&name)) && !seen.insert(name.clone()) {
                return Err(format!("`{name}` is set a second time"));
            }
            self.set(&name, &value).map_err(|wrong| format!("`{name}` {wrong}"))
        })
    }

    fn set(&mut self, name: &str, value: &Value) -> Result<(), String> {
        match name {
            "add" => return set_list(&mut self.options.words_add, value, WORD_CHARS_MAX),
            "exempt" => return set_list(&mut self.options.words_exempt, value, WORD_CHARS_MAX),
            "phones" if self.is_owners => return set_list(&mut self.options.phones, value, PHONE_CHARS_MAX),
            CONFIG => return Err("belongs on the command line".to_owned()),
            _ => {}
        }
        let setting = Setting::named(name).ok_or("is unknown")?;
        self.left_out.insert(setting.name);
        let value = match (setting.kind, value) {
            (_, Value::String(value)) => value.clone(),
            (Kind::List, Value::Array(list)) => {
                let parts: Option<Vec<&str>> = list.iter().map(Value::as_str).collect();
                parts.ok_or("wants a list of words in quotes")?.join(",")
            }
            (Kind::Number, Value::Integer(_) | Value::Float(_)) => value.to_string(),
            (Kind::Bool | Kind::Switch, Value::Boolean(_)) => value.to_string(),
            (kind, _) => return Err(format!("wants {}, like {}", wants(kind), setting.example_line())),
        };
        (setting.set)(&mut self.options, &value).map_err(|right| format!("is wrong: {right}"))?;
        self.left_out.remove(setting.name);
        Ok(())
    }

    fn problem(&mut self, text: String) {
        let problems = &mut self.options.problems;
        if problems.len() < PROBLEMS_MAX {
            let short: String = text.chars().take(PROBLEM_CHARS_MAX).collect();
            problems.push(if short.len() < text.len() { short + "…" } else { short });
        }
    }

    fn done(mut self) -> Options {
        // A mistyped password must not result in an open Wi-Fi.
        if self.left_out.contains("hotspot-password") && self.options.hotspot.take().is_some() {
            self.problem("The box's own Wi-Fi is off until hotspot-password is right".to_owned());
        }
        self.options
    }
}

fn wants(kind: Kind) -> &'static str {
    match kind {
        Kind::Text | Kind::List => "quotes",
        Kind::Number => "a number",
        Kind::Bool | Kind::Switch => "true or false",
    }
}

fn is_words(name: &str) -> bool {
    ["add", "exempt"].contains(&name)
}

fn is_nothing(line: &str) -> bool {
    let line = line.trim();
    line.is_empty() || line.starts_with('#')
}

/// Returns whether a line starts a setting or a section, even after an unfinished list.
fn begins_anew(line: &[u8]) -> bool {
    let start = line.trim_ascii_start();
    let name = start.iter().take_while(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(byte)).count();
    let header = start.first() == Some(&b'[') && start.get(1).is_some_and(u8::is_ascii_alphabetic);
    header || name > 0 && start[name..].trim_ascii_start().first() == Some(&b'=')
}

/// Reads a section's heading. There is only one section. Its names differ from those of all settings, so settings after
/// it are valid as well.
fn section(line: &str) -> Result<(), String> {
    match line.trim().parse::<Table>() {
        Ok(table) if table.contains_key("words") => Ok(()),
        _ => Err(format!("there is no section {}", line.trim())),
    }
}

/// Appends the words of a list, each of at most `most` characters.
fn set_list(list: &mut Vec<String>, value: &Value, most: usize) -> Result<(), String> {
    let wrong = || "wants a list of words in quotes, like [\"word\"]".to_owned();
    let words = value.as_array().filter(|list| list.len() <= WORDS_MAX).ok_or_else(wrong)?;
    for word in words {
        let word = word.as_str().map(str::trim).ok_or_else(wrong)?;
        if word.is_empty() || word.chars().count() > most {
            return Err(format!("holds a word of other than 1 to {most} characters"));
        }
        list.push(word.to_owned());
    }
    Ok(())
}
