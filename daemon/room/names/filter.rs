//! Names that a bar's TV does not show.
//!
//! The word list and its eye for tricks (`f u c k`, `sh1t`, full width) are the crate's. It is made for chat,
//! where a blocked word costs little; here a blocked word is somebody's name, so that its finds are weighed again.

use super::folded;
use rustrict::{Censor, Replacements, Type};
use std::collections::HashSet;
use std::sync::LazyLock;
use unicode_normalization::UnicodeNormalization;
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};
use unicode_security::MixedScript;

/// Honest names in which the crate sees a rude word: shown, and beside other words too.
const HONEST: &str = include_str!("allow.txt");

/// Honest names that are rude words as well: shown when they are the whole nickname.
#[rustfmt::skip]
const HONEST_ALONE: &[&str] = &[
    "Bich", "bisexual", "blue tit", "booby", "coal tit", "cock robin", "Dick", "Dick Turpin", "Dong", "Dyke", "Dykes",
    "great tit", "Ho", "Hooker", "Kock", "Kok", "Kum", "lesbian", "marsh tit", "Moby Dick", "Nga", "Phuc", "queer",
    "Van Dyke", "willow tit",
];

/// Words that are not shown, beside those that the crate knows.
const RUDE: &str = include_str!("block.txt");

/// A letter of each alphabet that the crate knows words of: Latin, Cyrillic, Chinese, and some rude pictures of old.
const KNOWN_ALPHABETS: [char; 4] = ['a', 'я', '中', '\u{13000}'];

/// No sign may stand for another.
static LETTER_FOR_LETTER: LazyLock<Replacements> = LazyLock::new(Replacements::new);

/// Stands where a rude word was found. No clean name has a control character.
const FOUND: char = '\0';

/// Letters of a rude word that counts inside a longer one; shorter ones are in too many names.
const INSIDE_MIN: usize = 4;

/// The words that are not shown, and those that are shown all the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WordFilter {
    rude: HashSet<String>,
    honest: HashSet<String>,
    alone: HashSet<String>,
}

impl Default for WordFilter {
    fn default() -> Self {
        Self::new::<&str>(&[], &[])
    }
}

impl WordFilter {
    /// The house's words, and the owner's: words to `add` are never shown, those to `exempt` always.
    pub fn new<S: AsRef<str>>(add: &[S], exempt: &[S]) -> Self {
        let lines = |text: &'static str| text.lines().filter(|line| !line.starts_with('#'));
        let exempt: Vec<String> = exempt.iter().map(|word| key(word.as_ref())).collect();
        let mut rude: HashSet<String> =
            lines(RUDE).map(folded).chain(add.iter().map(|word| folded(word.as_ref()))).collect();
        rude.retain(|word| !word.is_empty() && !exempt.contains(&bare(word)));
        WordFilter {
            rude,
            honest: lines(HONEST).map(key).chain(exempt).collect(),
            alone: HONEST_ALONE.iter().map(|name| key(name)).collect(),
        }
    }

    /// Makes the crate read its lists, which takes it a moment and 19 MB: before anybody waits for an answer.
    pub fn load() {
        LazyLock::force(&LETTER_FOR_LETTER);
        let _ = Censor::from_str("a").analyze();
    }

    /// May a TV show this nickname? The first answer reads the lists, unless they are loaded.
    pub fn allows(&self, nick: &str) -> bool {
        let whole = folded(nick);
        let mut parts = nick.split(|sign: char| !sign.is_alphanumeric()).map(folded);
        if self.rude.contains(&whole) || parts.any(|part| self.rude.contains(&part)) {
            return false;
        }
        if nick.chars().all(|sign| sign.is_ascii() && !sign.is_ascii_alphabetic()) {
            // No word at all, whatever letters its signs may look like: `${7*7}`.
            return true;
        }
        if self.honest.contains(&key(nick)) || self.alone.contains(&key(nick)) {
            return true;
        }
        let other = |sign: char| !sign.is_alphabetic();
        let honest = |part: &&str| self.honest.contains(&key(part.trim_end_matches(other)));
        let rest: String = nick.split_inclusive(other).filter(|part| !honest(part)).collect();
        !is_rude(&rest.split(' ').filter_map(readable).collect::<Vec<_>>().join(" "))
    }
}

/// How honest names are compared: folded, and without marks.
fn key(name: &str) -> String {
    folded(&bare(name))
}

/// A text without the marks on its letters.
fn bare(text: &str) -> String {
    text.nfkd().filter(|sign| sign.general_category() != GeneralCategory::NonspacingMark).nfc().collect()
}

/// A word as the crate is to read it, without marks; `None` if it is in an alphabet of which the crate knows
/// no words: it would read the letters as Latin ones that look alike.
fn readable(word: &str) -> Option<String> {
    let word = bare(word);
    let scripts = word.as_str().resolve_script_set();
    let known = |letter: &char| {
        let mut both = scripts;
        both.intersect_with((*letter).into());
        !both.is_empty()
    };
    let mixed = scripts.is_empty();
    if mixed || KNOWN_ALPHABETS.iter().any(known) {
        return Some(word);
    }
    Some(unicode_security::skeleton(&word).collect::<String>()).filter(|alike| alike.is_ascii())
}

/// Does this hold a rude word that counts? One that is a word of its own counts however it is written. Inside
/// a longer word a short one does not; a longer one does if it is written letter for letter, or with signs for
/// letters. Letters for letters do not count there: that is how `Kilian` and `Iannuzzi` have something in them.
fn is_rude(text: &str) -> bool {
    let counts = |find: &Find| !find.inside || find.signs.len() >= INSIDE_MIN;
    let with_signs =
        |find: &Find| find.signs.iter().any(|&sign| !sign.is_alphabetic() && !" -'".contains(sign));
    let words = text.split(|sign: char| !sign.is_alphabetic()).map(str::to_lowercase);
    finds(text, None).iter().any(|find| !find.inside || counts(find) && with_signs(find))
        || words.into_iter().any(|word| finds(&word, Some(&LETTER_FOR_LETTER)).iter().any(counts))
}

/// A rude word as it stands in a text.
struct Find {
    signs: Vec<char>,
    /// Is a letter right beside it?
    inside: bool,
}

/// What the crate finds, with its own idea of what may stand for a letter or with another one.
fn finds(text: &str, replacements: Option<&'static Replacements>) -> Vec<Find> {
    let rude = Type::PROFANE | Type::OFFENSIVE | Type::SEXUAL;
    let mut censor = Censor::from_str(text);
    if let Some(replacements) = replacements {
        censor.with_replacements(replacements);
    }
    let marked = censor
        .with_censor_threshold(rude & Type::MODERATE_OR_HIGHER | Type::MEAN & Type::SEVERE)
        .with_censor_first_character_threshold(Type::ANY)
        .with_censor_replacement(FOUND)
        .with_ignore_self_censoring(true)
        .censor();
    let (signs, marked): (Vec<char>, Vec<char>) = (text.chars().collect(), marked.chars().collect());
    let letter = |at: usize| marked.get(at).is_some_and(|sign| sign.is_alphabetic());
    let (mut found, mut start) = (Vec::new(), 0);
    for run in marked.chunk_by(|a, b| (*a == FOUND) == (*b == FOUND)) {
        let end = start + run.len();
        if run.contains(&FOUND) {
            let signs = signs.iter().copied().skip(start).take(run.len()).collect();
            found.push(Find { signs, inside: letter(start.wrapping_sub(1)) || letter(end) });
        }
        start = end;
    }
    found
}
