//! Names that a bar's TV does not show.

use super::folded;
use rustrict::{Censor, Type};

/// The owner's words beside those of the list that the crate keeps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words {
    add: Vec<String>,
    exempt: Vec<String>,
}

impl Words {
    /// Words never shown, and words always shown, as the owner writes them.
    pub fn new<S: AsRef<str>>(add: &[S], exempt: &[S]) -> Self {
        let fold = |words: &[S]| words.iter().map(|word| folded(word.as_ref())).collect();
        Words { add: fold(add), exempt: fold(exempt) }
    }

    /// May a TV show this nickname?
    pub fn shown(&self, nick: &str) -> bool {
        let name = folded(nick);
        if self.exempt.contains(&name) {
            return true;
        }
        let rude = Type::PROFANE | Type::OFFENSIVE | Type::SEXUAL;
        let found = Censor::from_str(nick).with_ignore_self_censoring(true).analyze();
        !self.add.contains(&name) && found.isnt(rude & Type::MODERATE_OR_HIGHER)
    }
}
