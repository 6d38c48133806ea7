//! What games on a board of squares share. A board is its own text: row by row from the top left,
//! `.` empty, `0` side 0's stone, `1` side 1's.

use super::{Field, Side};

/// The mark of an empty cell.
pub(super) const EMPTY: u8 = b'.';

/// A step from one cell to the next: rows down, columns right.
pub(super) type Step = (isize, isize);

/// The mark of a side's stone.
pub(super) fn stone(side: Side) -> u8 {
    b'0' + side
}

/// The cells as pages are told of them.
pub(super) fn text(cells: &[u8]) -> Field {
    Field::Text(cells.iter().copied().map(char::from).collect())
}

/// The cells that a text tells of; `None` if it is not a board of that size.
pub(super) fn read<const CELLS: usize>(text: &str) -> Option<[u8; CELLS]> {
    let cells: [u8; CELLS] = text.as_bytes().try_into().ok()?;
    cells.iter().all(|&cell| cell == EMPTY || cell == stone(0) || cell == stone(1)).then_some(cells)
}

/// The cells from one to the edge of a board, itself left out. Rows and columns are counted apart, so that
/// no line runs on over a side of the board.
pub(super) fn ray<const ROWS: usize, const COLS: usize>(
    from: usize,
    step: Step,
) -> impl Iterator<Item = usize> {
    let next = move |&(row, col): &(usize, usize)| {
        let row = row.checked_add_signed(step.0).filter(|&row| row < ROWS)?;
        let col = col.checked_add_signed(step.1).filter(|&col| col < COLS)?;
        Some((row, col))
    };
    std::iter::successors(Some((from / COLS, from % COLS)), next).skip(1).map(|(row, col)| row * COLS + col)
}
