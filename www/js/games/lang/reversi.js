// The words of Reversi.

/** @typedef {import("../../words.js").GameWords & Own} Words */
/**
 * @typedef {object} Own
 * @property {import("../../words.js").Sentence<"row"> & import("../../words.js").Sentence<"column">} square
 * @property {string} empty
 * @property {string} playable
 */

/** @type {import("../../words.js").Translations<Words>} */
export const words = {
  en: {
    name: "Reversi",
    tagline: "Trap a row, turn it over",
    yourTurn: "Tap a lit square",
    outOfTime: "Out of time: a stone was placed",
    square: "row {row}, column {column}",
    empty: "empty",
    playable: "empty, can be played",
  },
  de: {
    name: "Reversi",
    tagline: "Einkreisen und umdrehen",
    yourTurn: "Tipp auf ein helles Feld",
    outOfTime: "Zeit um: Ein Stein wurde gesetzt",
    square: "Reihe {row}, Spalte {column}",
    empty: "leer",
    playable: "leer, hier geht es",
  },
  fr: {
    name: "Reversi",
    tagline: "Encercle et retourne",
    yourTurn: "Touche une case claire",
    outOfTime: "Temps écoulé : un pion a été posé",
    square: "rangée {row}, colonne {column}",
    empty: "vide",
    playable: "vide, jouable",
  },
  es: {
    name: "Reversi",
    tagline: "Encierra y da la vuelta",
    yourTurn: "Toca una casilla clara",
    outOfTime: "Se acabó el tiempo: se puso una ficha",
    square: "fila {row}, columna {column}",
    empty: "vacía",
    playable: "vacía, se puede jugar",
  },
  it: {
    name: "Reversi",
    tagline: "Chiudi la fila e girala",
    yourTurn: "Tocca una casella chiara",
    outOfTime: "Tempo scaduto: posata una pedina",
    square: "riga {row}, colonna {column}",
    empty: "vuota",
    playable: "vuota, si può giocare",
  },
  pt: {
    name: "Reversi",
    tagline: "Cerca uma fila e vira-a",
    yourTurn: "Toca numa casa clara",
    outOfTime: "Acabou o tempo: foi posta uma peça",
    square: "linha {row}, coluna {column}",
    empty: "vazia",
    playable: "vazia, pode jogar-se",
  },
  nl: {
    name: "Reversi",
    tagline: "Sluit een rij in, draai om",
    yourTurn: "Tik op een licht vak",
    outOfTime: "Tijd om: er is een steen gelegd",
    square: "rij {row}, kolom {column}",
    empty: "leeg",
    playable: "leeg, kan gespeeld worden",
  },
  pl: {
    name: "Reversi",
    tagline: "Otocz rząd i odwróć go",
    yourTurn: "Dotknij jasnego pola",
    outOfTime: "Koniec czasu: położono pionek",
    square: "rząd {row}, kolumna {column}",
    empty: "puste",
    playable: "puste, można grać",
  },
};
