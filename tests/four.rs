//! Compares Four in a Row with recorded games and positions, and tests faults that other implementations had.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use common::games::{Match, auto_wins, cells, numbers, ours, side, vectors};
use doozer_box::games::four::Four;
use doozer_box::games::{Entry, Game, Move, Next, find, other};
use rand::SeedableRng;
use rand::rngs::SmallRng;

fn four() -> &'static Entry {
    find("four").unwrap()
}

/// Returns whether the last move won the game.
fn wins(next: &Next) -> bool {
    matches!(next, Next::Over(end) if end.winner.is_some())
}

/// Returns all lines of four, without the code of the rules: 24 in rows, 21 in columns, 24 diagonal ones.
fn lines() -> Vec<[usize; 4]> {
    let cells = (0..6_isize).flat_map(|row| (0..7_isize).map(move |col| (row, col)));
    let lines = cells.flat_map(|(row, col)| {
        [(0, 1), (1, 0), (1, 1), (1, -1)].map(|(down, right)| {
            [0, 1, 2, 3].map(|n| {
                let (row, col) = (row + n * down, col + n * right);
                ((0..6).contains(&row) && (0..7).contains(&col)).then_some((row * 7 + col) as usize)
            })
        })
    });
    lines.filter_map(|line| Some([line[0]?, line[1]?, line[2]?, line[3]?])).collect()
}

/// Returns the cells of all complete lines through a cell, ascending.
fn lines_through(board: &[u8], cell: usize) -> Vec<u8> {
    let full = |line: &&[usize; 4]| line.contains(&cell) && line.iter().all(|&at| board[at] == board[cell]);
    let mut lit: Vec<u8> = lines().iter().filter(full).flatten().map(|&cell| cell as u8).collect();
    lit.sort_unstable();
    lit.dedup();
    lit
}

#[test]
fn recorded_games() {
    for wanted in vectors("four_games.jsonl") {
        let mut game = Match::new(four());
        game.play_all(&numbers(&wanted["moves"]));
        let end = game.outcome().unwrap_or_else(|| panic!("not over: {wanted}"));
        let mut lit: Vec<u8> = wanted["lines"].as_array().unwrap().iter().flat_map(numbers).collect();
        lit.sort_unstable();
        lit.dedup();
        let mut runs: Vec<u8> = wanted["runs"].as_array().unwrap().iter().flat_map(numbers).collect();
        runs.sort_unstable();
        runs.dedup();
        assert_eq!((&end.line, &end.line), (&lit, &runs), "{wanted}");
        assert_eq!((end.winner, end.score), (side(&wanted["winner"]), None), "{wanted}");
        assert_eq!(cells(&*game.game), ours(&wanted["final"]), "{wanted}");
    }
}

#[test]
fn recorded_positions() {
    for wanted in vectors("four_positions.jsonl") {
        let board = Four::from_cells(&ours(&wanted["board"])).unwrap();
        let mut replayed = Match::new(four());
        replayed.play_all(&numbers(&wanted["moves"]));
        assert_eq!(cells(&*replayed.game), cells(&board), "{wanted}");

        let mover = side(&wanted["to_move"]);
        assert_eq!((mover, replayed.turn.is_none()), (replayed.turn, wanted["over"] == true), "{wanted}");
        let mine = mover.unwrap_or(1);
        let legal = board.moves(mine);
        assert_eq!(legal, numbers(&wanted["legal"]), "{wanted}");
        let after = |v: Move, by| {
            let mut board = board.clone();
            let next = board.apply(v, by);
            (board, next)
        };
        let won_by = |by| legal.iter().copied().filter(|&v| wins(&after(v, by).1)).collect::<Vec<Move>>();
        assert_eq!(won_by(mine), numbers(&wanted["win"]), "{wanted}");
        assert_eq!(won_by(other(mine)), numbers(&wanted["block"]), "{wanted}");
        assert!(numbers(&wanted["false_win"]).iter().all(|v| !won_by(mine).contains(v)), "{wanted}");
        let safe = |&v: &Move| {
            let (then, _) = after(v, mine);
            then.moves(other(mine)).iter().all(|&reply| !wins(&then.clone().apply(reply, other(mine))))
        };
        let safe: Vec<Move> = legal.iter().copied().filter(safe).collect();
        assert_eq!(safe, numbers(&wanted["safe"]), "{wanted}");

        // `auto_move` wins if it can, or else blocks, or else avoids a move that lets the other side win.
        let must = [won_by(mine), won_by(other(mine)), safe, legal.clone()]
            .into_iter()
            .find(|moves| !moves.is_empty());
        if let Some(must) = must {
            assert!(must.contains(&board.auto_move(mine)), "auto_move {}: {wanted}", board.auto_move(mine));
        }
    }
}

#[test]
fn every_line_is_found_whichever_stone_completes_it() {
    let mut found = 0;
    for (line, last, mine) in
        lines().into_iter().flat_map(|line| line.map(|last| [(line, last, 0), (line, last, 1)])).flatten()
    {
        let col = last % 7;
        if line.iter().any(|&cell| cell % 7 == col && cell < last) {
            continue; // Another stone of the line lies above this one, so this one cannot be the last.
        }
        // The stones below the line have one of two patterns without lines of four. One of the two also makes no line
        // together with the other stones.
        let boards = [0, 1].map(|shift| {
            let mut board = [b'.'; 42];
            for &cell in &line {
                for below in (cell + 7..42).step_by(7).filter(|below| !line.contains(below)) {
                    board[below] = b'0' + ((below / 7 + [0, 0, 1, 1, 0, 0, 1][below % 7] + shift) % 2) as u8;
                }
                board[cell] = if cell == last { b'.' } else { b'0' + mine };
            }
            board
        });
        let quiet = |board: &[u8; 42]| {
            (0..42).all(|cell| board[cell] == b'.' || lines_through(board, cell).is_empty())
        };
        let mut board = boards.into_iter().find(quiet).unwrap_or_else(|| panic!("no board for {line:?}"));
        let mut game = Four::from_cells(std::str::from_utf8(&board).unwrap()).unwrap();
        let Next::Over(end) = game.apply(col as Move, mine) else { panic!("{line:?} by {last} not seen") };
        board[last] = b'0' + mine;
        assert_eq!((end.winner, &end.line), (Some(mine), &lines_through(&board, last)), "{line:?} by {last}");
        assert!(line.iter().all(|&cell| end.line.contains(&(cell as u8))), "{line:?} by {last}: {end:?}");
        found += 1;
    }
    // For each of the two sides, 21 lines in columns have one last stone, and the other 48 lines have four.
    assert_eq!((lines().len(), found), (69, 2 * (21 + 4 * 48)));
}

/// Returns the moves for columns that are counted from 1, as in the reports of the faults.
fn from_one(columns: &str) -> Vec<Move> {
    columns.bytes().map(|column| column - b'1').collect()
}

#[test]
fn lines_that_other_implementations_missed_or_invented() {
    let mut falling = Match::new(four());
    let end = falling.play_all(&from_one("7654657432544")).outcome().unwrap();
    assert_eq!((end.winner, end.line.as_slice()), (Some(1), [17, 25, 33, 41].as_slice()));

    let mut gap = Match::new(four());
    assert_eq!(gap.play_all(&from_one("11224455")).outcome(), None);
    let end = gap.play_all(&from_one("3")).outcome().unwrap();
    assert_eq!((end.winner, end.line.as_slice()), (Some(1), [35, 36, 37, 38, 39].as_slice()));

    for wrapped in ["121464261477", "1113571741524172"] {
        assert_eq!(Match::new(four()).play_all(&from_one(wrapped)).outcome(), None, "{wrapped}");
    }
}

#[test]
fn a_full_column_closes_no_other_column() {
    let mut game = Match::new(four());
    game.play_all(&from_one("333333"));
    assert_eq!(game.game.moves(1), [0, 1, 3, 4, 5, 6]);
    assert!((7..=u8::MAX).chain([2]).all(|v| !game.game.legal(v, 1)));
    game.play_all(&from_one("4217"));
    assert!(game.outcome().is_none());
}

#[test]
fn auto_move_finds_the_last_open_cells() {
    // Full except for these cells, in a pattern without a line.
    let full_but = |open: &[usize]| {
        let mark = |cell: usize| (cell / 7 + [0, 0, 1, 1, 0, 0, 1][cell % 7]) % 2;
        (0..42)
            .map(|cell| if open.contains(&cell) { '.' } else { char::from(b'0' + mark(cell) as u8) })
            .collect::<String>()
    };
    let sides: Vec<usize> = (0..42).filter(|cell| [0, 6].contains(&(cell % 7))).collect();
    for side in 0..2 {
        let two = Four::from_cells(&full_but(&sides)).unwrap();
        assert!([0, 6].contains(&two.auto_move(side)));
        for cell in 0..7 {
            let mut one = Four::from_cells(&full_but(&[cell])).unwrap();
            assert_eq!(usize::from(one.auto_move(side)), cell);
            assert!(matches!(one.apply(cell as Move, side), Next::Over(_)));
        }
    }
}

#[test]
fn boards_from_text() {
    for text in [
        "",
        "0",
        &".".repeat(41),
        &".".repeat(43),
        &"2".repeat(42),
        &format!("0{}", ".".repeat(41)),
        &"é".repeat(21),
    ] {
        assert_eq!(Four::from_cells(text), None, "{text}");
    }
    assert_eq!(Four::from_cells(&".".repeat(42)), Some(Four::default()));
    assert!(Four::from_cells(&format!("{}1111...", ".".repeat(35))).unwrap().moves(0).is_empty());
}

#[test]
fn auto_move_beats_chance() {
    let won = auto_wins(four(), 2_000, &mut SmallRng::seed_from_u64(4));
    assert!(won >= 1_940, "{won} of 2,000");
}
