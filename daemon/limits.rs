//! All fixed limits, each with its unit and its reason. Settings are in `options`.

/// Milliseconds since boot on a monotonic clock, or a duration in milliseconds.
pub type Ms = u64;

/// An hour of the wall clock, in which the new rooms of an address are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UtcHour {
    /// Hours since 1970-01-01 00:00 UTC.
    pub hour: u64,
    /// Seconds until the next hour begins.
    pub left_s: u64,
}

/// People in a room, including the remote. More do not fit in the TV's "next up".
pub const PEOPLE_MAX: usize = 8;
/// Rooms in all. 2,048 connections cannot use more, and this many need little memory.
pub const ROOMS_MAX: usize = 1_024;
/// New rooms per address per UTC hour. Reclaiming a room does not count.
pub const NEW_ROOMS_PER_HOUR: u32 = 12;
/// Wrong room codes per address per minute, so that a live code cannot be guessed by hand.
pub const WRONG_CODES_PER_MINUTE: u32 = 20;
/// The letters of a room code, without vowels, so that no code spells a word.
pub const CODE_ALPHABET: &[u8; 20] = b"BCDFGHJKLMNPQRSTVWXZ";
/// Letters of a room code.
pub const CODE_CHARS: usize = 4;
/// The characters of the secret that only the QR code contains: base64url (RFC 4648, section 5), six bits each.
pub const SCAN_ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
/// Characters of that secret. 24 bits cannot be guessed at twenty tries a minute, and do not enlarge the QR code.
pub const SCAN_CHARS: usize = 4;
/// Keys of people taken out that a room remembers. The oldest are forgotten first.
pub const TAKEN_OUT_MAX: usize = 64;
/// Games from whose durations the time in line is estimated. One very long game changes a median of nine little.
pub const LAST_GAMES_MAX: usize = 9;
/// Turns in a row that the clock plays for the remote before it leaves the room, because it is no longer in use.
pub const REMOTE_AUTO_TURNS_MAX: u32 = 3;
/// Addresses whose counts are remembered. The oldest are forgotten first.
pub const ADDRESSES_MAX: usize = 4_096;

/// Phones of one owner: those of a bar's staff; the oldest makes room.
pub const PHONES_MAX: usize = 16;
/// Milliseconds in which the code on the TV pairs a phone: as long as it takes to get the phone out of a pocket.
pub const PAIRING_MS: Ms = 60_000;
/// Requests of the owner that wait: as many as all phones together have on their way.
pub const OWNER_REQUESTS_MAX: usize = 64;

/// Visible characters (grapheme clusters) of a nickname.
pub const NICK_CHARS_MAX: usize = 12;
/// Bytes of a nickname, enough for twelve emoji of four bytes.
pub const NICK_BYTES_MAX: usize = 48;
/// Combining marks that a letter keeps after NFC.
pub const NICK_MARKS_MAX: usize = 2;

/// Bytes of a frame from a page.
pub const FRAME_BYTES_MAX: usize = 1_024;
/// Frames per second of a connection, including pings.
pub const FRAMES_PER_SECOND: u32 = 10;
/// Frames at once after a pause.
pub const FRAMES_BURST: u32 = 20;
/// Frames refused by the rate limit after which the connection is closed.
pub const BUSY_MAX: u32 = 60;
/// Refusals of `shape` and `kind` in [`BAD_WINDOW_MS`] that close a connection.
pub const BAD_MAX: u32 = 10;
/// The window of [`BAD_MAX`], in milliseconds.
pub const BAD_WINDOW_MS: Ms = 60_000;

/// Connections in all by default, enough for a few full bars.
pub const CONNECTIONS_DEFAULT: usize = 2_048;
/// Largest setting for connections, in all or per address. Each costs a descriptor and up to 12 KB.
pub const CONNECTIONS_MAX: usize = 16_384;
/// Open files beside connections: listeners, journal, netlink, mDNS, state files.
pub const FILES_BESIDE: usize = 64;
/// Connections per address by default. A whole bar may be behind one router.
pub const PER_ADDRESS_DEFAULT: usize = 256;
/// Page requests per second of one address, or of one /64 with IPv6. Further ones wait.
pub const PAGE_REQUESTS_PER_SECOND: u32 = 400;
/// Page requests of one address at once after a pause, so that a bar's phones behind one router can load the pad.
pub const PAGE_REQUESTS_BURST: u32 = 1_000;
/// Milliseconds for a whole request head, and from the upgrade to a first message.
pub const HALF_OPEN_MS: Ms = 5_000;
/// Milliseconds in which a refused join may be tried again on the same connection.
pub const JOIN_AGAIN_MS: Ms = 60_000;
/// Bytes of a request head.
pub const REQUEST_HEAD_BYTES_MAX: usize = 8_192;
/// Header lines of a request head.
pub const HEADERS_MAX: usize = 48;
/// Milliseconds that a persistent connection may be idle between two requests.
pub const KEEP_ALIVE_MS: Ms = 15_000;
/// Bytes of a response in one step, which may take [`WRITE_MS`].
pub const WRITE_STEP_BYTES: usize = 65_536;
/// Milliseconds for one step of a response.
pub const WRITE_MS: Ms = 10_000;
/// Milliseconds without progress of a send after which the reader is too slow and its connection is closed.
pub const SLOW_READER_MS: Ms = 15_000;
/// Milliseconds between heartbeats.
pub const HEARTBEAT_MS: Ms = 10_000;
/// Milliseconds without a frame after which a page counts as dead. Living pages answer pings.
pub const DEAD_PEER_MS: Ms = 25_000;
/// Bytes of the kernel's send buffer, which limits the unsent data of a slow reader.
pub const SEND_BUFFER_BYTES: usize = 32_768;
/// Connections that the kernel queues for accept. A client whose connection is dropped there retries only after a
/// second.
pub const BACKLOG: i32 = 4_096;

/// Bytes read for one message, including frame heads. Enough for the longest message in a few dozen fragments.
pub const MESSAGE_WIRE_BYTES_MAX: usize = 4_096;
/// Bytes still read from a client that is being closed, so that the reason reaches it.
pub const LINGER_BYTES_MAX: usize = 262_144;

/// Bytes of a state file. The largest one holds the counts of all addresses.
pub const STATE_BYTES_MAX: u64 = 1_048_576;
/// Shortest time in milliseconds for which a result is shown after a restart. People reconnect in any order, and the first in line must be back
/// before the next seats are given.
pub const BACK_MS: Ms = 1_000;

/// Characters of a panic's message that are logged.
pub const CAPTURED_PANIC_CHARS: usize = 200;
/// Bytes of each WebSocket's read buffer. A typical message has about 50.
pub const READ_BUFFER_BYTES: usize = 1_024;
/// Bytes that may wait in a WebSocket's write buffer, enough for the longest view and a few other frames.
pub const WRITE_BUFFER_BYTES: usize = 131_072;

/// Frames other than views that may wait for a slow reader.
pub const CONTROLS_MAX: usize = 64;
/// Shortest and longest time before a move of the House, in milliseconds. Guests can follow such moves and do not wait
/// long.
pub const HOUSE_PACE_MS: (Ms, Ms) = (700, 1_200);
/// Positions that may wait for the House. Beyond that, the game's `auto_move` answers.
pub const QUESTIONS_MAX: usize = 256;
/// Playouts between two checks of the clock, and the fewest of a move. They take well under 1 ms.
pub const PLAYOUTS_AT_ONCE: u32 = 16;
/// Events that may wait for the hub. Beyond that, senders wait.
pub const EVENTS_MAX: usize = 4_096;
/// Milliseconds for closing all connections during the shutdown.
pub const GOODBYE_MS: Ms = 1_500;

/// Mistakes in the settings that are kept. The TV shows one, and the log needs only the first few.
pub const PROBLEMS_MAX: usize = 10;
