//! Measures how well the House plays each game, and the cost of a move: `cargo bench --bench bot`.
//!
//! `cargo bench --bench bot -- strength cost solved` prints only these tables, and a game's slug prints only that game.

use doozer_box::bot::{Strength, choose};
use doozer_box::games::{Entry, GAMES, Game, Move, Next, Side, four::Four, other, reversi::Reversi};
use rustix::time::{ClockId, clock_gettime};
use serde_json::Value;
use std::path::Path;

/// Games of each pairing. The players swap sides after each game.
const GAMES_EACH: u64 = 200;

/// `None` plays `auto_move`.
type Player = Option<Strength>;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let tables = ["strength", "cost", "solved"];
    let all = !args.iter().any(|arg| tables.contains(&arg.as_str()));
    let wanted = |table: &str| all || args.iter().any(|arg| arg == table);
    let games: Vec<&Entry> = GAMES.iter().filter(|entry| args.iter().any(|arg| arg == entry.slug)).collect();
    let games = if games.is_empty() { GAMES.iter().collect() } else { games };
    if wanted("strength") {
        strength(&games);
    }
    if wanted("cost") {
        cost(&games);
    }
    if wanted("solved") {
        solved();
    }
}

/// Prints how often each player wins. A draw counts half.
fn strength(games: &[&Entry]) {
    let pairings: [(&str, [Player; 2]); 3] = [
        ("weak against `auto_move`", [Some(Strength::Weak), None]),
        ("middle against `auto_move`", [Some(Strength::Middle), None]),
        ("strong against middle", [Some(Strength::Strong), Some(Strength::Middle)]),
    ];
    println!("| {GAMES_EACH} games each, % won | {} |", pairings.map(|(name, _)| name).join(" | "));
    println!("| --- | --: | --: | --: |");
    for entry in games {
        let won = pairings.map(|(_, players)| {
            let score = |seed| match seed % 2 {
                0 => play(entry, players, seed),
                _ => 1.0 - play(entry, [players[1], players[0]], seed),
            };
            let sum: f64 = (0..GAMES_EACH).map(score).sum();
            format!("{:.1}", 100.0 * sum / GAMES_EACH as f64)
        });
        println!("| {} | {} |", entry.name, won.join(" | "));
    }
    println!();
}

/// Prints the processor time of the strongest player for a move, over one game against itself.
fn cost(games: &[&Entry]) {
    println!("| a move of the strongest, ms of one core | mean | most |");
    println!("| --- | --: | --: |");
    for entry in games {
        let mut times = Vec::new();
        play_by(entry, 1, |game, side, seed| {
            let before = clock_gettime(ClockId::ThreadCPUTime);
            let v = choose(game, side, Strength::Strong.playouts(), seed);
            let after = clock_gettime(ClockId::ThreadCPUTime);
            times.push(
                ((after.tv_sec - before.tv_sec) as f64) * 1e3 + (after.tv_nsec - before.tv_nsec) as f64 / 1e6,
            );
            v
        });
        let mean = times.iter().sum::<f64>() / times.len() as f64;
        println!("| {} | {mean:.1} | {:.1} |", entry.name, times.iter().copied().fold(0.0, f64::max));
    }
    println!();
}

/// Prints the share of moves that are optimal in positions whose moves have exact scores.
fn solved() {
    println!(
        "| optimal moves, % | positions | {} |",
        Strength::ALL.map(|strength| format!("{strength:?}")).join(" | ")
    );
    println!("| --- | --: | --: | --: | --: |");
    let four = |text: &str| Four::from_cells(text).map(|game| Box::new(game) as Box<dyn Game>);
    share(
        "Four in a Row, by distance to the end",
        "four_solved.jsonl",
        ["to_move", "move_scores"],
        four,
        |score| score,
    );
    share("Four in a Row, by who wins", "four_solved.jsonl", ["to_move", "move_scores"], four, i64::signum);
    let reversi = |text: &str| Reversi::from_cells(text).map(|game| Box::new(game) as Box<dyn Game>);
    share(
        "Reversi's last 14 squares, by stones",
        "reversi_endgames.jsonl",
        ["side", "moves"],
        reversi,
        |score| score,
    );
    share(
        "Reversi's last 14 squares, by who wins",
        "reversi_endgames.jsonl",
        ["side", "moves"],
        reversi,
        i64::signum,
    );
}

fn share(
    what: &str,
    file: &str,
    [side, scores]: [&str; 2],
    read: impl Fn(&str) -> Option<Box<dyn Game>>,
    worth: impl Fn(i64) -> i64,
) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors").join(file);
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{file}: {error}"));
    let positions: Vec<Value> = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let best = |strength: Strength| {
        let optimal = |position: &&Value| {
            let board = position["board"].as_str()?.replace('X', "1").replace('O', "0");
            let side = Side::from(position[side] == "X");
            let v = choose(&*read(&board)?, side, strength.playouts(), 1);
            let scores = position[scores].as_object()?;
            let most = scores.values().filter_map(Value::as_i64).max()?;
            let score = scores.get(&v.to_string())?.as_i64()?;
            (worth(score) == worth(most)).then_some(())
        };
        let right = positions.iter().filter(|position| optimal(position).is_some()).count();
        format!("{:.1}", 100.0 * right as f64 / positions.len() as f64)
    };
    println!("| {what} | {} | {} |", positions.len(), Strength::ALL.map(best).join(" | "));
}

/// Plays a game. Returns the result of side 0: 1 for a win, 0.5 for a draw, 0 for a loss.
fn play(entry: &Entry, players: [Player; 2], seed: u64) -> f64 {
    play_by(entry, seed, |game, side, seed| match players[usize::from(side)] {
        Some(strength) => choose(game, side, strength.playouts(), seed),
        None => game.auto_move(side),
    })
}

fn play_by(entry: &Entry, seed: u64, mut choose: impl FnMut(&dyn Game, Side, u64) -> Move) -> f64 {
    let (mut game, mut side) = ((entry.new_state)(), 1);
    for ply in 0.. {
        let v = choose(&*game, side, seed * 1_000 + ply);
        match game.apply(v, side) {
            Next::Other => side = other(side),
            Next::Side(again, _) => side = again,
            Next::Over(outcome) => return outcome.winner.map_or(0.5, |winner| 1.0 - f64::from(winner)),
        }
    }
    0.5
}
