// The wire as the pages see it: the types of what the daemon says, and builders for what a page may say.
// See daemon/wire/.

/** @typedef {0 | 1} Side side 0 is the champion's (gold, a ring), side 1 the challenger's (blue, a dot) */
/** @typedef {{nick: string, away: boolean, streak?: number, house?: boolean}} Seat `house`: the box itself plays here */
/** @typedef {{v: number, side: Side, auto: boolean, id: number}} Last */
/** @typedef {{winner: Side | null, how: "play" | "forfeit", line: number[], score: [number, number] | null, names: [string, string], won: boolean | null}} Result */
/** @typedef {{side: Side, id: number, left: number, of: number}} Turn milliseconds left when sent, of the full time */

/**
 * @template [State=unknown] the board, as its game writes it: `{cells: "…42…"}`
 * @typedef {object} GameView what is told while a game is chosen
 * @property {"ws"} t
 * @property {string} game slug
 * @property {"open" | "play" | "result" | "rematch"} phase
 * @property {"champ" | "chal" | "line" | "rematch" | "out" | null} role this page's person; TV: the remote's, or null
 * @property {number | null} place in line, from 1
 * @property {[Seat | null, Seat | null]} seats
 * @property {{nick: string, away: boolean}[]} line
 * @property {string | null} asker
 * @property {Side | null} side this page's person plays on the board shown
 * @property {boolean} tv is the room's TV connected
 * @property {Turn | null} turn
 * @property {State | null} state
 * @property {number[] | null} moves legal moves: for the phone on turn, always for the TV
 * @property {Last | null} last
 * @property {{kind: "pass" | "again" | "aside", side: Side} | null} note
 * @property {number | null} left milliseconds of a result or rematch
 * @property {Result | null} result
 * @property {boolean} [attract] TV only
 */
/** @typedef {{t: "menu", games: {slug: string, name: string}[], people: string[], tv: boolean}} MenuView */
/** @typedef {GameView | MenuView} View */
/** @typedef {{t: "welcome", id: number, nick: string, key: string, room: string, build: string, view: View}} Welcome */
/** @typedef {{url: string, host: string, addr: string, scan: string}} Join `host` is "" when no name is advertised; the QR code holds `url#scan` */
/** @typedef {{t: "room", room: string, key: string, build: string, join: Join | null, qr: {size: number, path: string} | null, wifi?: string | null, hotspot?: {size: number, path: string} | null, phones?: boolean, problems?: string[]}} Room `join` null: no network yet; `hotspot` joins the Wi-Fi, the box's own or the venue's; `phones` false: none has reached the box since it started; `problems`: what the owner must mend */
/** @typedef {{t: "no", re: string | null, why: string, say: string, retry?: number}} No */
/** @typedef {{t: "bye", why: "taken" | "left" | "out" | "closed" | "restart"}} Bye */
/** @typedef {View | Welcome | Room | No | Bye | {t: "hb"}} FromBox */

/**
 * @typedef {{t: "join", room: string, nick: string, key?: string, scan?: string} | {t: "host", room?: string, key?: string, game?: string, kiosk?: boolean}
 *   | {t: "move", v: number, n?: number} | {t: "rematch"} | {t: "line", on: boolean} | {t: "house", on: boolean} | {t: "pick", game: string} | {t: "home"} | {t: "leave"} | {t: "out", nick: string, keep?: boolean} | {t: "hb"}} FromPage
 */

export {};
