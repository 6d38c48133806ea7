//! The owner's file: what phone and remote have set, above the config files and below variables and flags. Pure.
//!
//! It is a config file like the others, a setting a line, and read by the same reader. It is only ever written as a
//! whole, from [`Layer`].

use crate::options::{SETTINGS, Setting};
use crate::wire::owner::WordList;
use std::collections::BTreeMap;
use toml::{Table, Value};

/// Words on one of the owner's lists.
const WORDS_MAX: usize = 200;
/// Characters of such a word.
const WORD_CHARS_MAX: usize = 48;

/// Settings that the owner may change here. The others belong to whoever has the card or a shell.
const OWNERS: [&str; 20] = [
    "venue",
    "language",
    "sound",
    "house",
    "open",
    "timezone",
    "turn",
    "result",
    "rematch",
    "away",
    "hold",
    "attract",
    "wifi",
    "wifi-password",
    "hotspot",
    "hotspot-password",
    "name",
    "interface",
    "address",
    "no-mdns",
];

/// What the owner has set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layer {
    /// Values by their settings' names, as the settings' parsers read them.
    values: BTreeMap<&'static str, String>,
    /// Words that nicknames must not hold.
    pub add: Vec<String>,
    /// Words that nicknames may hold.
    pub exempt: Vec<String>,
    /// The phones, as [`crate::auth::Phones`] prints them.
    pub phones: Vec<String>,
}

/// Returns the settings that the owner may change here.
pub fn settings() -> impl Iterator<Item = &'static Setting> {
    SETTINGS.iter().filter(|setting| OWNERS.contains(&setting.name))
}

impl Layer {
    /// Reads the file as [`Layer::text`] has written it. Lines of another hand that hold nothing of it are left out.
    pub fn parse(text: &str) -> Layer {
        let mut layer = Layer::default();
        for (name, value) in text.lines().filter_map(|line| line.parse::<Table>().ok()).flatten() {
            let list = match name.as_str() {
                "add" => &mut layer.add,
                "exempt" => &mut layer.exempt,
                "phones" => &mut layer.phones,
                _ => {
                    if let Some(setting) = Setting::named(&name) {
                        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                        layer.values.insert(setting.name, value);
                    }
                    continue;
                }
            };
            let words = value.as_array().into_iter().flatten().filter_map(Value::as_str);
            list.extend(words.map(str::to_owned));
        }
        layer
    }

    /// Prints the file.
    pub fn text(&self) -> String {
        let mut text =
            "# What the owner has set by phone and remote. The box writes this file as a whole.\n".to_owned();
        for (name, value) in &self.values {
            let quoted = Setting::named(name).is_none_or(Setting::is_text);
            let value = if quoted { Value::from(value.as_str()).to_string() } else { value.clone() };
            text += &format!("{name} = {value}\n");
        }
        text += "[words]\n";
        for (name, list) in [("add", &self.add), ("exempt", &self.exempt), ("phones", &self.phones)] {
            if !list.is_empty() {
                text += &format!("{name} = {}\n", Value::from(list.clone()));
            }
        }
        text
    }

    /// Returns whether the owner has set that setting.
    pub fn has(&self, name: &str) -> bool {
        self.values.contains_key(name)
    }

    /// Sets a setting, or with `None` gives it back to the layers below.
    ///
    /// # Errors
    /// Says what would be right.
    pub fn set(&mut self, name: &str, value: Option<&str>) -> Result<(), String> {
        let setting = settings().find(|setting| setting.name == name).ok_or("That cannot be set here.")?;
        match value {
            Some(value) => {
                setting.check(value)?;
                self.values.insert(setting.name, value.to_owned());
            }
            None => _ = self.values.remove(setting.name),
        }
        Ok(())
    }

    /// Puts a word on a list, or takes it off.
    ///
    /// # Errors
    /// Says what would be right.
    pub fn set_word(&mut self, list: WordList, word: &str, on: bool) -> Result<(), String> {
        let list = match list {
            WordList::Add => &mut self.add,
            WordList::Exempt => &mut self.exempt,
        };
        let word = word.trim();
        if word.is_empty() || word.chars().count() > WORD_CHARS_MAX || word.contains(char::is_control) {
            return Err(format!("A word has 1 to {WORD_CHARS_MAX} letters."));
        }
        list.retain(|other| other != word);
        if on && list.len() == WORDS_MAX {
            return Err(format!("There are {WORDS_MAX} words already."));
        }
        if on {
            list.push(word.to_owned());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::{Action, Options, parse};

    fn read(text: &str) -> Options {
        let args = ["--owner".into(), "/owner.toml".into()];
        match parse(args, &|_| None, &|_| Ok(text.into()), "") {
            Ok(Action::Run(options)) => *options,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_is_set_is_read_by_the_options_and_again() {
        let mut layer = Layer::default();
        for (name, value) in [
            ("venue", "Joe's \"Fox\" \\ Löwen"),
            ("language", "de"),
            ("turn", "12.5"),
            ("wifi", "Joe's Bar"),
            ("wifi-password", "it's # \"open\""),
            ("no-mdns", "true"),
        ] {
            layer.set(name, Some(value)).unwrap();
        }
        layer.set_word(WordList::Add, " fool's ", true).unwrap();
        layer.set_word(WordList::Exempt, "Dick", true).unwrap();
        layer.phones = vec!["0011 Wren's \"phone\"".to_owned()];
        let text = layer.text();
        assert_eq!(Layer::parse(&text), layer, "{text}");
        let got = read(&text);
        assert_eq!(got.problems, Vec::<String>::new(), "{text}");
        assert_eq!(got.venue.as_deref(), Some("Joe's \"Fox\" \\ Löwen"));
        assert_eq!((got.turn, got.mdns, got.language), (12_500, false, vec!["de"]));
        assert_eq!(got.wifi_password.as_deref(), Some("it's # \"open\""));
        assert_eq!((got.words_add, got.words_exempt), (vec!["fool's".into()], vec!["Dick".into()]));
        assert_eq!(got.phones, layer.phones);
        layer.set("venue", None).unwrap();
        layer.set_word(WordList::Add, "fool's", false).unwrap();
        let got = read(&layer.text());
        assert_eq!((got.venue, got.words_add), (None, vec![]));
    }

    #[test]
    fn every_setting_of_the_owners_can_be_set_and_given_back() {
        assert_eq!(settings().count(), OWNERS.len());
        for setting in settings() {
            let line = setting.example_line();
            let value = line.split_once(" = ").unwrap().1.trim_matches('"');
            let mut layer = Layer::default();
            layer.set(setting.name, Some(value)).unwrap();
            assert!(layer.has(setting.name));
            assert_eq!(read(&layer.text()).problems, Vec::<String>::new(), "{}", layer.text());
            layer.set(setting.name, None).unwrap();
            assert_eq!(layer, Layer::default());
        }
    }

    #[test]
    fn what_is_wrong_changes_nothing() {
        let mut layer = Layer::default();
        for (name, value) in
            [("listen", "0.0.0.0:1"), ("trun", "5"), ("turn", "soon"), ("venue", "a\nb"), ("house", "loud")]
        {
            assert!(layer.set(name, Some(value)).is_err(), "{name}");
        }
        for word in ["", " ", "a\nb", &"x".repeat(49)] {
            assert!(layer.set_word(WordList::Add, word, true).is_err(), "{word:?}");
        }
        assert_eq!(layer, Layer::default());
        let layer = Layer::parse("turn = 5\n\u{0}\nhello\ntrun = 3\n[words]\nadd = [\"x\"]\nresult = soon\n");
        assert_eq!((layer.values.len(), layer.add.len()), (1, 1), "what can be read of a damaged file");
    }
}
