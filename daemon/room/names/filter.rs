//! Filters out nicknames that a bar's TV must not show.
//!
//! A nickname may be the guest's real name, so a wrong refusal is worse than in a chat. Most words therefore count only as
//! separate words. The few that count inside a longer word occur in no real name (`tests/names_of_peoples.rs`). The list
//! is short enough to compare each of its words with a nickname of twelve letters.

use unicode_normalization::UnicodeNormalization;
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};
use unicode_security::{MixedScript, skeleton};

/// The blocked words. The file describes its format.
const BLOCK: &str = include_str!("block.txt");

/// Real names, and parts of them, that contain a blocked word.
const ALLOW: &str = include_str!("allow.txt");

/// The shortest word, in letters, in which a `v` is also read as a `u`.
const V_FOR_U_MIN: usize = 4;

/// A blocked word.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Word {
    letters: Vec<char>,
    /// Whether it also counts inside a longer word.
    inside: bool,
    /// Whether it consists of several words. They count only as the whole nickname.
    phrase: bool,
}

/// Decides which nicknames a TV shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WordFilter {
    /// The owner's words. The built-in list of real names does not allow them, only the owner's exempt words do.
    added: Vec<Word>,
    blocked: Vec<Word>,
    exempt: Vec<Vec<char>>,
    allowed: Vec<Vec<char>>,
}

impl Default for WordFilter {
    fn default() -> Self {
        Self::new::<&str>(&[], &[])
    }
}

impl WordFilter {
    /// Returns a filter with the built-in list and the owner's words: `add` blocks more words, `exempt` allows words.
    pub fn new<S: AsRef<str>>(add: &[S], exempt: &[S]) -> Self {
        let exempt: Vec<_> =
            exempt.iter().map(|word| letters(word.as_ref())).filter(|word| !word.is_empty()).collect();
        let words = |lines: Vec<&str>| -> Vec<Word> {
            lines.into_iter().filter_map(Word::parse).filter(|word| !exempt.contains(&word.letters)).collect()
        };
        WordFilter {
            added: words(add.iter().map(AsRef::as_ref).collect()),
            blocked: words(entries(BLOCK).collect()),
            allowed: entries(ALLOW).map(letters).collect(),
            exempt,
        }
    }

    /// Returns whether a TV shows this nickname.
    pub fn allows(&self, nick: &str) -> bool {
        let tokens = tokens(nick);
        let whole: Vec<char> = tokens.concat();
        if self.exempt.contains(&trimmed(&whole)) {
            return true;
        }
        let left = |allowed: &[Vec<char>]| -> Vec<Vec<char>> {
            tokens.iter().filter(|token| !allowed.contains(&trimmed(token))).cloned().collect()
        };
        let own = left(&self.exempt);
        if self.added.iter().any(|word| word.is_in(&own, &whole)) {
            return false;
        }
        if self.allowed.contains(&trimmed(&whole)) {
            return true;
        }
        let rest: Vec<_> = left(&self.allowed).into_iter().filter(|token| own.contains(token)).collect();
        !self.blocked.iter().any(|word| word.is_in(&rest, &whole))
    }
}

/// Returns the entries of a list, without comments and empty lines.
fn entries(list: &'static str) -> impl Iterator<Item = &'static str> {
    list.lines().filter(|line| !line.is_empty() && !line.starts_with('#'))
}

impl Word {
    fn parse(line: &str) -> Option<Word> {
        let word = line.strip_prefix('*').unwrap_or(line);
        let letters = letters(word);
        let phrase = word.trim().contains(' ');
        (!letters.is_empty()).then_some(Word { letters, inside: word != line, phrase })
    }

    /// Returns whether the word counts in one of these words of a nickname, or in `whole`, which is all of them joined.
    fn is_in(&self, tokens: &[Vec<char>], whole: &[char]) -> bool {
        let alone = |text: &[char], from: usize, to: usize| {
            let letter = |at: usize| text.get(at).is_some_and(|sign| sign.is_alphabetic());
            !(letter(to) || from > 0 && letter(from - 1))
        };
        let counts = |text: &[char]| self.finds(text).any(|(from, to)| self.inside || alone(text, from, to));
        let together = || self.finds(whole).any(|(from, to)| alone(whole, from, to));
        (!self.phrase && tokens.iter().any(|token| counts(token)))
            || ((self.phrase || self.inside) && tokens.len() > usize::from(!self.phrase) && together())
    }

    /// Returns the start and the end of each place at which a text contains the word.
    fn finds<'a>(&'a self, text: &'a [char]) -> impl Iterator<Item = (usize, usize)> + 'a {
        (0..text.len()).filter_map(|from| {
            let to = from + self.length_at(&text[from..])?;
            // Digits alone are not read as letters.
            let read = text[from..to].iter().any(|sign| sign.is_alphabetic());
            (read || text[from..to] == self.letters[..]).then_some((from, to))
        })
    }

    /// Returns how many characters at the start of a text spell the word, including repeated letters. Returns `None` if
    /// they do not spell it.
    fn length_at(&self, text: &[char]) -> Option<usize> {
        let mut at = 0;
        for run in self.letters.chunk_by(|a, b| a == b) {
            let letter = *run.first()?;
            let same = text[at..].iter().take_while(|&&sign| self.reads(sign, letter)).count();
            if same < run.len() {
                return None;
            }
            at += same;
        }
        Some(at)
    }

    /// Returns whether a character can be read as that letter.
    fn reads(&self, sign: char, letter: char) -> bool {
        let letters = match sign {
            _ if sign == letter => return true,
            'v' if self.letters.len() >= V_FOR_U_MIN => "u",
            '@' => "a",
            '4' => "au",
            '3' | '€' => "e",
            '1' | '!' | '|' => "il",
            '0' => "o",
            '5' | '$' => "s",
            '7' | '+' => "t",
            '8' => "b",
            '6' | '9' => "g",
            '*' => "aeiou",
            _ => "",
        };
        letters.contains(letter)
    }
}

/// Returns the words of a nickname. Single letters in a row count as one word: `f u c k`.
fn tokens(nick: &str) -> Vec<Vec<char>> {
    let apart = |sign: char| !sign.is_alphanumeric() && !"@€!|$+*".contains(sign) && sign.is_ascii();
    let parts = nick.split(|sign: char| sign.is_whitespace() || apart(sign)).map(signs);
    let mut tokens: Vec<Vec<char>> = Vec::new();
    let mut single = false;
    for part in parts.filter(|part| !part.is_empty()) {
        match tokens.last_mut() {
            Some(last) if single && part.len() == 1 => last.extend(&part),
            _ => tokens.push(part.clone()),
        }
        single = part.len() == 1;
    }
    tokens
}

/// Returns the letters of a word or phrase without separators, as in [`Word`].
fn letters(text: &str) -> Vec<char> {
    trimmed(&tokens(text).concat())
}

/// Returns a word without ASCII punctuation at its ends.
fn trimmed(word: &[char]) -> Vec<char> {
    let text: String = word.iter().collect();
    text.trim_matches(|sign: char| sign.is_ascii_punctuation()).chars().collect()
}

/// Returns the characters of a word in lower case, without combining marks. Letters of another alphabet are replaced by
/// the Latin letters that they look like if the word mixes alphabets, or if all of its letters look Latin.
fn signs(word: &str) -> Vec<char> {
    let mark = |sign: &char| sign.general_category() == GeneralCategory::NonspacingMark;
    let bare: String = word.nfkd().filter(|sign| !mark(sign)).nfc().collect();
    let lower = bare.to_uppercase().to_lowercase();
    let alike = |sign: char| {
        let latin = skeleton(sign.encode_utf8(&mut [0; 4])).next().filter(char::is_ascii_alphabetic);
        if sign.is_ascii() { sign } else { latin.map_or(sign, |latin| latin.to_ascii_lowercase()) }
    };
    let latin: Vec<char> = lower.chars().map(alike).collect();
    let mixed = lower.as_str().resolve_script_set().is_empty();
    if mixed || latin.iter().all(char::is_ascii) { latin } else { lower.chars().collect() }
}
