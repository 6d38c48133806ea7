//! Reads a QR code as the daemon draws it, with another library.

use serde_json::Value;

/// Returns the text of a code: `{"size":29,"path":"M4 4h7v1h-7z…"}`.
pub fn read(code: &Value) -> String {
    const SCALE: usize = 4;
    let side = code["size"].as_u64().unwrap() as usize;
    let mut dark = vec![false; side * side];
    for run in code["path"].as_str().unwrap().split('M').skip(1) {
        let numbers: Vec<usize> =
            run.split([' ', 'h', 'v']).map_while(|number| number.parse().ok()).collect();
        let [x, y, width, ..] = numbers[..] else { panic!("{run} is no run") };
        dark[y * side + x..][..width].fill(true);
    }
    let mut picture = rqrr::PreparedImage::prepare_from_greyscale(side * SCALE, side * SCALE, |x, y| {
        if dark[y / SCALE * side + x / SCALE] { 0 } else { 255 }
    });
    picture.detect_grids()[0].decode().unwrap().1
}
