// The types of all words on the pages. Each language has those of the phone in js/lang/pad/, and those of the TV in js/lang/tv/.
//
// A sentence is whole, and has places for names and numbers: "{name} goes again". A sentence without a full stop gets one if another
// sentence follows. docs/languages.md describes how to add a language.

/**
 * A sentence with a place for a value of that name.
 * @template {string} Place
 * @typedef {`${string}{${Place}}${string}`} Sentence
 */
/** @typedef {Partial<Record<Intl.LDMLPluralRule, Sentence<"n">>> & {other: Sentence<"n">}} Counted a sentence for each form of the language's plural rules */

/**
 * The words of both pages.
 * @typedef {object} CommonWords
 * @property {string} reconnecting
 * @property {string} missing instead of a game's tagline, while its module does not load
 * @property {string} noLoad
 * @property {string} retrying
 * @property {string} theHouse the House's name, in the place of a player's
 * @property {string} away
 * @property {Sentence<"name">} goesAgain
 * @property {Sentence<"name">} passes
 * @property {string} aside
 * @property {Sentence<"name">} drawOf
 * @property {Sentence<"name">} winner
 * @property {Sentence<"name"> & Sentence<"a"> & Sentence<"b">} winnerBy `a` to `b`
 */

/**
 * The words of the phone.
 * @typedef {CommonWords & PadOwn} PadWords
 * @typedef {object} PadOwn
 *
 * @property {string} language for a screen reader: the name of the language switch
 *
 * The form to join.
 * @property {string} onTv
 * @property {string} codeLabel for a screen reader: the name of the field for the code
 * @property {string} code
 * @property {string} yourName
 * @property {string} play the button that joins
 * @property {string} joining
 * @property {Sentence<"time">} playIn the same button during a wait. `time` is like "0:42"
 * @property {string} promise
 * @property {string} fourLetters
 * @property {string} typeName
 * @property {string} offline
 * @property {string} closed
 *
 * Buttons.
 * @property {string} leave
 * @property {string} stay
 * @property {string} house
 * @property {string} rematch
 * @property {string} notnow
 * @property {string} getin
 * @property {string} stepout
 * @property {string} stepdown the same from the champion's seat
 * @property {string} takeback
 * @property {string} again
 * @property {string} houseoff
 * @property {string} home
 *
 * The link, the menu, goodbyes.
 * @property {string} notSent
 * @property {string} noLink short, for the top line
 * @property {string} choose
 * @property {string} opens
 * @property {string} tvGone
 * @property {Sentence<"names">} inRoom
 * @property {string} taken
 * @property {string} newest
 * @property {string} left
 * @property {string} thanks
 * @property {string} out
 * @property {string} askBar
 *
 * Seats and time.
 * @property {[string, string]} seats for a screen reader: the words before the name on each seat
 * @property {[string, string]} colours for a screen reader: the colours of the two sides, gold and blue
 * @property {string} free
 * @property {Counted} seconds
 * @property {Counted} wins
 *
 * A game.
 * @property {string} yourTurn
 * @property {Sentence<"name">} turnOf
 * @property {string} youAgain
 * @property {string} youPass
 * @property {Sentence<"name">} late
 * @property {Sentence<"name">} boxPlays
 * @property {[string, string]} youPlay
 * @property {string} willAside
 * @property {string} leaveRoom
 * @property {string} leaveGame
 * @property {string} leaveLine
 *
 * Waiting and watching.
 * @property {string} waiting
 * @property {Sentence<"name">} mayAsk
 * @property {string} nobody
 * @property {string} youNext
 * @property {Counted} minutes how long a person in line waits
 * @property {string} kept
 * @property {Sentence<"place">} inLine `place` is one of `ordinals`
 * @property {Counted} ordinals by the language's ordinal rules, such as "3rd"
 * @property {Sentence<"name">} isNext
 * @property {string} watching
 * @property {Sentence<"a"> & Sentence<"b">} against
 * @property {string} firstThen
 * @property {Sentence<"name">} waits
 * @property {string} seatFree
 * @property {string} youPlayNext
 *
 * How a game ended.
 * @property {string} over
 * @property {string} youWon
 * @property {Sentence<"a"> & Sentence<"b">} youWonBy
 * @property {string} youLost
 * @property {Sentence<"name">} won
 * @property {string} draw
 * @property {string} drawYours
 * @property {string} hold
 * @property {string} youStay
 * @property {Sentence<"name">} stays
 * @property {Sentence<"name">} gone
 * @property {string} keep
 * @property {string} back
 * @property {string} mayRematch
 *
 * @property {Record<"code" | "full" | "nick" | "busy" | "out" | "turn" | "move" | "when", string>} no the text of a refusal by its reason. `when` is used for any other reason
 */

/**
 * The words of the TV.
 * @typedef {CommonWords & TvOwn} TvWords
 * @typedef {object} TvOwn
 * @property {string} games for a screen reader: the name of the menu
 * @property {Sentence<"name">} stepsUp the next one in line, in a result
 * @property {string} people
 * @property {string} noPhone
 * @property {string} stayer the rule in two words
 * @property {string} rule
 * @property {string} nextUp
 * @property {string} making
 * @property {string} looking
 * @property {string} elsewhere
 * @property {string} takeBack
 * @property {Sentence<"time">} newRoom `time` is like "0:42"
 * @property {Sentence<"time">} retryIn
 * @property {Sentence<"problem"> & Sentence<"n">} problems
 *
 * Seats and the line above the board.
 * @property {string} champion
 * @property {string} challenger
 * @property {string} takeOver instead of the challenger's label, while the House plays
 * @property {Counted} wins
 * @property {Sentence<"name">} rematchOf
 * @property {Sentence<"a"> & Sentence<"b">} forfeit `a` left, `b` wins
 *
 * The card with the code. A list has one text per line of the card.
 * @property {string} qr
 * @property {string} qrWifi
 * @property {string} noNetwork
 * @property {string} scan
 * @property {[string, Sentence<"name">]} whoTakesOn
 * @property {[string, string]} whoPlays
 * @property {[string, string, Sentence<"name">]} orYou
 * @property {[string, string]} scanToPlay
 * @property {Sentence<"address">} orOpen
 * @property {Sentence<"host">} orHost
 * @property {Sentence<"name">} wifi
 * @property {string} sameWifi
 * @property {Sentence<"name">} joinWifi the first of two steps
 * @property {string} joinWifiShort the same, for a small card
 * @property {string} thenScan
 *
 * The remote.
 * @property {string} backAgain
 * @property {string} arrowsOpen
 * @property {string} arrowsOk
 * @property {string} okJoin
 * @property {string} okHouse
 * @property {string} okRematch
 * @property {string} backLine
 * @property {string} missed
 * @property {string} backLeave
 *
 * @property {Record<"full" | "rooms" | "busy" | "when", string>} no the text of a refusal by its reason. `when` is used for any other reason
 */

/**
 * The words of a game, on both pages. A game may have further ones.
 * @typedef {object} GameWords
 * @property {string} name
 * @property {string} tagline one line for its tile on the menu: "Line up four to win"
 * @property {string} yourTurn what to do, on the phone on turn: "Tap a column"
 * @property {string} outOfTime the message after the box has moved for a player: "Out of time: a stone was dropped"
 */

/**
 * A game's words by language. English is required, and is used for languages that are missing.
 * @template {GameWords} Words
 * @typedef {{en: Words} & {[language: string]: Words}} Translations
 */

export {};
