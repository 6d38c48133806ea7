// The words of Four in a Row.

/** @typedef {import("../../words.js").GameWords & Own} Words */
/**
 * @typedef {object} Own
 * @property {import("../../words.js").Sentence<"n">} column
 * @property {import("../../words.js").Counted} stones
 * @property {string} full
 * @property {import("../../words.js").Sentence<"list">} stack the stones in a column
 * @property {import("../../words.js").Sentence<"n">} row a win by one line
 * @property {[string, string]} rows a win by two lines, and by three
 */

/** @type {import("../../words.js").Translations<Words>} */
export const words = {
  en: {
    name: "Four in a Row",
    tagline: "Line up four to win",
    yourTurn: "Tap a column",
    outOfTime: "Out of time: a stone was dropped",
    column: "column {n}",
    stones: { one: "{n} stone", other: "{n} stones" },
    full: "full",
    stack: "from the bottom: {list}",
    row: "{n} in a row!",
    rows: ["Two lines at once!", "Three lines at once!"],
  },
  de: {
    name: "Vier in einer Reihe",
    tagline: "Bring vier in eine Reihe",
    yourTurn: "Tipp auf eine Spalte",
    outOfTime: "Zeit um: Ein Stein fiel von selbst",
    column: "Spalte {n}",
    stones: { one: "{n} Stein", other: "{n} Steine" },
    full: "voll",
    stack: "von unten: {list}",
    row: "{n} in einer Reihe!",
    rows: ["Zwei Reihen auf einmal!", "Drei Reihen auf einmal!"],
  },
  fr: {
    name: "Quatre à la suite",
    tagline: "Aligne quatre pions",
    yourTurn: "Touche une colonne",
    outOfTime: "Temps écoulé : un pion est tombé",
    column: "colonne {n}",
    stones: { one: "{n} pion", other: "{n} pions" },
    full: "pleine",
    stack: "en partant du bas : {list}",
    row: "{n} à la suite !",
    rows: ["Deux lignes d’un coup !", "Trois lignes d’un coup !"],
  },
  es: {
    name: "Cuatro en raya",
    tagline: "Pon cuatro en línea",
    yourTurn: "Toca una columna",
    outOfTime: "Se acabó el tiempo: cayó una ficha",
    column: "columna {n}",
    stones: { one: "{n} ficha", other: "{n} fichas" },
    full: "llena",
    stack: "desde abajo: {list}",
    row: "¡{n} en raya!",
    rows: ["¡Dos líneas de una vez!", "¡Tres líneas de una vez!"],
  },
  it: {
    name: "Quattro in fila",
    tagline: "Mettine quattro in fila",
    yourTurn: "Tocca una colonna",
    outOfTime: "Tempo scaduto: è caduta una pedina",
    column: "colonna {n}",
    stones: { one: "{n} pedina", other: "{n} pedine" },
    full: "piena",
    stack: "dal basso: {list}",
    row: "{n} in fila!",
    rows: ["Due file in un colpo!", "Tre file in un colpo!"],
  },
  pt: {
    name: "Quatro em linha",
    tagline: "Põe quatro em linha",
    yourTurn: "Toca numa coluna",
    outOfTime: "Acabou o tempo: caiu uma peça",
    column: "coluna {n}",
    stones: { one: "{n} peça", other: "{n} peças" },
    full: "cheia",
    stack: "de baixo para cima: {list}",
    row: "{n} em linha!",
    rows: ["Duas linhas de uma vez!", "Três linhas de uma vez!"],
  },
  nl: {
    name: "Vier op een rij",
    tagline: "Maak een rij van vier",
    yourTurn: "Tik op een kolom",
    outOfTime: "Tijd om: er viel een steen",
    column: "kolom {n}",
    stones: { one: "{n} steen", other: "{n} stenen" },
    full: "vol",
    stack: "van onderen: {list}",
    row: "{n} op een rij!",
    rows: ["Twee rijen in één keer!", "Drie rijen in één keer!"],
  },
  pl: {
    name: "Cztery w rzędzie",
    tagline: "Ułóż cztery w rzędzie",
    yourTurn: "Dotknij kolumny",
    outOfTime: "Koniec czasu: pionek sam spadł",
    column: "kolumna {n}",
    stones: { one: "{n} pionek", few: "{n} pionki", many: "{n} pionków", other: "{n} pionka" },
    full: "pełna",
    stack: "od dołu: {list}",
    row: "{n} w rzędzie!",
    rows: ["Dwa rzędy naraz!", "Trzy rzędy naraz!"],
  },
};
