//! Every number of the house, each with its unit and its reason. Nothing here is a setting; settings
//! are in `options`.

/// Milliseconds on the monotonic clock: how all times and durations of the core are told.
pub type Ms = u64;

/// A clock hour of the wall clock, as far as the new rooms an hour need it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UtcHour {
    /// UTC clock hours since 1970.
    pub hour: u64,
    /// Seconds until the next one begins.
    pub left_s: u64,
}

/// People in a room, the remote included: more do not fit on the TV's "next up".
pub const PEOPLE_MAX: usize = 8;
/// Rooms in all: more than 2,048 connections could ever use, and little memory.
pub const ROOMS_MAX: usize = 1_024;
/// New rooms per address per UTC clock hour; reclaiming one is not counted.
pub const NEW_ROOMS_PER_HOUR: u32 = 12;
/// Wrong room codes per address per minute, so that a live code cannot be guessed by hand.
pub const WRONG_CODES_PER_MINUTE: u32 = 20;
/// The letters of a room code: no vowels, so that none spells a word.
pub const CODE_ALPHABET: &[u8; 20] = b"BCDFGHJKLMNPQRSTVWXZ";
/// Letters of a room code.
pub const CODE_CHARS: usize = 4;
/// The signs of what only the QR code holds: those that base64url has (RFC 4648, section 5), six bits each.
pub const SCAN_ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
/// Signs of it: 24 bits, which nobody guesses at twenty tries a minute, and the QR code does not grow.
pub const SCAN_CHARS: usize = 4;
/// Keys of people taken out that a room remembers; the oldest are forgotten first.
pub const TAKEN_OUT_MAX: usize = 64;
/// Turns in a row that the clock plays for the remote before it is taken out: nobody is at it any more.
pub const REMOTE_AUTO_TURNS_MAX: u32 = 3;
/// Addresses whose counts are remembered; the oldest are forgotten first.
pub const ADDRESSES_MAX: usize = 4_096;

/// Characters of a nickname as people see them (grapheme clusters).
pub const NICK_CHARS_MAX: usize = 12;
/// Bytes of a nickname: twelve pictographs of four bytes.
pub const NICK_BYTES_MAX: usize = 48;
/// Combining marks a letter keeps after NFC.
pub const NICK_MARKS_MAX: usize = 2;

/// Bytes of a frame from a page.
pub const FRAME_BYTES_MAX: usize = 1_024;
/// Frames a second a connection, pings too.
pub const FRAMES_PER_SECOND: u32 = 10;
/// Frames at once after a quiet time.
pub const FRAMES_BURST: u32 = 20;
/// Frames over the limit after which the connection is closed.
pub const BUSY_MAX: u32 = 60;
/// Refusals of `shape` and `kind` in [`BAD_WINDOW_MS`] that close a connection.
pub const BAD_MAX: u32 = 10;
/// The window of [`BAD_MAX`], in milliseconds.
pub const BAD_WINDOW_MS: Ms = 60_000;

/// Connections in all unless set otherwise: a few bars full.
pub const CONNECTIONS_DEFAULT: usize = 2_048;
/// Connections that may be set, in all or per address: each costs a descriptor and up to 12 KB.
pub const CONNECTIONS_MAX: usize = 16_384;
/// Open files beside connections: the listeners, the journal, the network's news, mDNS, state files.
pub const FILES_BESIDE: usize = 64;
/// Connections per address unless set otherwise: a whole bar may sit behind one router.
pub const PER_ADDRESS_DEFAULT: usize = 256;
/// Page requests of one address (of one /64 with IPv6) a second. Further ones wait.
pub const PAGE_REQUESTS_PER_SECOND: u32 = 400;
/// Page requests of one address at once after a quiet time: a bar's phones behind one router that load the pad.
pub const PAGE_REQUESTS_BURST: u32 = 1_000;
/// Milliseconds for a whole request head, and from the upgrade to a first message.
pub const HALF_OPEN_MS: Ms = 5_000;
/// Milliseconds in which a refused join may be tried again on the same connection.
pub const JOIN_AGAIN_MS: Ms = 60_000;
/// Bytes of a request head.
pub const HEAD_BYTES_MAX: usize = 8_192;
/// Header lines of a request head.
pub const HEADERS_MAX: usize = 48;
/// Milliseconds that a connection kept alive may idle between two requests.
pub const KEEP_ALIVE_MS: Ms = 15_000;
/// Bytes of an answer written at a time, each with [`WRITE_MS`].
pub const WRITE_STEP_BYTES: usize = 65_536;
/// Milliseconds for one step of an answer.
pub const WRITE_MS: Ms = 10_000;
/// Milliseconds without progress after which a reader of views is too slow and is closed.
pub const SLOW_READER_MS: Ms = 15_000;
/// Milliseconds between heartbeats.
pub const HEARTBEAT_MS: Ms = 10_000;
/// Milliseconds without a frame from a page (it answers pings) after which it is taken for dead.
pub const DEAD_PEER_MS: Ms = 25_000;
/// Bytes of the kernel's send buffer: bounds what a slow reader can hide there.
pub const SEND_BUFFER_BYTES: usize = 32_768;
/// Connections that the kernel holds until they are accepted: one dropped there tries again only after a second.
pub const BACKLOG: i32 = 4_096;

/// Bytes read for one message of a page, frame heads included: the longest message in a few dozen fragments.
pub const MESSAGE_WIRE_BYTES_MAX: usize = 4_096;
/// Bytes of a page that is being cut off which are still read so that it hears why.
pub const LINGER_BYTES_MAX: usize = 262_144;

/// Bytes of a state file: the counts of all addresses. A longer one is none of ours.
pub const STATE_BYTES_MAX: u64 = 1_048_576;
/// Milliseconds of a result that are left at least after a restart: who is back first must not be seated before
/// who is first in line.
pub const BACK_MS: Ms = 1_000;

/// Characters of a panic's words that the log gets.
pub const CAPTURED_PANIC_CHARS: usize = 200;
/// Bytes that a WebSocket reads at once, allocated for each: a message of a page is about 50.
pub const READ_BUFFER_BYTES: usize = 1_024;
/// Bytes that may wait in a WebSocket: the longest view and what goes with it.
pub const WRITE_BUFFER_BYTES: usize = 131_072;

/// Frames other than views that may wait for a slow reader.
pub const CONTROLS_MAX: usize = 64;
/// The shortest and longest time after which the House moves, in milliseconds: people can follow, and nobody waits.
pub const HOUSE_PACE_MS: (Ms, Ms) = (700, 1_200);
/// Positions that may wait for the House; for those beyond it the game's `auto_move` answers.
pub const QUESTIONS_MAX: usize = 256;
/// Playouts between two looks at the clock, and the fewest of a move: well under 1 ms.
pub const PLAYOUTS_AT_ONCE: u32 = 16;
/// Events that may wait for the hub; senders wait beyond it.
pub const EVENTS_MAX: usize = 4_096;
/// Milliseconds for saying goodbye to all pages on the way out.
pub const GOODBYE_MS: Ms = 1_500;

/// Mistakes in the settings that are kept to be told: a TV shows one, a log reader wants the first few.
pub const PROBLEMS_MAX: usize = 10;
