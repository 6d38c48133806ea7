//! Checks the cost of opening a page for the first time: bytes over the Wi-Fi, and round trips.

#![allow(clippy::unwrap_used)]

#[path = "../daemon/build/preload.rs"]
mod preload;
#[path = "../daemon/build/strip.rs"]
mod strip;

use async_tungstenite::tungstenite::Bytes;
use doozer_box::games::GAMES;
use doozer_box::net::{Assets, parse};
use flate2::{Compression, write::GzEncoder};
use preload::{File, fill_preload};
use std::cmp::Reverse;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use strip::{strip_comments, strip_indentation};

/// Bytes of all responses of a first load in English, including their heads. The number does not depend on the number of games.
const PAD_BYTES_MAX: usize = 28_000;
const TV_BYTES_MAX: usize = 32_000;
/// Bytes of the response with the words of one page in one language, including its head.
const LANGUAGE_BYTES_MAX: usize = 2_500;
/// Bytes of the response with a game's module, including its head. It is loaded when the game is played.
const GAME_BYTES_MAX: usize = 4_500;
/// Bytes of the response with a game's words in all languages, including its head. It is loaded beside the module.
const GAME_WORDS_BYTES_MAX: usize = 2_500;
/// Bytes of the responses with the modules that all boards share. They are loaded with the first game.
const SHARED_BYTES_MAX: usize = 4_500;
/// Bytes by which a first load may differ between a list of one game and one of twenty.
const GROWTH_BYTES_MAX: usize = 300;
/// The module that loads games, and the modules that their boards share.
const LIST: &str = "/js/games/index.js";
/// Modules that the TV loads later during an evening, when nobody waits for them.
const LATER: [&str; 3] = ["/js/tv/idle.js", "/js/tv/moment.js", "/js/tv/sound.js"];
/// Bytes that the server adds to each response head (its end), and to that of a page (the policy with a long host
/// name).
const END_BYTES: usize = 2;
const POLICY_BYTES: usize = 350;

/// Bytes of the TV's typeface for all scripts. The files are loaded beside the page, and the browser caches them.
const TYPEFACE_BYTES_MAX: usize = 45_000;

struct Loaded {
    bytes: usize,
    text: String,
}

fn get(path: &str) -> Loaded {
    let assets = Assets::new(None);
    let ask = |lines: &str| {
        let head =
            parse(format!("GET {path} HTTP/1.1\r\nHost: doozer.local\r\n{lines}\r\n").as_bytes()).unwrap();
        assets.get(&head).unwrap_or_else(|| panic!("{path} is not there"))
    };
    let packed = ask("Accept-Encoding: gzip, deflate\r\n");
    let extra = if packed.page { POLICY_BYTES } else { 0 };
    let text = |bytes: Bytes| String::from_utf8(bytes.to_vec()).unwrap();
    Loaded { bytes: packed.head.len() + END_BYTES + extra + packed.body.len(), text: text(ask("").body) }
}

/// Returns the addresses in the page's lines that contain `mark`.
fn named(page: &str, mark: &str) -> Vec<String> {
    let lines = page.lines().filter(|line| line.contains(mark));
    lines.map(|line| line.split('"').find(|part| part.starts_with('/')).unwrap().to_owned()).collect()
}

/// Returns the value of an attribute of the page's root element.
fn root_attribute<'a>(page: &'a str, name: &str) -> &'a str {
    page.split_once(&format!(" {name}=\"")).unwrap().1.split('"').next().unwrap()
}

/// Returns the files of a first load with their bytes, largest first: the page, its style sheets, its scripts, the files
/// that it preloads, and the words that its first script requests (js/start-guard.js).
fn first_load(path: &str) -> Vec<(String, usize)> {
    let page = get(path);
    let named =
        ["rel=\"stylesheet\"", "<script", "rel=\"modulepreload\""].map(|mark| named(&page.text, mark));
    let words = format!("/js/lang/{}/en.js", root_attribute(&page.text, "data-page"));
    let mut all = vec![(path.to_owned(), page.bytes), (words.clone(), get(&words).bytes)];
    all.extend(named.concat().into_iter().map(|file| (file.clone(), get(&file).bytes)));
    all.sort_by_key(|(_, bytes)| Reverse(*bytes));
    all
}

#[test]
fn pages_are_light() {
    for (path, most) in [("/", PAD_BYTES_MAX), ("/tv", TV_BYTES_MAX)] {
        let files = first_load(path);
        let bytes: usize = files.iter().map(|(_, bytes)| bytes).sum();
        println!("{path}: {bytes} bytes in {} files", files.len());
        assert!(bytes <= most, "{path} takes {bytes} bytes, {most} are allowed:\n{files:#?}");
    }
}

#[test]
fn languages_are_light() {
    for path in ["/", "/tv"] {
        let page = get(path).text;
        let folder = root_attribute(&page, "data-page");
        for code in root_attribute(&page, "data-languages").split(' ') {
            let file = format!("/js/lang/{folder}/{code}.js");
            let bytes = get(&file).bytes;
            println!("{file}: {bytes} bytes");
            assert!(bytes <= LANGUAGE_BYTES_MAX, "{file} takes {bytes} bytes");
        }
    }
}

#[test]
fn games_are_light() {
    let early = first_load("/");
    let (games, shared): (Vec<_>, Vec<_>) = imported(LIST, &get(LIST).text)
        .into_iter()
        .filter(|file| early.iter().all(|(loaded, _)| loaded != file))
        .map(|file| (get(&file).bytes, file))
        .partition(|(_, file)| GAMES.iter().any(|game| *file == format!("/js/games/{}.js", game.slug)));
    println!("games: {games:?}, shared by boards: {shared:?}");
    for game in GAMES {
        let file = format!("/js/games/lang/{}.js", game.slug);
        let bytes = get(&file).bytes;
        println!("{file}: {bytes} bytes");
        assert!(
            bytes <= GAME_WORDS_BYTES_MAX,
            "{file} takes {bytes} bytes, {GAME_WORDS_BYTES_MAX} are allowed"
        );
    }
    for (bytes, file) in games {
        assert!(bytes <= GAME_BYTES_MAX, "{file} takes {bytes} bytes, {GAME_BYTES_MAX} are allowed");
    }
    let bytes: usize = shared.iter().map(|(bytes, _)| bytes).sum();
    assert!(bytes <= SHARED_BYTES_MAX, "{shared:?} take {bytes} bytes, {SHARED_BYTES_MAX} are allowed");
}

/// Tests that the typeface is split by script. Its licence requires that its text accompanies each copy.
#[test]
fn the_typeface_is_light_and_licensed() {
    let style = get("/css/tv-type.css").text;
    let files: Vec<&str> = style.split("url(\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    let assets = Assets::new(None);
    let size = |path: &str| {
        let head = parse(format!("GET {path} HTTP/1.1\r\nHost: doozer.local\r\n\r\n").as_bytes()).unwrap();
        assets.get(&head).unwrap_or_else(|| panic!("{path} is not there")).body.len()
    };
    let bytes: usize = files.iter().map(|file| size(file)).sum();
    println!("typeface: {bytes} bytes in {} files", files.len());
    assert!(bytes > 0 && bytes <= TYPEFACE_BYTES_MAX, "{files:?}: {bytes} bytes");
    assert!(get("/fonts/OFL.txt").text.contains("SIL OPEN FONT LICENSE Version 1.1"));
}

/// Tests that a first load takes three round trips: the page, the files that it names, then the socket.
///
/// So no module or image may be discovered only by loading another one. A game is loaded in one round trip beside the
/// socket: all its imports are loaded already, or requested together with it by the list.
#[test]
fn pages_name_all_that_they_load() {
    let mut listed = imported(LIST, &get(LIST).text);
    listed.retain(|file| first_load("/").iter().all(|(loaded, _)| loaded != file));
    // The list requests a game's words together with its module.
    assert!(get(LIST).text.contains("import(`./lang/${slug}.js`)"), "{LIST}");
    listed.extend(GAMES.iter().map(|game| format!("/js/games/lang/{}.js", game.slug)));
    let games: Vec<String> = GAMES.iter().map(|game| format!("/js/games/{}.js", game.slug)).collect();
    assert!(games.iter().all(|game| listed.contains(game)), "{LIST} loads {listed:?}");
    for path in ["/", "/tv"] {
        let files: Vec<String> = first_load(path).into_iter().map(|(file, _)| file).collect();
        let mut sorted = files.clone();
        sorted.sort();
        sorted.dedup();
        assert_eq!(sorted.len(), files.len(), "{path} names something twice");
        for file in files.iter().filter(|file| *file != path).chain(&listed) {
            let code = get(file).text;
            assert!(!code.contains("@import") && !code.contains("url(/"), "{file} loads more");
            for module in imported(file, &code) {
                let later = LATER.contains(&module.as_str());
                let named = files.contains(&module) || listed.contains(&module) || later;
                assert!(named, "{path} does not name {module}, which {file} imports");
            }
        }
        let early: Vec<_> = files.iter().filter(|file| listed.contains(file)).collect();
        assert!(early.is_empty(), "{path} loads before anybody plays: {early:?}");
    }
}

/// Slugs of games that do not exist, of usual lengths.
const OTHERS: [&str; 19] = [
    "dots",
    "checkers",
    "hex",
    "gomoku",
    "morris",
    "hangman",
    "battleship",
    "backgammon",
    "pentago",
    "quarto",
    "isolation",
    "amazons",
    "havannah",
    "onitama",
    "santorini",
    "abalone",
    "quoridor",
    "tablut",
    "surakarta",
];

/// Returns the files of www/ with a list of `count` games, each a copy of the first game in the daemon's list.
fn with_games(count: usize) -> Vec<File> {
    let www = Path::new(env!("CARGO_MANIFEST_DIR")).join("www");
    let names = ["pad.html", "tv.html"].map(str::to_owned).into_iter();
    let scripts = ["js", "js/games", "js/pad", "js/tv", "css"].into_iter().flat_map(|folder| {
        let entries = fs::read_dir(www.join(folder)).unwrap().map(Result::unwrap);
        let files = entries.filter(|entry| entry.file_type().unwrap().is_file());
        files.map(move |entry| format!("{folder}/{}", entry.file_name().into_string().unwrap()))
    });
    let mut files: Vec<File> =
        names.chain(scripts).map(|file| (file.clone(), fs::read(www.join(file)).unwrap())).collect();
    let first = GAMES[0].slug;
    let slugs: Vec<&str> = [first].into_iter().chain(OTHERS).take(count).collect();
    let module = files.iter().find(|(path, _)| *path == format!("js/games/{first}.js")).unwrap().1.clone();
    files.extend(slugs[1..].iter().map(|slug| (format!("js/games/{slug}.js"), module.clone())));
    let list = &mut files.iter_mut().find(|(path, _)| format!("/{path}") == LIST).unwrap().1;
    let text = String::from_utf8(list.clone()).unwrap();
    let is_line = |line: &&str| {
        GAMES.iter().any(|game| line.trim() == format!("{}: () => import(\"./{0}.js\"),", game.slug))
    };
    let lines: Vec<&str> = text.lines().filter(is_line).collect();
    assert_eq!(lines.len(), GAMES.len(), "{lines:?}");
    let copies =
        slugs.iter().map(|slug| format!("    {slug}: () => import(\"./{slug}.js\"),\n")).collect::<String>();
    *list = text.replace(&(lines.join("\n") + "\n"), &copies).into_bytes();
    files
}

/// Returns the compressed bytes and the number of all files of a page's first load.
fn compressed_load(page: &str, files: &[File]) -> (usize, usize) {
    let bytes = |path: &str| &files.iter().find(|(file, _)| file == path).unwrap().1;
    let html = strip_indentation(&fill_preload(std::str::from_utf8(bytes(page)).unwrap(), files).unwrap());
    let gzip = |text: &str| {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(text.as_bytes()).unwrap();
        encoder.finish().unwrap().len()
    };
    let marks = ["rel=\"stylesheet\"", "<script", "rel=\"modulepreload\""];
    let loaded = marks.map(|mark| named(&html, mark)).concat();
    let code = |path: &String| strip_comments(std::str::from_utf8(bytes(&path[1..])).unwrap()).unwrap();
    (gzip(&html) + loaded.iter().map(|path| gzip(&code(path))).sum::<usize>(), loaded.len())
}

#[test]
fn first_load_does_not_grow_with_the_number_of_games() {
    for page in ["pad.html", "tv.html"] {
        let loads = [1, 4, 20].map(|count| compressed_load(page, &with_games(count)));
        println!("{page} with 1, 4 and 20 games, bytes and files: {loads:?}");
        assert!(loads.iter().all(|(_, files)| *files == loads[0].1), "{page}: {loads:?}");
        assert!(loads[2].0.abs_diff(loads[0].0) <= GROWTH_BYTES_MAX, "{page}: {loads:?}");
    }
}

/// Returns the modules that a module imports, statically or dynamically.
fn imported(file: &str, code: &str) -> Vec<String> {
    let folder = file.rsplit_once('/').map_or("", |(folder, _)| folder);
    let is_address = |text: &&str| text.starts_with("./") || text.starts_with("../");
    let addresses = code.split(['"', '\'']).filter(|text| is_address(text) && text.ends_with(".js"));
    let modules = addresses.map(|address| {
        let mut path = format!("{folder}/{address}").replace("/./", "/");
        while let Some(at) = path.find("/../") {
            let parent = path[..at].rfind('/').unwrap();
            path.replace_range(parent..at + 3, "");
        }
        path
    });
    modules.collect()
}

#[test]
fn comments_stay_at_home() {
    for (path, file) in [("/js/link.js", "www/js/link.js"), ("/css/pad.css", "www/css/pad.css")] {
        let source = std::fs::read_to_string(format!("{}/{file}", env!("CARGO_MANIFEST_DIR"))).unwrap();
        let served = get(path).text;
        assert!(served.len() < source.len() && !served.contains("\n//") && !served.contains("/**"));
        // Each line is the same as in the source, or shorter.
        assert_eq!(served.lines().count(), source.lines().count());
        let differs = served.lines().zip(source.lines()).find(|(served, source)| {
            let mut source = source.chars();
            !served.chars().all(|c| source.any(|of| of == c))
        });
        assert_eq!(differs, None, "{path}");
    }
}
