//! Makes QR codes. A page draws each as one SVG path.

use qrcode::{Color, EcLevel, QrCode};
use std::fmt::Write;

/// White modules that a reader needs on every side (ISO/IEC 18004).
const QUIET: usize = 4;
/// Largest number of modules on a side. Phones cannot read a denser code in a corner of a TV.
const SIDE_MAX: usize = 80;

/// A QR code to be drawn on white.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Qr {
    /// Modules on a side, including the quiet zone of four on each side. The page's `viewBox` is `0 0 size size`.
    pub size: u16,
    /// The dark modules as an SVG path in units of a module. Each run in a row is a subpath: `M4 4h7v1h-7z…`.
    pub path: String,
}

/// Returns the QR code of a text at error correction level M, or `None` if the text is too long for a code that a phone
/// can read from across a room.
pub fn code(url: &str) -> Option<Qr> {
    let code = QrCode::with_error_correction_level(url, EcLevel::M).ok()?;
    let side = code.width();
    let size = side + 2 * QUIET;
    if size > SIDE_MAX {
        return None;
    }
    let modules = code.into_colors();
    let mut path = String::with_capacity(4_096);
    for (y, row) in modules.chunks(side).enumerate() {
        let mut x = 0;
        for run in row.chunk_by(|a, b| a == b) {
            let w = run.len();
            if run[0] == Color::Dark {
                // Writing to a string cannot fail.
                let _ = write!(path, "M{} {}h{w}v1h-{w}z", x + QUIET, y + QUIET);
            }
            x += w;
        }
    }
    Some(Qr { size: u16::try_from(size).ok()?, path })
}

/// Returns the text of a QR code that joins a Wi-Fi network. Without a password the network is an open one.
///
/// The format is described at <https://github.com/zxing/zxing/wiki/Barcode-Contents#wi-fi-network-config-android-ios-11>.
pub fn wifi(ssid: &str, password: Option<&str>) -> String {
    let escaped = |text: &str| {
        text.chars().fold(String::new(), |mut out, c| {
            if matches!(c, '\\' | ';' | ',' | ':' | '"') {
                out.push('\\');
            }
            out.push(c);
            out
        })
    };
    match password {
        Some(password) => format!("WIFI:T:WPA;S:{};P:{};;", escaped(ssid), escaped(password)),
        None => format!("WIFI:T:nopass;S:{};;", escaped(ssid)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Draws the path as a browser does and decodes the result with another library.
    fn read(qr: &Qr, scale: usize) -> String {
        let side = usize::from(qr.size);
        let mut dark = vec![false; side * side];
        for subpath in qr.path.split('M').skip(1) {
            let (at, run) = subpath.split_once('h').unwrap();
            let (x, y) = at.split_once(' ').unwrap();
            let (x, y): (usize, usize) = (x.parse().unwrap(), y.parse().unwrap());
            let w: usize = run.split_once('v').unwrap().0.parse().unwrap();
            assert_eq!(subpath, format!("{x} {y}h{w}v1h-{w}z"));
            dark[y * side + x..][..w].fill(true);
        }
        let mut picture = rqrr::PreparedImage::prepare_from_greyscale(side * scale, side * scale, |x, y| {
            if dark[y / scale * side + x / scale] { 0 } else { 255 }
        });
        let grids = picture.detect_grids();
        assert_eq!(grids.len(), 1, "one code in the picture");
        grids[0].decode().unwrap().1
    }

    #[test]
    fn the_drawn_path_decodes_to_the_address() {
        for url in [
            "http://10.0.0.1/BCDF",
            "http://192.168.100.200/ABCD",
            "http://192.168.100.200:8080/WXZB",
            "http://[2001:db8:1234:5678:9abc:def0:1234:5678]:8080/BCDF",
            &wifi("Bar; \"Zum Löwen\"", Some("a:b,c\\d")),
        ] {
            let qr = code(url).unwrap();
            assert!((21 + 8..=80).contains(&qr.size), "{}", qr.size);
            assert_eq!(read(&qr, 4), url);
        }
    }

    #[test]
    fn a_usual_address_makes_a_small_code_with_its_quiet_zone() {
        let qr = code("http://192.168.100.200/ABCD").unwrap();
        assert_eq!(qr.size, 29 + 8);
        assert!(qr.path.starts_with("M4 4h7v1h-7z"), "{}", &qr.path[..20]);
        assert!(qr.path.len() < 4_096, "{}", qr.path.len());
    }

    #[test]
    fn a_text_too_long_for_a_phone_gives_no_code() {
        assert_eq!(code(&"x".repeat(400)), None);
        assert_eq!(code(&"x".repeat(5_000)), None);
    }

    #[test]
    fn a_wifi_name_is_escaped() {
        assert_eq!(wifi(r#"a;b,c:d"e\"#, Some("p;w")), r#"WIFI:T:WPA;S:a\;b\,c\:d\"e\\;P:p\;w;;"#);
        assert_eq!(wifi("Bar", None), "WIFI:T:nopass;S:Bar;;");
    }
}
