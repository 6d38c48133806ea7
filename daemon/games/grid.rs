//! Converts boards of cells between their two forms. On the wire a board is a text with one mark per cell, row by row
//! from the top left: `.` is empty, `0` a stone of side 0, and `1` a stone of side 1. In memory a board is a set of
//! cells for each side.

use super::{Field, Side};

/// The mark of an empty cell.
const EMPTY: u8 = b'.';

/// Returns the mark of a side's stone.
fn stone(side: Side) -> u8 {
    b'0' + side
}

/// Returns the field of a board that contains these marks.
pub(super) fn text(cells: &[u8]) -> Field {
    Field::Text(cells.iter().copied().map(char::from).collect())
}

/// Parses the marks of a board's cells. Returns `None` if the text is not a board of that size.
pub(super) fn parse<const CELLS: usize>(text: &str) -> Option<[u8; CELLS]> {
    let cells: [u8; CELLS] = text.as_bytes().try_into().ok()?;
    cells.iter().all(|&cell| cell == EMPTY || cell == stone(0) || cell == stone(1)).then_some(cells)
}

/// Returns the cells of each side as a set: bit n is cell n.
pub(super) fn sets(cells: &[u8]) -> [u64; 2] {
    [0, 1]
        .map(|side| (0..cells.len()).filter(|&at| cells[at] == stone(side)).fold(0, |set, at| set | 1 << at))
}

/// Returns the marks of the cells of two sets, one for each side.
pub(super) fn cells<const CELLS: usize>(sets: [u64; 2]) -> [u8; CELLS] {
    let side_at = |cell: usize| sets.iter().position(|set| set >> cell & 1 == 1);
    std::array::from_fn(|cell| side_at(cell).map_or(EMPTY, |side| stone(side as Side)))
}

/// Returns the members of a set, ascending.
pub(super) fn bits(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let first = (set != 0).then(|| set.trailing_zeros() as usize);
        // Drops the lowest bit.
        set &= set.wrapping_sub(1);
        first
    })
}
