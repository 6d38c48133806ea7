// The words of Mancala.

/** @typedef {import("../../words.js").GameWords & Own} Words */
/**
 * @typedef {object} Own
 * @property {import("../../words.js").Sentence<"n">} pit
 * @property {import("../../words.js").Counted} seeds
 * @property {import("../../words.js").Sentence<"seeds">} opposite
 */

/** @type {import("../../words.js").Translations<Words>} */
export const words = {
  en: {
    name: "Mancala",
    tagline: "Sow seeds, fill your store",
    yourTurn: "Tap a pit",
    outOfTime: "Out of time: a pit was sown",
    pit: "pit {n}",
    seeds: { one: "{n} seed", other: "{n} seeds" },
    opposite: "opposite: {seeds}",
  },
  de: {
    name: "Mancala",
    tagline: "Säe, fülle deinen Speicher",
    yourTurn: "Tipp auf eine Mulde",
    outOfTime: "Zeit um: Eine Mulde wurde gesät",
    pit: "Mulde {n}",
    seeds: { one: "{n} Samen", other: "{n} Samen" },
    opposite: "gegenüber: {seeds}",
  },
  fr: {
    name: "Mancala",
    tagline: "Sème et remplis ton grenier",
    yourTurn: "Touche un trou",
    outOfTime: "Temps écoulé : un trou a été semé",
    pit: "trou {n}",
    seeds: { one: "{n} graine", other: "{n} graines" },
    opposite: "en face : {seeds}",
  },
  es: {
    name: "Mancala",
    tagline: "Siembra y llena tu granero",
    yourTurn: "Toca un hoyo",
    outOfTime: "Se acabó el tiempo: se sembró un hoyo",
    pit: "hoyo {n}",
    seeds: { one: "{n} semilla", other: "{n} semillas" },
    opposite: "enfrente: {seeds}",
  },
  it: {
    name: "Mancala",
    tagline: "Semina, riempi il granaio",
    yourTurn: "Tocca una buca",
    outOfTime: "Tempo scaduto: una buca è seminata",
    pit: "buca {n}",
    seeds: { one: "{n} seme", other: "{n} semi" },
    opposite: "di fronte: {seeds}",
  },
  pt: {
    name: "Mancala",
    tagline: "Semeia e enche o teu celeiro",
    yourTurn: "Toca numa cova",
    outOfTime: "Acabou o tempo: semeou-se uma cova",
    pit: "cova {n}",
    seeds: { one: "{n} semente", other: "{n} sementes" },
    opposite: "em frente: {seeds}",
  },
  nl: {
    name: "Mancala",
    tagline: "Zaai en vul je schuur",
    yourTurn: "Tik op een kuiltje",
    outOfTime: "Tijd om: er is een kuiltje gezaaid",
    pit: "kuiltje {n}",
    seeds: { one: "{n} zaadje", other: "{n} zaadjes" },
    opposite: "ertegenover: {seeds}",
  },
  pl: {
    name: "Mankala",
    tagline: "Siej i napełniaj spichlerz",
    yourTurn: "Dotknij dołka",
    outOfTime: "Koniec czasu: zasiano dołek",
    pit: "dołek {n}",
    seeds: { one: "{n} ziarno", few: "{n} ziarna", many: "{n} ziaren", other: "{n} ziarna" },
    opposite: "naprzeciw: {seeds}",
  },
};
