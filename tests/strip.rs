//! Tests the build script's removal of comments and indentation from what is served.
#![allow(clippy::unwrap_used)]

#[path = "../daemon/build/strip.rs"]
mod strip;

use strip::{strip_comments, strip_indentation};

/// Asserts the stripped form of each source.
fn assert_stripped(cases: &[(&str, &str)]) {
    for (code, stripped) in cases {
        assert_eq!(strip_comments(code).unwrap(), format!("{stripped}\n"), "{code}");
    }
}

#[test]
fn comments_and_indentation_go_and_lines_keep_their_numbers() {
    assert_stripped(&[
        ("  let a = 1; // one", "let a = 1;"),
        ("// alone\nb();", "\nb();"),
        ("  /* alone */", ""),
        ("/** @type {X} */ (a).b();", "(a).b();"),
        ("f(/** @type {X} */ (a), /* two */ b);", "f((a), b);"),
        ("/*\n * several\n */\nc();", "\n\n\nc();"),
        ("a { color: red; } /* why */", "a { color: red; } "),
    ]);
}

#[test]
fn a_page_keeps_its_lines_without_their_indentation() {
    assert_eq!(strip_indentation("<main>\n  <p>a  b</p>\n</main>\n"), "<main>\n<p>a  b</p>\n</main>");
}

#[test]
fn text_that_looks_like_a_comment_stays() {
    assert_stripped(&[
        (r#"const a = "x // y";"#, r#"const a = "x // y";"#),
        (r#"const a = 'x /* y */ z'; // gone"#, r#"const a = 'x /* y */ z';"#),
        ("const a = `x // y`;", "const a = `x // y`;"),
        (r#"const a = "http://x";"#, r#"const a = "http://x";"#),
        ("a = b // c\n", "a = b"),
        (r"const a = /\/\/*/;", r"const a = /\/\/*/;"),
    ]);
}

#[test]
fn a_template_of_several_lines_is_left_as_it_is() {
    let code = "const a = `\n  // text\n  /* text */\n`; // gone\nb();";
    assert_eq!(strip_comments(code).unwrap(), "const a = `\n  // text\n  /* text */\n`; // gone\nb();\n");
}

#[test]
fn code_behind_a_comment_of_several_lines_is_an_error() {
    let error = strip_comments("/* one\n   two */ f();").unwrap_err().to_string();
    assert!(error.contains("f();"), "{error}");
}
