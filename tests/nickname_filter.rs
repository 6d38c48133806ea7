//! Tests which nicknames a bar's TV shows.

use doozer_box::room::names::{WordFilter, clean};

fn cleaned(said: &str) -> String {
    clean(said).unwrap_or_else(|| panic!("nothing left of {said:?}"))
}

#[rustfmt::skip]
const HONEST: &[&str] = &[
    "Scunthorpe", "Hancock", "John Hancock", "Dickens", "Essex", "Middlesex", "Nightingale", "Cockburn",
    "Penistone", "Dick", "DICK", "Wang", "Fanny", "Gay", "Virgin", "Willy", "Dickson 7", "Hancock7",
    "7Hancock!", "Smith-Hancock", "Hancock's", "Hitchcock", "Alcock", "Matsushita", "Lipshitz", "Fuchs",
    "Cummings", "Hoffman", "Hoang", "Kumar", "Philipp", "Kilian", "Nasir", "Nazim", "Iannuzzi", "Anna Lisa",
    "Анна", "София", "Юнона", "Давид", "დავით", "Κυμπάρης", "กุลปรียา", "කුමාර", "习近", "さくら", "Arsène",
    "Zaunkönig", "Dijkstra", "Great Tit", "Blue Tit", "Booby", "Peacock", "Woodcock", "Shag", "Vixen", "Bobs",
    "Cassie", "Assad", "Michelle", "Hello", "Grape", "Therapist", "Cocktail", "Beer", "Damn", "Hell", "idiot",
    "WWWWWWWWWWWW", "****", "7", "!?", "🐓", "🍆", "💩", "Ho", "Phuc", "Nga", "Moby Dick", "Jesus", "Allah",
    "Trump", "Osama", "Yoshitaka", "Shital", "Anush", "Supaporn", "Dijk", "Ana L", "De Cock",
    "4 5 5", "455", "8008", "Kurt", "Wendell Kuttner",
];

#[test]
fn a_tv_shows_honest_names() {
    let words = WordFilter::default();
    for name in HONEST {
        assert!(words.allows(&cleaned(name)), "{name}");
    }
}

#[rustfmt::skip]
const RUDE: &[&str] = &[
    "fuck", "FUCK", "f u c k", "f.u.c.k", "fu ck", "fuuuuck", "f4ck", "fvck", "fück", "ｆｕｃｋ", "ＦＵＣＫ", "𝖋𝖚𝖈𝖐",
    "ⓕⓤⓒⓚ", "fucker", "Fuck you", "bigfuck", "sh1t", "5h1t", "s h i t", "bullshit", "$h1t", "cunt", "сunt",
    "c u n t", "n1gger", "nigga", "Hitler", "h1tl3r", "nazi", "penis", "p3n1s", "P E N I S", "ѕех", "boobs",
    "b00bs", "asshole", "a$$hole", "b1tch", "whore", "faggot", "retard", "kys", "rapist", "porn", "Big Dick",
    "bigdick", "bigd1ck", "Suck Dick", "Dick Head", "hugecock", "卐", "🍆💦", "𓂸", "Arschloch", "Hurensohn",
    "Fotze", "salope", "puta", "kurwa", "orospu", "сука", "хуй", "paki", "P A K I", "1488", "Spic 7",
    "Sieg Heil", "fuck 2",
];

#[test]
fn a_tv_does_not_show_rude_ones() {
    let words = WordFilter::default();
    for name in RUDE {
        assert!(!words.allows(&cleaned(name)), "{name}");
    }
}

/// Common slurs, and the rudest words in the languages of the pages.
#[rustfmt::skip]
const BY_LANGUAGE: &[(&str, &[&str])] = &[
    ("en", &["Kaffir", "nigger", "kike", "chink", "gook", "wetback", "tranny", "raghead", "spaz", "twat", "wanker", "motherfucker", "gyppo"]),
    ("de", &["Neger", "Kanake", "Hurensohn", "Schlampe", "Schwuchtel", "Zigeuner", "Untermensch", "Judensau", "Wichser", "Arschloch"]),
    ("fr", &["négresse", "bougnoule", "youpin", "pédé", "tarlouze", "enculé", "salope", "connard", "nique ta mère", "fils de pute"]),
    ("es", &["maricón", "sudaca", "hijo de puta", "gilipollas", "cabrón", "coño", "pendejo", "mierda"]),
    ("it", &["frocio", "terrone", "ricchione", "puttana", "stronzo", "vaffanculo", "cazzo", "coglione"]),
    ("pt", &["viado", "bicha", "caralho", "buceta", "filho da puta", "paneleiro", "porra", "piroca"]),
    ("nl", &["nikker", "spleetoog", "flikker", "kankerlijer", "klootzak", "hoer", "mongool", "tering"]),
    ("pl", &["czarnuch", "ciapaty", "pedał", "ciota", "kurwa", "skurwysyn", "jebać", "spierdalaj", "chuj"]),
];

#[test]
fn slurs_of_the_pages_languages_are_not_shown() {
    let filter = WordFilter::default();
    for (language, words) in BY_LANGUAGE {
        for word in *words {
            for name in [(*word).to_owned(), word.to_uppercase(), format!("{word} 7"), format!("{word}!")] {
                let Some(nick) = clean(&name).filter(|nick| nick.chars().count() >= word.chars().count())
                else {
                    continue;
                };
                assert!(!filter.allows(&nick), "{language}: {nick}");
            }
        }
    }
}

#[test]
fn the_owner_has_the_last_word() {
    let words = WordFilter::new(&["Wren", "Red Lion"], &["Boner", "Paki", "Pussy"]);
    for name in
        ["Wren", "WREN", "W r e n", "Ｗren", "Wren 2", "the wren", "my-wren", "Wrеn", "Red Lion", "redlion"]
    {
        assert!(!words.allows(&cleaned(name)), "{name}");
    }
    for name in ["Wrenna", "Lion", "Red", "Boner", "boner 2", "Jim Boner", "Bóner", "paki", "Pussy"] {
        assert!(words.allows(&cleaned(name)), "{name}");
    }
    assert!(!words.allows("Fuck Boner"));
    assert!(
        !WordFilter::new(&["Hancock"], &[]).allows("Hancock"),
        "what is added stands above what the house exempts"
    );
    assert!(
        WordFilter::new(&["Wren"], &["wren"]).allows("Wren"),
        "what is exempt stands above what is added"
    );
    assert!(WordFilter::new(&[" ", ""], &["", "!"]).allows("Heron"));
}
