// Tests the link: it reconnects, never floods the daemon, and never queues a press. Time, sockets and page are fakes.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { clock, FakeSocket, tick } from "./fakes.mjs";

/** @type {any} */
let page;
let outside;
let store;
let reloads;
let chance;
Object.assign(globalThis, {
  WebSocket: FakeSocket,
  addEventListener: (name, act) => outside.addEventListener(name, act),
  location: {
    protocol: "http:",
    host: "192.168.1.20:8080",
    reload: () => {
      reloads += 1;
    },
  },
  sessionStorage: {
    getItem: (name) => store[name] ?? null,
    setItem: (name, value) => {
      store[name] = value;
    },
  },
});
Math.random = () => chance;
const { Link } = await import("../../www/js/link.js");

const VIEW = { t: "menu", games: [], people: [], tv: true };
const welcome = (build = "1.0.0-a") => ({
  t: "welcome",
  id: 1,
  nick: "Wren",
  key: "k",
  room: "BCDF",
  build,
  view: VIEW,
});
const made = FakeSocket.made;
const last = () => made[made.length - 1];
let hello;
let heard;
let states;
let link;

/** Creates a link as a page does. */
function start() {
  link = new Link(() => hello, { message: (m) => heard.push(m), state: (up) => states.push(up) });
}

/** Creates a link that is up and has its welcome. */
function up() {
  start();
  last().open();
  last().says(welcome());
}

const show = () => {
  page.hidden = false;
  page.dispatchEvent(new Event("visibilitychange"));
};

beforeEach(() => {
  clock.timers.clear();
  made.length = 0;
  store = {};
  reloads = 0;
  chance = 0.5;
  hello = { t: "join", room: "BCDF", nick: "Wren" };
  heard = [];
  states = [];
  outside = new EventTarget();
  page = Object.assign(new EventTarget(), { hidden: false, querySelector: () => ({ getAttribute: () => "1.0.0-a" }) });
  globalThis.document = page;
});

test("connects to the page's host and sends its first message", () => {
  start();
  assert.equal(last().url, "ws://192.168.1.20:8080/ws");
  assert.equal(link.send({ t: "home" }), false, "not open yet: refused, not kept");
  last().open();
  assert.deepEqual(last().sent, [hello]);
  last().says(welcome());
  assert.deepEqual(heard, [welcome()]);
  assert.deepEqual(states, [true]);
  assert.equal(link.send({ t: "home" }), true);
});

test("without a first message there is no connection until a retry", () => {
  hello = null;
  start();
  show();
  tick(60_000);
  assert.equal(made.length, 0);
  hello = { t: "join", room: "BCDF", nick: "Robin" };
  link.retry();
  last().open();
  assert.deepEqual(last().sent, [hello]);
});

test("the first message is the newest when the socket opens, and presses do not restart a try", () => {
  start();
  tick(500);
  hello = { t: "join", room: "BCDF", nick: "Robin" };
  link.retry();
  link.retry();
  assert.equal(made.length, 1);
  last().open();
  assert.deepEqual(last().sent, [hello]);
  link.retry();
  assert.equal(made.length, 2, "a link that is up says its new hello on a new socket");
  tick(2_100);
  link.retry();
  assert.equal(made.length, 3, "one that does not open in time is given up");
  hello = null;
  last().open();
  assert.deepEqual(last().sent, []);
  assert.equal(last().readyState, 3, "nothing to say any more: closed");
});

test("a loss is reported once, presses are dropped, and a new connection sends the newest first message", () => {
  up();
  const first = last();
  first.dies();
  assert.deepEqual(states, [true, false]);
  assert.equal(link.send({ t: "move", v: 3 }), false);
  hello = { ...hello, key: "k" };
  tick(600);
  assert.notEqual(last(), first);
  last().open();
  assert.deepEqual(last().sent, [hello], "and nothing else: no press was kept");
  assert.deepEqual(states, [true, false, true]);
});

for (const luck of [0, 0.5, 0.999]) {
  test(`against a closed port: a first try in 0.2-0.6 s, three in five seconds, then steady ones (chance ${luck})`, () => {
    chance = luck;
    up();
    tick(20_000);
    last().says({ t: "hb" });
    const lost = Date.now();
    last().dies();
    const tries = [];
    while (Date.now() < lost + 60_000) {
      tick(50);
      if (last().readyState === 0) {
        tries.push(last().at - lost);
        last().dies();
      }
    }
    assert.ok(tries[0] >= 200 && tries[0] <= 650, `first after ${tries[0]} ms`);
    assert.ok(tries.filter((at) => at <= 5_000).length <= 3, `tries at ${tries}`);
    assert.ok(
      tries.every((at, i) => i === 0 || at - tries[i - 1] <= (i < 3 ? 1_050 : i < 4 ? 4_550 : 2_550)),
      `tries at ${tries}`,
    );
    assert.ok(tries.length >= 10, "it never gives up");
  });
}

test("the spread differs from phone to phone", () => {
  const waits = [0, 0.9].map((luck) => {
    chance = luck;
    up();
    last().says({ t: "bye", why: "restart" });
    const count = made.length;
    let ms = 0;
    for (; made.length === count; ms += 10) tick(10);
    link.stop();
    return ms;
  });
  assert.ok(waits[1] - waits[0] >= 300, `${waits}`);
  assert.ok(Math.max(...waits) <= 1_000, "and all are back within a second");
});

test("a box that accepts and crashes at once gets few connections", () => {
  start();
  const from = Date.now();
  while (Date.now() < from + 5_000) {
    if (last().readyState === 0) {
      last().open();
      tick(50);
      last().says(welcome());
      last().dies();
    }
    tick(50);
  }
  assert.ok(made.length <= 1 + 3, `${made.length} connections in 5 s`);
});

test("a socket that neither opens nor fails is replaced", () => {
  start();
  tick(4_100);
  assert.equal(made.length, 2);
  assert.equal(made[0].readyState, 3);
});

test("25 s without a message end a link, and heartbeats keep it", () => {
  up();
  for (let i = 0; i < 10; i += 1) {
    tick(10_000);
    last().says({ t: "hb" });
  }
  assert.equal(made.length, 1);
  assert.equal(heard.length, 1, "heartbeats are the link's own business");
  tick(25_100);
  assert.equal(made.length, 2);
});

test("a page that is shown again tests its link, and keeps one that answers", () => {
  up();
  tick(5_000);
  show();
  assert.deepEqual(last().sent.at(-1), { t: "hb" });
  tick(1_000);
  last().says({ t: "hb" });
  tick(5_000);
  assert.equal(made.length, 1);
});

test("a page that is shown again replaces a link that does not answer within 2 s", () => {
  up();
  tick(5_000);
  show();
  tick(1_400);
  assert.equal(made.length, 1);
  tick(200);
  assert.equal(made.length, 2);
  assert.equal(states.at(-1), false, "and says so meanwhile");
});

test("after a heartbeat missed while hidden it reconnects without a test", () => {
  up();
  tick(13_000);
  show();
  assert.equal(made.length, 2);
});

test("a message without an answer for 2 s ends the link", () => {
  up();
  link.send({ t: "move", v: 3, n: 1 });
  tick(2_100);
  assert.equal(made.length, 2);
  last().open();
  assert.deepEqual(last().sent, [hello], "the press is not sent again");
});

test("being shown or online again tries at once, but never twice at a time", () => {
  up();
  last().dies();
  show();
  outside.dispatchEvent(new Event("pageshow"));
  outside.dispatchEvent(new Event("online"));
  assert.equal(made.length, 2);
  tick(1_000);
  assert.equal(made.length, 2, "and the try that waited is off");
});

for (const why of ["taken", "left", "closed"]) {
  test(`bye ${why}: only a press reconnects`, () => {
    up();
    last().says({ t: "bye", why });
    assert.deepEqual(heard.at(-1), { t: "bye", why });
    show();
    outside.dispatchEvent(new Event("online"));
    tick(120_000);
    assert.equal(made.length, 1, "no war between two pages");
    link.retry();
    assert.equal(made.length, 2);
  });
}

test("a page may answer bye with a new first message at once", () => {
  link = new Link(() => hello, {
    message: (m) => {
      if (m.t === "bye") link.retry();
    },
    state() {},
  });
  last().open();
  last().says({ t: "bye", why: "closed" });
  assert.equal(made.length, 2);
  assert.equal(last().readyState, 0);
});

test("late messages and the close of a replaced socket change nothing", () => {
  up();
  const old = last();
  tick(13_000);
  show();
  last().open();
  old.says({ t: "bye", why: "taken" });
  old.dies();
  tick(3_000);
  assert.equal(made.length, 2);
  assert.deepEqual(states, [true, false, true]);
  assert.equal(heard.length, 1);
});

test("another build reloads the page once, after its message is handled", () => {
  start();
  last().open();
  last().says(welcome("1.0.0-b"));
  assert.equal(reloads, 1);
  assert.equal(heard.length, 1, "the key is kept before the page goes");
  last().says(welcome("1.0.0-b"));
  assert.equal(reloads, 1, "a page that stays old does not loop");
  last().says(welcome("1.0.0-c"));
  assert.equal(reloads, 2, "the next build is another matter");
});

test("without storage it never reloads", () => {
  const storage = globalThis.sessionStorage;
  globalThis.sessionStorage = {
    getItem() {
      throw new Error("denied");
    },
    setItem() {
      throw new Error("denied");
    },
  };
  start();
  last().open();
  last().says(welcome("1.0.0-b"));
  globalThis.sessionStorage = storage;
  assert.equal(reloads, 0);
});

// Longer than a restart takes, which is a second. With systemd's socket the port is always open.
for (const down of [200, 900, 1400]) {
  test(`a bar full of pages reconnects within a second of the port, and never all at once (${down} ms down)`, () => {
    let seed = 7;
    const fixed = Math.random;
    // A simple random generator (the constants of Numerical Recipes).
    Math.random = () => {
      seed = (seed * 1664525 + 1013904223) % 2 ** 32;
      return seed / 2 ** 32;
    };
    const back = new Set();
    const tries = [];
    const many = Array.from({ length: 50 }, (_, i) => {
      new Link(() => hello, { message: () => back.add(i), state() {} });
      last().open();
      last().says(welcome());
      return last();
    });
    tick(6_000);
    for (const socket of made) socket.says({ t: "hb" });
    back.clear();
    const lost = clock.now;
    for (const socket of many) socket.dies();
    for (let ms = 1; ms <= down + 1_000; ms += 1) {
      const before = made.length;
      tick(1);
      for (const socket of made.slice(before)) {
        tries.push(clock.now - lost);
        if (ms <= down) socket.dies();
        else {
          socket.open();
          socket.says(welcome());
        }
      }
    }
    Math.random = fixed;
    assert.equal(back.size, 50, "all are back within a second");
    const most = Math.max(...tries.map((at) => tries.filter((other) => other >= at && other < at + 50).length));
    assert.ok(most <= 20, `${most} of 50 came within 50 ms`);
  });
}
