//! Tests nicknames: they are cleaned, and unique in a room.

use doozer_box::room::names::{WordFilter, clean, unique};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use unicode_normalization::{UnicodeNormalization, is_nfc};
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};
use unicode_segmentation::UnicodeSegmentation;

fn cleaned(typed: &str) -> String {
    clean(typed).unwrap_or_else(|| panic!("nothing left of {typed:?}"))
}

#[test]
fn honest_names_stay_as_typed() {
    for name in [
        "Wren",
        "7",
        "W.r-e_n!",
        "Zaunkönig",
        "ミソサザイ",
        "Nguyễn Thị",
        "Иван",
        "דוד",
        "محمد",
        "สมชาย",
        "ནོར་བུ",
        "मिताली",
        "ज़िंदगी",
        "<b>Wren</b>",
        "&amp;\"'`",
        "${7*7}",
        "{{7*7}}",
        "' onclick=x",
        "🐦",
        "👨‍👩‍👧",
        "👩🏽‍🚀",
        "🏳️‍🌈",
        "❤️‍🔥",
        "🇩🇪🇫🇷",
        "1️⃣",
        "☕️ Wren",
    ] {
        assert_eq!(cleaned(name), name.nfc().collect::<String>());
    }
}

#[test]
fn invisible_characters_are_removed() {
    for (typed, left) in [
        ("  Wren  ", "Wren"),
        ("Wren\tof\nAll", "Wren of All"),
        ("a   b", "a b"),
        ("a\u{A0}\u{3000}b", "a b"),
        ("W\u{200B}ren", "Wren"),
        ("\u{FEFF}Wren", "Wren"),
        ("W\u{2060}r\u{200C}e\u{200D}n", "Wren"),
        ("Wr\0en", "Wren"),
        ("\u{202E}Wren", "Wren"),
        ("W\u{2066}re\u{2069}n", "Wren"),
        ("\u{200F}Wren\u{200E}", "Wren"),
        ("Wr\u{1B}[1men", "Wr[1men"),
        ("A\u{200B}NN", "ANN"),
        ("A\u{34F}NN", "ANN"),
        ("A\u{AD}N\u{180E}N", "ANN"),
        ("A\u{E0041}\u{E007F}NN", "ANN"),
        ("A\u{FE0F}N\u{FE00}N\u{E0100}", "ANN"),
        ("A\u{3164}N\u{2800}N", "ANN"),
        ("A\u{115F}N\u{1160}N\u{FFA0}", "ANN"),
        ("\u{301}A\u{20DD} \u{301}N", "A\u{20DD} N"),
        ("A\u{E000}N\u{378}N", "ANN"),
        ("🐦\u{200D}", "🐦"),
        ("🐦\u{200D}A", "🐦A"),
        ("🐦 \u{200D}🐦", "🐦 🐦"),
        ("🇩\u{200D}🇪", "🇩🇪"),
        ("👩\u{200D}\u{200D}👧", "👩‍👧"),
        // The mark joins its letter once the joiner between them is gone.
        ("e\u{200D}\u{301}", "é"),
        ("Rene\u{301}", "René"),
    ] {
        assert_eq!(cleaned(typed), left, "{typed:?}");
    }
}

#[test]
fn nothing_visible_is_no_name() {
    for typed in [
        "",
        " ",
        " \t \n ",
        "\0\u{7}",
        "\u{A0}\u{3000}",
        "\u{200B}\u{200B}\u{200B}",
        "\u{200B}\u{200D}\u{FEFF} \u{2060}",
        "\u{202E}\u{202C}",
        "\u{2800}",
        "\u{3164}",
        "\u{AD}",
        "\u{FEFF}",
        "\u{180E}",
        "\u{E0041}\u{E0042}",
        "\u{301}",
        " \u{489} \u{20DD}",
        "\u{FE0F}",
        "\u{1F3F4}\u{200D}".trim_start_matches('\u{1F3F4}'),
        "\u{E000}",
        "\u{115F}\u{1160}",
    ] {
        assert_eq!(clean(typed), None, "{typed:?}");
    }
}

#[test]
fn marks_do_not_pile_up() {
    let zalgo: String = "Zalgo"
        .chars()
        .map(|c| format!("{c}{}", "\u{300}\u{301}\u{302}\u{303}\u{489}\u{337}\u{338}".repeat(3)))
        .collect();
    let nick = cleaned(&zalgo);
    let letters: String = nick.nfd().filter(|c| c.is_ascii()).collect();
    assert_eq!(letters, "Zalgo");
    assert!(most_marks(&nick) <= 2, "{nick:?}");
    assert!(most_marks(&cleaned(&format!("Z{}", "\u{489}".repeat(60)))) == 2);
}

/// Returns the length of the longest run of stacked combining marks.
fn most_marks(nick: &str) -> usize {
    let stacks = |c: &char| {
        matches!(c.general_category(), GeneralCategory::NonspacingMark | GeneralCategory::EnclosingMark)
            && *c != '\u{FE0F}'
    };
    nick.chars().collect::<Vec<_>>().split(|c| !stacks(c)).map(<[char]>::len).max().unwrap_or(0)
}

#[test]
fn a_long_name_is_cut_between_clusters() {
    assert_eq!(cleaned("abcdefghijklmnop"), "abcdefghijkl");
    assert_eq!(cleaned("<script>alert(1)</script>"), "<script>aler");
    assert_eq!(cleaned("abcdefghijk lmn"), "abcdefghijk");
    assert_eq!(cleaned(&"🐦".repeat(20)), "🐦".repeat(12));
    assert_eq!(cleaned(&"👨‍👩‍👧".repeat(20)), "👨‍👩‍👧".repeat(2));
    assert_eq!(cleaned(&"🇩🇪".repeat(20)), "🇩🇪".repeat(6));
    // A single cluster that is longer than the limit leaves no nickname.
    assert_eq!(clean(&"👩\u{200D}".repeat(20)), None);
}

#[test]
fn every_length_of_every_kind_keeps_the_limits() {
    for sign in
        ["é", "✅", "👨‍👩‍👧", "🇩🇪", "मि", "W", "e\u{301}", "\u{1F3F4}\u{E0067}\u{E007F}", "각", "각", " ", "a "]
    {
        for times in 1..=200 {
            let typed = sign.repeat(times);
            if let Some(nick) = clean(&typed) {
                check(&typed, &nick);
            }
        }
    }
}

/// Checks what holds for every result of `clean`.
fn check(typed: &str, nick: &str) {
    assert!(nick.len() <= 48 && nick.graphemes(true).count() <= 12, "{typed:?}");
    assert!(is_nfc(nick) && nick.trim() == nick && !nick.contains("  ") && !nick.is_empty(), "{typed:?}");
    assert!(!nick.chars().any(|c| c.is_control() || (c.is_whitespace() && c != ' ')), "{typed:?}");
    assert!(most_marks(nick) <= 2, "{typed:?}");
    assert_eq!(clean(nick).as_deref(), Some(nick), "cleaning twice, {typed:?}");
}

/// Returns random characters from all of Unicode. Characters that matter for `clean` are more frequent.
fn random_text(rng: &mut SmallRng) -> String {
    let special = [
        ' ',
        '\u{200D}',
        '\u{FE0F}',
        '\u{301}',
        '\u{489}',
        '\u{20E3}',
        '\u{1F3FD}',
        '👩',
        '🏳',
        '🇩',
        '1',
        'e',
        'ᄀ',
        'ᅡ',
        'ᆨ',
        'क',
        '\u{94D}',
        '\u{93C}',
        '\u{600}',
        '\u{D4E}',
        '\u{202E}',
    ];
    let one = |rng: &mut SmallRng| match rng.random_range(0..4) {
        0 => special[rng.random_range(0..special.len())],
        1 => char::from(rng.random_range(0_u8..=0x7F)),
        2 => char::from_u32(rng.random_range(0..0x3100)).unwrap_or('a'),
        _ => char::from_u32(rng.random_range(0..=0x10_FFFF)).unwrap_or('\u{FFFD}'),
    };
    (0..rng.random_range(0..40)).map(|_| one(rng)).collect()
}

#[test]
fn random_texts_are_cleaned() {
    let mut rng = SmallRng::seed_from_u64(73);
    let words = WordFilter::new(&["fen"], &["Wren"]);
    // Found by a million rounds of the loop below: a removed mark had separated two others, and a cut left a joiner.
    for typed in ["ᨲ\u{8EE}\u{93C}\u{B42}\u{1715}", "abcdefghijkl🏽\u{200D}🏳"] {
        check(typed, &cleaned(typed));
    }
    for round in 0..30_000 {
        let typed = random_text(&mut rng);
        let Some(nick) = clean(&typed) else { continue };
        check(&typed, &nick);
        if round % 10 == 0 {
            words.allows(&nick);
        }
        let second = unique(&nick, [nick.as_str()].into_iter());
        assert!(
            second != nick && second.len() <= 48 && second.graphemes(true).count() <= 12,
            "{nick:?} {second:?}"
        );
    }
}

#[test]
fn a_taken_name_gets_a_number() {
    let among = |nick: &str, taken: &[&str]| unique(nick, taken.iter().copied());
    assert_eq!(among("Wren", &[]), "Wren");
    assert_eq!(among("Wren", &["Heron"]), "Wren");
    assert_eq!(among("Wren", &["Wren"]), "Wren 2");
    assert_eq!(among("Wren", &["Wren", "Wren 2"]), "Wren 3");
    assert_eq!(among("Wren", &["Wren 2", "Wren"]), "Wren 3");
    assert_eq!(among("Wren", &["Wren 2"]), "Wren");
    assert_eq!(among("Wren 2", &["Wren", "Wren 2"]), "Wren 3", "one number, counted on");
    assert_eq!(among("Wren 2", &["Wren 2", "Wren 3"]), "Wren 4");
    assert_eq!(among("Agent 47", &["Agent 47"]), "Agent 48");
    assert_eq!(among("Wren 99999999", &["Wren 99999999"]), "Wren 99999 2", "no number that counts");
    assert_eq!(among("7", &["7"]), "7 2");
    assert_eq!(among("abcdefghijkl", &["abcdefghijkl"]), "abcdefghij 2");
    assert_eq!(among("abcdefghi klm", &["abcdefghi klm"]), "abcdefghi 2");
    let birds = "🐦".repeat(12);
    assert_eq!(among(&birds, &[&birds]), format!("{} 2", "🐦".repeat(10)));
    assert_eq!(among("👨‍👩‍👧👨‍👩‍👧", &["👨‍👩‍👧👨‍👩‍👧"]), "👨‍👩‍👧👨‍👩‍👧 2");
    let eleven: Vec<String> =
        (1..12).map(|n| if n == 1 { "Sam".into() } else { format!("Sam {n}") }).collect();
    assert_eq!(unique("Sam", eleven.iter().map(String::as_str)), "Sam 12");
}

#[test]
fn names_that_look_alike_count_as_the_same() {
    for typed in ["Sam", "Sam ", "sam", "SAM", "S a m", "Ѕam", "Sａm", "S\u{200B}am", "𝐒am", "Ⓢam", "ѕаm"]
    {
        let nick = cleaned(typed);
        assert_eq!(unique(&nick, ["Sam"].into_iter()), format!("{nick} 2"), "{typed:?}");
    }
    for (one, two) in [
        ("Straße", "STRASSE"),
        ("❤", "❤️"),
        ("Wren 2", "Wren2"),
        ("Νίκος", "ΝΊΚΟΣ"),
        ("Pau1", "Paul"),
        ("B0b", "Bob"),
    ] {
        assert_ne!(unique(one, [two].into_iter()), one, "{one} {two}");
    }
    for (one, two) in [("Sam", "Pam"), ("Sam", "Sám"), ("🐦", "🦆"), ("Jo", "Joe"), ("ミ", "三")] {
        assert_eq!(unique(one, [two].into_iter()), one, "{one} {two}");
    }
}
