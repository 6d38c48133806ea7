//! The owner's phones: pairing by a secret that only the TV shows, and messages sealed with it. Pure: time and
//! randomness are arguments.
//!
//! A bar's network is public and its pages come over plain HTTP. The secret therefore never crosses the network: the
//! phone scans it from the TV. Each connection has its own key, derived from the secret and a random number of each
//! side. A message is encrypted (HMAC-SHA-256 in counter mode, as a stream) and then authenticated (HMAC-SHA-256,
//! RFC 2104), together with its direction and its number in the connection. Somebody who listens can neither read a
//! message, nor change it, nor send it again, on this connection or another one.

use crate::limits::{Ms, PAIRING_MS, PHONES_MAX};
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;
use std::fmt::Write as _;

/// Characters of a phone's name.
const NAME_CHARS_MAX: usize = 24;
/// Bytes of a hash.
const BLOCK: usize = 32;

/// A secret of 128 bits that a phone and the box share.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret([u8; 16]);

impl Secret {
    /// Returns the secret of those bits, which must be random.
    pub fn new(random: u128) -> Secret {
        Secret(random.to_be_bytes())
    }

    /// Parses what [`Secret::text`] prints.
    pub fn parse(text: &str) -> Option<Secret> {
        Some(Secret(unhex(text)?.try_into().ok()?))
    }

    /// Returns the secret as 32 hexadecimal digits.
    pub fn text(&self) -> String {
        hex(&self.0)
    }

    /// Returns the id of the phone that has this secret. It reveals nothing of the secret.
    pub fn id(&self) -> String {
        hex(&hash(&self.0, &["id"])[..8])
    }
}

/// Prints no digits, so that no log contains a secret.
impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret")
    }
}

/// A phone of the owner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phone {
    /// The name that the phone gave itself.
    pub name: String,
    secret: Secret,
}

impl Phone {
    /// Returns the phone's id.
    pub fn id(&self) -> String {
        self.secret.id()
    }
}

/// The owner's phones, and the secret that the next one may scan.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Phones {
    phones: Vec<Phone>,
    /// The secret on the TV, and the time until which it pairs a phone.
    pairing: Option<(Secret, Ms)>,
}

impl Phones {
    /// Parses the phones of the owner's file. Skips invalid lines.
    pub fn parse(lines: &[String]) -> Phones {
        let phone = |line: &String| {
            let (secret, name) = line.split_once(' ')?;
            Some(Phone { secret: Secret::parse(secret)?, name: clean(name) })
        };
        Phones { phones: lines.iter().filter_map(phone).take(PHONES_MAX).collect(), pairing: None }
    }

    /// Returns the lines of the owner's file.
    pub fn lines(&self) -> Vec<String> {
        self.phones.iter().map(|phone| format!("{} {}", phone.secret.text(), phone.name)).collect()
    }

    /// Returns the phones, the newest last.
    pub fn list(&self) -> &[Phone] {
        &self.phones
    }

    /// Starts pairing: the first phone that proves within a minute that it has this secret is paired.
    pub fn start_pairing(&mut self, secret: Secret, now: Ms) {
        self.pairing = Some((secret, now + PAIRING_MS));
    }

    /// Stops pairing, because the secret is not on the TV any more.
    pub fn stop_pairing(&mut self) {
        self.pairing = None;
    }

    /// Returns the secret of the phone with that id, if it is paired or may be paired now.
    pub fn secret(&self, id: &str, now: Ms) -> Option<Secret> {
        let paired = self.phones.iter().map(|phone| &phone.secret);
        let pairing = self.pairing.iter().filter(|(_, until)| now < *until).map(|(secret, _)| secret);
        paired.chain(pairing).find(|secret| secret.id() == id).cloned()
    }

    /// Records that a phone has proved to have its secret. Returns whether it was paired by that, or `None` if it is not
    /// allowed to do anything. If there are too many phones, the oldest one is removed.
    pub fn authenticate(&mut self, id: &str, name: &str, now: Ms) -> Option<bool> {
        if self.phones.iter().any(|phone| phone.id() == id) {
            return Some(false);
        }
        let secret = self.secret(id, now)?;
        self.pairing = None;
        if self.phones.len() == PHONES_MAX {
            self.phones.remove(0);
        }
        self.phones.push(Phone { secret, name: clean(name) });
        Some(true)
    }

    /// Removes a phone. Returns whether there was one of that id.
    pub fn remove(&mut self, id: &str) -> bool {
        let before = self.phones.len();
        self.phones.retain(|phone| phone.id() != id);
        self.phones.len() < before
    }
}

/// Returns a phone's name for lists, without control characters and not too long.
fn clean(name: &str) -> String {
    let name: String = name.chars().filter(|c| !c.is_control()).take(NAME_CHARS_MAX).collect();
    if name.trim().is_empty() { "Phone".to_owned() } else { name.trim().to_owned() }
}

/// The first message of a phone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hello {
    /// The id of its secret.
    pub id: String,
    /// Its own random number.
    pub nonce: String,
    /// The name that it gives itself.
    pub name: String,
}

/// A sealed message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sealed {
    /// Its number in the connection, from 1. An answer has the number of its request.
    pub n: u64,
    /// The encrypted text, in hexadecimal digits.
    pub body: String,
    /// The authentication code, in hexadecimal digits.
    pub mac: String,
}

/// The side that sealed a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum From {
    /// The phone, a request.
    Phone,
    /// The box, an answer.
    Box,
}

impl From {
    fn as_str(self) -> &'static str {
        match self {
            From::Phone => "phone",
            From::Box => "box",
        }
    }
}

/// The keys and numbers of a phone's connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// The phone's first message.
    pub hello: Hello,
    key: [u8; BLOCK],
    /// The number of the newest request.
    newest: u64,
}

impl Session {
    /// Returns the session of a phone with that secret. `nonce` is the box's own number, which must be random.
    pub fn new(secret: &Secret, hello: Hello, nonce: &str) -> Session {
        let key = hash(&secret.0, &["session", &hello.id, &hello.nonce, nonce, &hello.name]);
        Session { hello, key, newest: 0 }
    }

    /// Opens the next request. Returns `None` for any other: forged, changed, repeated, or out of order.
    pub fn open(&mut self, sealed: &Sealed) -> Option<String> {
        if Some(sealed.n) != self.newest.checked_add(1) {
            return None;
        }
        let text = open(&self.key, From::Phone, sealed)?;
        self.newest = sealed.n;
        Some(text)
    }

    /// Seals the answer to request `n`.
    pub fn seal(&self, n: u64, text: &str) -> Sealed {
        seal(&self.key, From::Box, n, text)
    }

    /// Returns the key of this connection, for the phone's side.
    pub fn key(&self) -> [u8; BLOCK] {
        self.key
    }
}

/// Seals a text under a connection's key.
pub fn seal(key: &[u8], from: From, n: u64, text: &str) -> Sealed {
    let body = hex(&encrypted(key, from, n, text.as_bytes()));
    let mac = hex(&hash(key, &["mac", from.as_str(), &n.to_string(), &body]));
    Sealed { n, body, mac }
}

/// Opens a sealed text. Returns `None` if it was sealed with another key, number or side.
pub fn open(key: &[u8], from: From, sealed: &Sealed) -> Option<String> {
    let message = ["mac", from.as_str(), &sealed.n.to_string(), &sealed.body].join("\n");
    // Compared in constant time.
    keyed(key).chain_update(message).verify_slice(&unhex(&sealed.mac)?).ok()?;
    String::from_utf8(encrypted(key, from, sealed.n, &unhex(&sealed.body)?)).ok()
}

/// Encrypts or decrypts with a key stream that no other message uses.
fn encrypted(key: &[u8], from: From, n: u64, bytes: &[u8]) -> Vec<u8> {
    let blocks = bytes.chunks(BLOCK).enumerate().flat_map(|(i, chunk)| {
        let stream = hash(key, &["stream", from.as_str(), &n.to_string(), &i.to_string()]);
        chunk.iter().zip(stream).map(|(byte, mask)| byte ^ mask).collect::<Vec<_>>()
    });
    blocks.collect()
}

/// Returns the HMAC-SHA-256 of the parts. Only the last one may contain a line break.
fn hash(key: &[u8], parts: &[&str]) -> [u8; BLOCK] {
    keyed(key).chain_update(parts.join("\n")).finalize().into_bytes().into()
}

fn keyed(key: &[u8]) -> Hmac<Sha256> {
    // A key of any length is taken (RFC 2104, 2), so that the empty one is never used.
    Hmac::new_from_slice(key).unwrap_or_else(|_| Hmac::new(&Default::default()))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let digits = text.bytes().all(|digit| digit.is_ascii_digit() || (b'a'..=b'f').contains(&digit));
    if !digits || text.len() % 2 != 0 {
        return None;
    }
    (0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 4231, 4.2, 4.3 and 4.7: a short key, a text as the key, and a key longer than a block.
    #[test]
    fn known_answers() {
        let cases: [(&[u8], &str, &str); 3] = [
            (&[0x0b; 20], "Hi There", "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
            (
                b"Jefe",
                "what do ya want for nothing?",
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
            ),
            (
                &[0xaa; 131],
                "Test Using Larger Than Block-Size Key - Hash Key First",
                "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
            ),
        ];
        for (key, text, mac) in cases {
            assert_eq!(hex(&hash(key, &[text])), mac);
        }
    }

    /// The same message as in `tests/www/seal.test.mjs`.
    #[test]
    fn the_phone_and_the_box_seal_alike() {
        let secret = Secret::parse("000102030405060708090a0b0c0d0e0f").unwrap();
        let hello = Hello { id: secret.id(), nonce: "aa".repeat(16), name: "iPhone".to_owned() };
        let mut session = Session::new(&secret, hello, &"bb".repeat(16));
        let sealed = seal(&session.key(), From::Phone, 1, r#"{"do":"state"}"#);
        assert_eq!(
            (secret.id().as_str(), sealed.body.as_str(), sealed.mac.as_str()),
            (
                "ab82b93efb0bf278",
                "48a5e6c30b97d0ff157520015bf6",
                "bdbf35363cf6c3822a86cde7fba1b8c4518b2262be40a23aaf0ca65c3649656f"
            )
        );
        assert_eq!(session.open(&sealed).as_deref(), Some(r#"{"do":"state"}"#));
    }

    fn session(nonce: &str) -> Session {
        let secret = Secret::new(7);
        let hello = Hello { id: secret.id(), nonce: "n".to_owned(), name: "Phone".to_owned() };
        Session::new(&secret, hello, nonce)
    }

    #[test]
    fn nothing_is_opened_twice_or_changed_or_elsewhere() {
        let mut box_side = session("a");
        let first = seal(&box_side.key(), From::Phone, 1, "one");
        let second = seal(&box_side.key(), From::Phone, 2, "two");
        assert_eq!(box_side.open(&second), None, "before its turn");
        assert_eq!(box_side.open(&first).as_deref(), Some("one"));
        assert_eq!(box_side.open(&first), None, "again");
        assert_eq!(session("b").open(&first), None, "on another connection");
        assert_eq!(box_side.open(&Sealed { n: 2, ..first.clone() }), None, "at another place");
        let answer = box_side.seal(2, "two");
        assert_eq!(box_side.open(&answer), None, "the box's own words");
        for at in 0..second.body.len() {
            let mut body = second.body.clone().into_bytes();
            body[at] = if body[at] == b'0' { b'1' } else { b'0' };
            let changed = Sealed { body: String::from_utf8(body).unwrap(), ..second.clone() };
            assert_eq!(box_side.open(&changed), None);
        }
        for mac in ["", "00", &second.mac[..62], &second.mac.to_uppercase()] {
            assert_eq!(box_side.open(&Sealed { mac: mac.to_owned(), ..second.clone() }), None, "{mac}");
        }
        assert_eq!(box_side.open(&second).as_deref(), Some("two"), "what failed changes nothing");
        assert_eq!(open(&box_side.key(), From::Box, &answer).as_deref(), Some("two"));
    }

    #[test]
    fn long_texts_have_a_stream_as_long() {
        let key = session("a").key();
        let text = "Zum Löwen ".repeat(500);
        let sealed = seal(&key, From::Box, 9, &text);
        assert_eq!(open(&key, From::Box, &sealed), Some(text));
        assert_ne!(sealed.body[..64], sealed.body[64..128], "blocks of the same text differ");
    }

    #[test]
    fn the_first_phone_within_a_minute_is_paired() {
        let mut phones = Phones::default();
        let secret = Secret::new(1);
        let id = secret.id();
        assert_eq!(phones.authenticate(&id, "early", 0), None, "nothing is on the TV yet");
        phones.start_pairing(secret.clone(), 1_000);
        assert_eq!(phones.secret(&id, 1_000 + PAIRING_MS), None, "too late");
        assert_eq!(phones.authenticate(&id, "late", 1_000 + PAIRING_MS), None);
        assert_eq!(phones.authenticate(&id, "Wren's\n iPhone", 1_000 + PAIRING_MS - 1), Some(true));
        assert_eq!(phones.list()[0].name, "Wren's iPhone");
        assert_eq!(phones.authenticate(&id, "again", 10_000_000), Some(false), "it stays paired");
        assert_eq!(phones.list().len(), 1);
        assert!(phones.remove(&id) && !phones.remove(&id));
        assert_eq!(phones.secret(&id, 2_000), None, "struck out, and the secret is used up");
    }

    #[test]
    fn a_secret_that_is_off_the_tv_pairs_nobody() {
        let mut phones = Phones::default();
        phones.start_pairing(Secret::new(1), 0);
        phones.start_pairing(Secret::new(2), 5);
        assert_eq!(phones.secret(&Secret::new(1).id(), 10), None, "another one has taken its place");
        phones.stop_pairing();
        assert_eq!(phones.secret(&Secret::new(2).id(), 10), None);
    }

    #[test]
    fn phones_are_kept_as_lines() {
        let mut phones = Phones::default();
        for n in 0..PHONES_MAX as u128 + 2 {
            phones.start_pairing(Secret::new(n), 0);
            phones.authenticate(&Secret::new(n).id(), &format!("Phone {n}"), 1);
        }
        assert_eq!(phones.list().len(), PHONES_MAX);
        assert_eq!(phones.list()[0].name, "Phone 2", "the oldest make room");
        assert_eq!(Phones::parse(&phones.lines()), phones);
        let bad = ["", "x", "00 Phone", "zz112233445566778899aabbccddeeff Phone"].map(str::to_owned);
        assert_eq!(Phones::parse(&bad).list(), []);
        assert!(!format!("{phones:?}").contains("00000000"), "no secret is printed by accident");
    }
}
