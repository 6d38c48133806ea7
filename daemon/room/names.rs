//! Nicknames: cleans what a guest typed, and makes each name unique. Knows only texts. The room knows the people.

mod filter;

pub use filter::WordFilter;

use crate::limits::{NICK_BYTES_MAX, NICK_CHARS_MAX, NICK_MARKS_MAX};
use unicode_normalization::UnicodeNormalization;
use unicode_properties::emoji::is_regional_indicator;
use unicode_properties::{GeneralCategory, UnicodeEmoji, UnicodeGeneralCategory};
use unicode_segmentation::UnicodeSegmentation;

/// The zero-width joiner, which combines two pictographs into one.
const JOINER: char = '\u{200D}';
/// The variation selector that shows the character before it as an emoji.
const EMOJI_SELECTOR: char = '\u{FE0F}';

/// Returns the nickname in a text, or `None` if nothing visible is left.
///
/// Removes invisible characters and all but two combining marks per letter (after NFC), replaces each run of white space
/// by one blank, and cuts the rest between grapheme clusters, to twelve clusters and 48 bytes. A clean name stays as it is.
pub fn clean(typed: &str) -> Option<String> {
    // NFC again, because a removed mark may have separated two others.
    let tidy: String = tidied(visible(typed).nfc()).nfc().collect();
    let nick = cut(&tidy, NICK_CHARS_MAX, NICK_BYTES_MAX);
    (!nick.is_empty()).then(|| nick.to_owned())
}

/// Returns the nickname itself, or else the first one with a number appended that differs from all names in use.
///
/// The comparison ignores case and width. If the nickname ends with a number already, that number is raised (`Sam 2`,
/// `Sam 3`). If the result is too long, the part before the number is cut.
pub fn unique<'a>(nick: &str, taken: impl Iterator<Item = &'a str>) -> String {
    let taken: Vec<String> = taken.map(folded).collect();
    let counted = nick.rsplit_once(' ').and_then(|(name, number)| {
        let number = number.parse::<u16>().ok().filter(|_| !number.starts_with('+'))?;
        Some((name, u32::from(number)))
    });
    let (name, number) = counted.unwrap_or((nick, 1));
    let numbered = |number: u32| {
        let end = format!(" {number}");
        let start = cut(name, NICK_CHARS_MAX - end.len(), NICK_BYTES_MAX - end.len());
        format!("{start}{end}").trim_start().to_owned()
    };
    let mut candidates = std::iter::once(nick.to_owned()).chain((number + 1..).map(numbered));
    // There are more candidates than names in use, so one is free.
    candidates.find(|candidate| !taken.contains(&folded(candidate))).unwrap_or_default()
}

/// Returns a form that is equal for all names that look alike: without case, width, blanks and invisible characters, and
/// with one character for all that look like it (the skeleton of Unicode Technical Standard 39).
fn folded(nick: &str) -> String {
    let compatible: String = nick.nfkc().collect();
    // Upper case comes first, because it turns a sharp s into a double one.
    let lower = compatible.to_uppercase().to_lowercase();
    let alike = unicode_security::skeleton(&lower).filter(|sign| !sign.is_whitespace());
    // The skeleton of the digit 0 is a capital O.
    alike.flat_map(char::to_lowercase).collect()
}

/// Returns the text without invisible characters. A joiner stays between two pictographs, and an emoji selector after a
/// character that has an emoji form.
fn visible(text: &str) -> String {
    let mut kept = String::new();
    let (mut before, mut joiner) = (None, false);
    for sign in text.chars() {
        match sign {
            JOINER => joiner = before.is_some_and(is_pictograph),
            EMOJI_SELECTOR if kept.chars().next_back().is_some_and(UnicodeEmoji::is_emoji_char) => {
                kept.push(sign)
            }
            _ if sign.is_whitespace() => {
                kept.push(' ');
                (before, joiner) = (None, false);
            }
            _ if is_invisible(sign) => {}
            _ => {
                if joiner && is_pictograph(sign) {
                    kept.push(JOINER);
                }
                kept.push(sign);
                (before, joiner) = (Some(sign), false);
            }
        }
    }
    kept
}

/// Returns whether a joiner can combine this character with another one.
fn is_pictograph(sign: char) -> bool {
    sign.is_emoji_char() && !sign.is_ascii() && !is_regional_indicator(sign)
}

/// Returns whether a character is invisible, or has no agreed form that fonts could show.
fn is_invisible(sign: char) -> bool {
    use GeneralCategory::{Control, Format, PrivateUse, Unassigned};
    matches!(sign.general_category(), Control | Format | PrivateUse | Unassigned)
        // The skeleton of a default-ignorable character is empty: fillers, tags, selectors.
        || unicode_security::skeleton(sign.encode_utf8(&mut [0; 4])).next().is_none()
        // Characters that only look blank: a braille pattern, the object replacement, a null notehead, a filler.
        || matches!(sign, '\u{2800}' | '\u{FFFC}' | '\u{1D159}' | '\u{16FE4}')
}

/// Merges blanks, and removes combining marks that follow no letter or exceed the limit. Marks with a width of their own,
/// such as Indian vowel signs, are not counted, because they do not stack.
fn tidied(signs: impl Iterator<Item = char>) -> String {
    use GeneralCategory::{EnclosingMark, NonspacingMark, SpacingMark};
    let mut tidy = String::new();
    let mut marks = 0;
    for sign in signs {
        let on_nothing = tidy.is_empty() || tidy.ends_with(' ');
        match sign.general_category() {
            _ if sign == EMOJI_SELECTOR => tidy.push(sign),
            _ if sign == ' ' && on_nothing => {}
            NonspacingMark | EnclosingMark | SpacingMark if on_nothing => {}
            NonspacingMark | EnclosingMark => {
                marks += 1;
                if marks <= NICK_MARKS_MAX {
                    tidy.push(sign);
                }
            }
            SpacingMark => tidy.push(sign),
            _ => {
                tidy.push(sign);
                marks = 0;
            }
        }
    }
    tidy
}

/// Returns the longest start of a text within both limits, cut between clusters, without a blank or joiner at its end.
fn cut(text: &str, chars_max: usize, bytes_max: usize) -> &str {
    let ends = text.grapheme_indices(true).map(|(at, cluster)| at + cluster.len());
    let end = ends.take(chars_max).take_while(|&end| end <= bytes_max).last().unwrap_or(0);
    text[..end].trim_end_matches([' ', JOINER])
}
