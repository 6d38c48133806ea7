// What the TV sounds like: short sounds, made by Web Audio as they are played. Each is heard when what makes it is seen: it is
// planned by the time of the animations themselves. One that would be late is left out, unless it lasts as long as
// what is seen; so is one that would sound over another.

/** @typedef {import("../wire.js").GameView} GameView */
/** @typedef {import("../games/index.js").Motion} Motion */
/** @typedef {{nodes: AudioScheduledSourceNode[], start: number, end: number, kind: "move" | "turn" | "event"}} Planned seconds of the audio clock */
/** @typedef {(context: AudioContext, out: AudioNode, at: number, length: number) => AudioScheduledSourceNode[]} Make */

/** Milliseconds by which a sound may be later than what is seen. */
const LATE_MS = 50;
/** Milliseconds of the shortest sound worth joining late. */
const SHORT_MS = 60;
/** The last seconds of a turn, which tick. */
const TICKS = 5;
/** Loudness of the loudest sound at full volume: bars have amplifiers. */
const LOUDEST = 0.8;

/** @type {Record<string, {length: number, make: Make}>} milliseconds that each lasts */
const SOUNDS = {
  knock: {
    length: 110,
    make: (context, out, at) => [
      tone(context, out, { at, seconds: 0.1, type: "sine", from: 210, to: 120, level: 0.9 }),
      noise(context, out, { at, seconds: 0.05, type: "bandpass", frequency: 1100, q: 1.2, level: 0.5 }),
    ],
  },
  seed: {
    length: 70,
    make: (context, out, at) => [
      noise(context, out, { at, seconds: 0.06, type: "bandpass", frequency: 2400, q: 5, level: 1 }),
      tone(context, out, { at, seconds: 0.05, type: "sine", from: 620, to: 480, level: 0.25 }),
    ],
  },
  rustle: {
    length: 300,
    make: (context, out, at, seconds) => [
      noise(context, out, { at, seconds, type: "highpass", frequency: 2600, q: 0.5, level: 0.3, flutter: 0.075 }),
    ],
  },
  stroke: {
    length: 140,
    make: (context, out, at, seconds) => [
      noise(context, out, { at, seconds, type: "bandpass", frequency: 3400, q: 0.9, level: 0.4, flutter: seconds }),
    ],
  },
  tick: {
    length: 60,
    make: (context, out, at) => [
      tone(context, out, { at, seconds: 0.05, type: "sine", from: 1250, to: 1200, level: 0.5 }),
    ],
  },
  call: { length: 520, make: chime([392, 523.25], 0.16) },
  win: { length: 960, make: chime([523.25, 659.25, 783.99, 1046.5], 0.15) },
};

export class Sound {
  #context = new AudioContext({ latencyHint: "interactive" });
  #out = this.#context.createGain();
  /** @type {Planned[]} what sounds, or is still to sound */
  #planned = [];
  /** The turn whose last seconds are planned. */
  #turn = 0;
  /** @type {Motion | null} */
  #motion = null;
  #silent = true;

  constructor() {
    this.#out.connect(this.#context.destination);
    // A browser that is no kiosk lets a page be heard once somebody has touched it.
    for (const touch of ["keydown", "pointerdown"])
      addEventListener(touch, () => void (this.#context.state === "suspended" && this.#context.resume()));
  }

  /** @param {number} percent */
  setVolume(percent) {
    // Ears hear powers: a half sounds half as loud.
    this.#out.gain.value = LOUDEST * (percent / 100) ** 2;
    this.#silent = percent === 0;
    if (this.#silent) this.#drop("move", "turn", "event");
  }

  /**
   * Plans what is heard of a view.
   * @param {GameView} view
   * @param {GameView | null} before the view that was shown before it
   * @param {Motion | null} motion what moves from now on; null: what moved goes on
   */
  follow(view, before, motion) {
    this.#followTurn(view.turn);
    if (before && before.phase !== "play" && view.phase === "play") this.#plan("call", performance.now(), "event");
    if (motion === null) return;
    this.#drop("move");
    this.#motion = motion;
    // The frame in which the motion begins may be late.
    motion.animations[0]?.ready.then(
      ({ startTime }) => {
        if (this.#motion !== motion || startTime === null) return;
        for (const { sound, ms, length } of motion.cues ?? [])
          this.#plan(sound, Number(startTime) + ms, "move", length);
      },
      () => {}, // dropped before it began
    );
  }

  /** Somebody has won, and it is seen now. */
  win() {
    this.#drop("turn");
    this.#plan("win", performance.now(), "event");
  }

  /** @param {import("../wire.js").Turn | null} turn */
  #followTurn(turn) {
    if ((turn?.id ?? 0) === this.#turn) return;
    this.#turn = turn?.id ?? 0;
    this.#drop("turn");
    if (!turn) return;
    const end = performance.now() + turn.left;
    for (let left = TICKS; left > 0; left--) this.#plan("tick", end - left * 1000, "turn");
  }

  /**
   * @param {string} sound
   * @param {number} ms the page's time at which it is to be heard
   * @param {Planned["kind"]} kind
   * @param {number} [length] milliseconds for which it accompanies what is seen. Such a sound is joined late if it must be, and ends on time
   */
  #plan(sound, ms, kind, length) {
    const { currentTime, state } = this.#context;
    // What is planned while nothing can be heard would all be heard at once later.
    if (this.#silent || state !== "running" || document.hidden) return;
    const wanted = this.#audioTime(ms);
    const start = Math.max(wanted, currentTime);
    const end = length ? wanted + length / 1000 : start + SOUNDS[sound].length / 1000;
    this.#planned = this.#planned.filter((other) => other.end > currentTime);
    if (length ? end - start < SHORT_MS / 1000 : start - wanted > LATE_MS / 1000) return;
    if (this.#planned.some((other) => other.start < end && start < other.end)) return;
    const nodes = SOUNDS[sound].make(this.#context, this.#out, start, end - start);
    this.#planned.push({ nodes, start, end, kind });
  }

  /** Takes back what is not heard yet. What has begun sounds to its end. @param {...Planned["kind"]} kinds */
  #drop(...kinds) {
    this.#planned = this.#planned.filter(({ nodes, start, kind }) => {
      if (!kinds.includes(kind) || start <= this.#context.currentTime) return true;
      for (const node of nodes) node.stop();
      return false;
    });
  }

  /** Returns when the audio clock must start what is to leave the loudspeaker at that time of the page. @param {number} ms */
  #audioTime(ms) {
    const { contextTime, performanceTime } = this.#context.getOutputTimestamp();
    if (performanceTime && contextTime !== undefined) return contextTime + (ms - performanceTime) / 1000;
    return this.#context.currentTime + (ms - performance.now()) / 1000;
  }
}

/**
 * A tone that dies away.
 * @param {AudioContext} context
 * @param {AudioNode} out
 * @param {{at: number, seconds: number, type: OscillatorType, from: number, to: number, level: number}} of hertz at its start and end
 */
function tone(context, out, { at, seconds, type, from, to, level }) {
  const node = new OscillatorNode(context, { type, frequency: from });
  node.frequency.setValueAtTime(from, at);
  node.frequency.exponentialRampToValueAtTime(to, at + seconds);
  return played(context, out, { node, through: [], at, seconds, level });
}

/** A second of noise, made once. @type {AudioBuffer | null} */
let hiss = null;

/**
 * Noise that dies away; with `flutter` it swells and falls in parts of so many seconds.
 * @param {AudioContext} context
 * @param {AudioNode} out
 * @param {{at: number, seconds: number, type: BiquadFilterType, frequency: number, q: number, level: number, flutter?: number}} of
 */
function noise(context, out, { at, seconds, type, frequency, q, level, flutter }) {
  if (!hiss) {
    hiss = context.createBuffer(1, context.sampleRate, context.sampleRate);
    const data = hiss.getChannelData(0);
    for (let i = 0; i < data.length; i++) data[i] = 2 * Math.random() - 1;
  }
  const node = new AudioBufferSourceNode(context, { buffer: hiss, loop: true });
  const filter = new BiquadFilterNode(context, { type, frequency, Q: q });
  return played(context, out, { node, through: [filter], at, seconds, level, flutter });
}

/**
 * Starts a source behind its filters, and lets nothing of it remain.
 * @param {AudioContext} context
 * @param {AudioNode} out
 * @param {{node: AudioScheduledSourceNode, through: AudioNode[], at: number, seconds: number, level: number, flutter?: number}} of
 */
function played(context, out, { node, through, at, seconds, level, flutter }) {
  const envelope = new GainNode(context, { gain: 0 });
  const { gain } = envelope;
  gain.setValueAtTime(0, at);
  for (let t = 0; t < seconds - 0.001; t += flutter ?? seconds) {
    const part = Math.min(flutter ?? seconds, seconds - t);
    gain.linearRampToValueAtTime(level, at + t + (flutter ? part / 3 : 0.004));
    gain.exponentialRampToValueAtTime(level / (flutter ? 6 : 200), at + t + part);
  }
  const chain = [node, ...through, envelope, out];
  for (const [i, from] of chain.slice(0, -1).entries()) from.connect(chain[i + 1]);
  node.start(at);
  node.stop(at + seconds);
  node.onended = () => envelope.disconnect();
  return node;
}

/** Returns a chime: notes that follow one another, the last one long. @param {number[]} notes hertz @param {number} step seconds @returns {Make} */
function chime(notes, step) {
  return (context, out, at, seconds) =>
    notes.map((note, i) =>
      tone(context, out, {
        at: at + i * step,
        seconds: i < notes.length - 1 ? 2 * step : seconds - i * step,
        type: "triangle",
        from: note,
        to: note,
        level: 0.5,
      }),
    );
}
