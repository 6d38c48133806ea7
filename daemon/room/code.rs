//! Room codes: four letters without vowels, so that no code spells a word.

use crate::limits::{CODE_ALPHABET, CODE_CHARS};
use rand::RngExt;
use rand::rngs::StdRng;
use std::fmt;

/// A room code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Code([u8; CODE_CHARS]);

impl Code {
    /// Draws a random code.
    pub fn random(rng: &mut StdRng) -> Self {
        Code([0; CODE_CHARS].map(|_: u8| CODE_ALPHABET[rng.random_range(0..CODE_ALPHABET.len())]))
    }

    /// Parses a code. Upper and lower case are equal. Returns `None` if it is not four letters of the alphabet.
    pub fn parse(text: &str) -> Option<Self> {
        let letters: [u8; CODE_CHARS] = text.as_bytes().try_into().ok()?;
        let letters = letters.map(|letter| letter.to_ascii_uppercase());
        letters.iter().all(|letter| CODE_ALPHABET.contains(letter)).then_some(Code(letters))
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.0.iter().try_for_each(|&letter| write!(f, "{}", char::from(letter)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_four_letters_of_the_alphabet_are_a_code() {
        assert_eq!(Code::parse("bcDf").map(|c| c.to_string()).as_deref(), Some("BCDF"));
        for bad in ["", "BCD", "BCDFG", "BCDA", "BCD ", "BCD\0", "BÇD", "ÄÖ"] {
            assert_eq!(Code::parse(bad), None, "{bad:?}");
        }
    }
}
