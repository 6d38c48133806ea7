//! Nicknames: cleans what a guest typed, and makes each name unique. Knows texts only; the room knows the people.

mod filter;

pub use filter::WordFilter;

use crate::limits::{NICK_BYTES_MAX, NICK_CHARS_MAX, NICK_MARKS_MAX};
use unicode_normalization::UnicodeNormalization;
use unicode_properties::emoji::is_regional_indicator;
use unicode_properties::{GeneralCategory, UnicodeEmoji, UnicodeGeneralCategory};
use unicode_segmentation::UnicodeSegmentation;

/// The joiner, which makes one pictograph of two.
const JOINER: char = '\u{200D}';
/// The selector of a sign's coloured picture.
const AS_PICTURE: char = '\u{FE0F}';

/// Returns the nickname in a text, or `None` if nothing visible is left.
///
/// Removes invisible marks, keeps two combining marks a letter after NFC, folds white space to one blank, and cuts the
/// rest to twelve grapheme clusters and 48 bytes between clusters. Cleaning a clean name changes nothing.
pub fn clean(said: &str) -> Option<String> {
    // Once more, since a mark taken off may have held two others apart.
    let tidy: String = tidied(seen(said).nfc()).nfc().collect();
    let nick = cut(&tidy, NICK_CHARS_MAX, NICK_BYTES_MAX);
    (!nick.is_empty()).then(|| nick.to_owned())
}

/// Returns the nickname itself, or the first one with a number behind it that differs from all those taken.
///
/// Names are compared without case and width. A nickname that ends with a number is counted on (`Sam 2`, `Sam 3`), and
/// never gets a second one. The numbered name fits the limits too: the part before the number is cut.
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
    // One of more candidates than there are names taken is free.
    candidates.find(|candidate| !taken.contains(&folded(candidate))).unwrap_or_default()
}

/// Returns the form that two names share if people take them for the same: without case, width, blanks and invisible
/// marks, and with one sign for all that look alike (the skeleton of Unicode Technical Standard 39).
fn folded(nick: &str) -> String {
    let compatible: String = nick.nfkc().collect();
    // By way of capitals, so that a sharp s is a double one.
    let lower = compatible.to_uppercase().to_lowercase();
    let alike = unicode_security::skeleton(&lower).filter(|sign| !sign.is_whitespace());
    // A nought's likeness is a capital O.
    alike.flat_map(char::to_lowercase).collect()
}

/// Returns the text without invisible signs. A joiner stays between two pictographs, a picture selector behind a sign
/// that has a picture.
fn seen(said: &str) -> String {
    let mut kept = String::new();
    let (mut before, mut joiner) = (None, false);
    for sign in said.chars() {
        match sign {
            JOINER => joiner = before.is_some_and(is_pictograph),
            AS_PICTURE if kept.chars().next_back().is_some_and(UnicodeEmoji::is_emoji_char) => {
                kept.push(sign)
            }
            _ if sign.is_whitespace() => {
                kept.push(' ');
                (before, joiner) = (None, false);
            }
            _ if is_unseen(sign) => {}
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

/// Returns whether a sign can stand on either side of a joiner.
fn is_pictograph(sign: char) -> bool {
    sign.is_emoji_char() && !sign.is_ascii() && !is_regional_indicator(sign)
}

/// Returns whether a sign leaves no mark on a screen, or one that no font can know.
fn is_unseen(sign: char) -> bool {
    use GeneralCategory::{Control, Format, PrivateUse, Unassigned};
    matches!(sign.general_category(), Control | Format | PrivateUse | Unassigned)
        // The skeleton of a default-ignorable sign is nothing: fillers, tags, selectors and their like.
        || unicode_security::skeleton(sign.encode_utf8(&mut [0; 4])).next().is_none()
        // Blank by their looks alone: braille, an object's place, a null note, a filler.
        || matches!(sign, '\u{2800}' | '\u{FFFC}' | '\u{1D159}' | '\u{16FE4}')
}

/// Folds blanks, and removes marks that stand on nothing or pile up. Marks with a width of their own, such as the
/// vowels of India, do not pile up and are not counted.
fn tidied(signs: impl Iterator<Item = char>) -> String {
    use GeneralCategory::{EnclosingMark, NonspacingMark, SpacingMark};
    let mut tidy = String::new();
    let mut marks = 0;
    for sign in signs {
        let on_nothing = tidy.is_empty() || tidy.ends_with(' ');
        match sign.general_category() {
            _ if sign == AS_PICTURE => tidy.push(sign),
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

/// Returns the start of a text that fits both limits, cut between clusters, without a blank or a joiner at its end.
fn cut(text: &str, chars_max: usize, bytes_max: usize) -> &str {
    let ends = text.grapheme_indices(true).map(|(at, cluster)| at + cluster.len());
    let end = ends.take(chars_max).take_while(|&end| end <= bytes_max).last().unwrap_or(0);
    text[..end].trim_end_matches([' ', JOINER])
}
