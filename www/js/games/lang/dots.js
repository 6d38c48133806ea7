// The words of Dots and Boxes.

/** @typedef {import("../../words.js").GameWords & Own} Words */
/** @typedef {import("../../words.js").Sentence<"row"> & import("../../words.js").Sentence<"column">} Line */
/**
 * @typedef {object} Own
 * @property {[Line, Line]} lines a horizontal and a vertical one
 * @property {[string, string]} drawn by gold, and by blue
 * @property {string} open
 * @property {import("../../words.js").Counted} boxes
 * @property {import("../../words.js").Sentence<"list">} beside
 */

/** @type {import("../../words.js").Translations<Words>} */
export const words = {
  en: {
    name: "Dots and Boxes",
    tagline: "Close a box, go again",
    yourTurn: "Tap a line",
    outOfTime: "Out of time: a line was drawn",
    lines: ["horizontal line, row {row}, column {column}", "vertical line, row {row}, column {column}"],
    drawn: ["drawn by gold", "drawn by blue"],
    open: "open",
    boxes: { one: "a box with {n} side", other: "a box with {n} sides" },
    beside: "beside it: {list}",
  },
  de: {
    name: "Käsekästchen",
    tagline: "Kästchen zu, noch mal dran",
    yourTurn: "Tipp auf eine Linie",
    outOfTime: "Zeit um: Eine Linie wurde gezogen",
    lines: ["waagrechte Linie, Reihe {row}, Spalte {column}", "senkrechte Linie, Reihe {row}, Spalte {column}"],
    drawn: ["von Gold gezogen", "von Blau gezogen"],
    open: "offen",
    boxes: { one: "ein Kästchen mit {n} Seite", other: "ein Kästchen mit {n} Seiten" },
    beside: "daneben: {list}",
  },
  fr: {
    name: "Petits carrés",
    tagline: "Ferme un carré et rejoue",
    yourTurn: "Touche un trait",
    outOfTime: "Temps écoulé : un trait a été tracé",
    lines: ["trait horizontal, rangée {row}, colonne {column}", "trait vertical, rangée {row}, colonne {column}"],
    drawn: ["tracé par l’or", "tracé par le bleu"],
    open: "libre",
    boxes: { one: "un carré avec {n} côté", other: "un carré avec {n} côtés" },
    beside: "à côté : {list}",
  },
  es: {
    name: "Puntos y cajas",
    tagline: "Cierra una caja y repite",
    yourTurn: "Toca una línea",
    outOfTime: "Se acabó el tiempo: se trazó una línea",
    lines: ["línea horizontal, fila {row}, columna {column}", "línea vertical, fila {row}, columna {column}"],
    drawn: ["trazada por el oro", "trazada por el azul"],
    open: "libre",
    boxes: { one: "una caja con {n} lado", other: "una caja con {n} lados" },
    beside: "al lado: {list}",
  },
  it: {
    name: "Quadratini",
    tagline: "Chiudi e gioca ancora",
    yourTurn: "Tocca una linea",
    outOfTime: "Tempo scaduto: tracciata una linea",
    lines: ["linea orizzontale, riga {row}, colonna {column}", "linea verticale, riga {row}, colonna {column}"],
    drawn: ["tracciata dall’oro", "tracciata dal blu"],
    open: "libera",
    boxes: { one: "un quadrato con {n} lato", other: "un quadrato con {n} lati" },
    beside: "accanto: {list}",
  },
  pt: {
    name: "Pontos e quadrados",
    tagline: "Fecha um e joga outra vez",
    yourTurn: "Toca numa linha",
    outOfTime: "Acabou o tempo: traçou-se uma linha",
    lines: ["linha horizontal, fila {row}, coluna {column}", "linha vertical, fila {row}, coluna {column}"],
    drawn: ["traçada pelo ouro", "traçada pelo azul"],
    open: "livre",
    boxes: { one: "um quadrado com {n} lado", other: "um quadrado com {n} lados" },
    beside: "ao lado: {list}",
  },
  nl: {
    name: "Kamertje verhuren",
    tagline: "Hokje dicht? Nog een keer",
    yourTurn: "Tik op een lijn",
    outOfTime: "Tijd om: er is een lijn getrokken",
    lines: ["horizontale lijn, rij {row}, kolom {column}", "verticale lijn, rij {row}, kolom {column}"],
    drawn: ["getrokken door goud", "getrokken door blauw"],
    open: "open",
    boxes: { one: "een hokje met {n} zijde", other: "een hokje met {n} zijden" },
    beside: "ernaast: {list}",
  },
  pl: {
    name: "Kropki i kwadraty",
    tagline: "Zamknij kwadrat, graj dalej",
    yourTurn: "Dotknij linii",
    outOfTime: "Koniec czasu: narysowano linię",
    lines: ["linia pozioma, rząd {row}, kolumna {column}", "linia pionowa, rząd {row}, kolumna {column}"],
    drawn: ["narysowana przez złotego", "narysowana przez niebieskiego"],
    open: "wolna",
    boxes: {
      one: "kwadrat z {n} bokiem",
      few: "kwadrat z {n} bokami",
      many: "kwadrat z {n} bokami",
      other: "kwadrat z {n} boku",
    },
    beside: "obok: {list}",
  },
};
