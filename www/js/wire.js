// The types of all messages between pages and daemon.
// The daemon's side is daemon/wire/. tests/golden.rs compares the two.

/** @typedef {0 | 1} Side side 0 is the champion's (gold, a ring), side 1 the challenger's (blue, a dot) */
/** @typedef {{nick: string, away: boolean, streak?: number, house?: boolean}} Seat `house` if the House plays here */
/** @typedef {{v: number, side: Side, auto: boolean, id: number}} Last */
/** @typedef {{winner: Side | null, how: "play" | "forfeit", line: number[], score: [number, number] | null, names: [string, string], won: boolean | null}} Result */
/** @typedef {{side: Side, id: number, left: number, of: number}} Turn milliseconds left when sent, of the full time */

/**
 * @template [State=unknown] the board with the fields of its game, such as `{cells: "…42…"}`
 * @typedef {object} GameView the view while a game is chosen
 * @property {"ws"} t
 * @property {string} game slug
 * @property {"open" | "play" | "result" | "rematch"} phase
 * @property {"champ" | "chal" | "line" | "rematch" | "out" | null} role the role of this page's person, or of the TV's remote, or null
 * @property {number | null} place in line, from 1
 * @property {number} [wait] minutes until this person in line plays, if they can be estimated
 * @property {[Seat | null, Seat | null]} seats
 * @property {{nick: string, away: boolean}[]} line
 * @property {string | null} asker
 * @property {Side | null} side the side of this page's person on the shown board
 * @property {boolean} tv whether the room's TV is connected
 * @property {Turn | null} turn
 * @property {State | null} state
 * @property {number[] | null} moves the legal moves, for the phone on turn and always for the TV
 * @property {Last | null} last
 * @property {{kind: "pass" | "again" | "aside", side: Side} | null} note
 * @property {number | null} left milliseconds left of a result or rematch
 * @property {Result | null} result
 * @property {boolean} [attract] TV only
 * @property {boolean} [house] true: this page's person can play the House now
 */
/** @typedef {{t: "menu", games: {slug: string, name: string}[], people: string[], tv: boolean}} MenuView */
/** @typedef {GameView | MenuView} View */
/** @typedef {{t: "welcome", id: number, nick: string, key: string, room: string, build: string, view: View}} Welcome */
/** @typedef {{url: string, host: string, addr: string, scan: string}} Join `host` is "" if no name is advertised; the QR code contains `url#scan` */
/** @typedef {{t: "room", room: string, key: string, build: string, join: Join | null, qr: {size: number, path: string} | null, wifi?: string | null, hotspot?: {size: number, path: string} | null, phones?: boolean, problems?: string[], kiosk?: boolean, venue?: string | null, sound?: number, language?: string[]}} Room `join` is null without a network; `hotspot` joins the box's own Wi-Fi or the venue's; `phones` tells whether any phone has reached the box since its start; `problems` are for the owner; `kiosk` tells whether the page is the box's own; `sound` is the volume, 0 to 100; `language` has the codes of the TV's languages, its own first */
/** @typedef {{t: "no", re: string | null, why: string, say: string, retry?: number}} No */
/** @typedef {{t: "bye", why: "taken" | "left" | "out" | "closed" | "restart"}} Bye */
/** @typedef {{id: string, name: string, me: boolean}} OwnerPhone `me`: the one that asks */
/** @typedef {{name: string, value: string | null, own: boolean}} Setting `own`: set by phone or remote */
/** @typedef {{ssid: string, signal: number, security: "open" | "password" | "sae" | "unsupported"}} Network */
/** @typedef {{settings: Setting[], add: string[], exempt: string[], people: string[], phones: OwnerPhone[], address: string | null, name: string | null, wifi: string | null, version: string, uptime_s: number, problems: string[], helper: boolean, kept: boolean}} OwnerState */
/** @typedef {{ok: boolean, say?: string, why?: string, state?: OwnerState, networks?: Network[], pair?: {url: string, qr: {size: number, path: string} | null, left: number}, text?: string}} Answer to the owner; `say`: in words */
/** @typedef {{t: "done", n: number, answer?: Answer, body?: string, mac?: string}} Done the answer to the kiosk, or to a phone sealed */
/** @typedef {View | Welcome | Room | No | Bye | Done | {t: "owner", nonce: string} | {t: "hb"}} FromBox */

/**
 * @typedef {{t: "join", room: string, nick: string, key?: string, scan?: string} | {t: "host", room?: string, key?: string, game?: string, kiosk?: boolean}
 *   | {t: "move", v: number, n?: number} | {t: "rematch"} | {t: "line", on: boolean} | {t: "house", on: boolean} | {t: "pick", game: string} | {t: "home"} | {t: "leave"} | {t: "out", nick: string, keep?: boolean} | {t: "do", n: number, ask: object} | {t: "owner", id: string, nonce: string, name: string} | {t: "do", n: number, body: string, mac: string} | {t: "hb"}} FromPage
 */

export {};
