// A clock and sockets that a test moves by hand. Importing this file puts the clock into the global scope.
import assert from "node:assert/strict";

/** A clock that stands until it is pushed. */
export const clock = { now: 0, timers: new Map(), id: 0 };
globalThis.setTimeout = (act, ms) => {
  clock.timers.set(++clock.id, { act, at: clock.now + ms });
  return clock.id;
};
globalThis.clearTimeout = (id) => clock.timers.delete(id);
Date.now = () => clock.now;
/** Lets so many milliseconds pass; what is due fires in its order, at its time. */
export function tick(ms) {
  const end = clock.now + ms;
  for (;;) {
    const [next] = [...clock.timers]
      .filter(([, timer]) => timer.at <= end)
      .sort((a, b) => a[1].at - b[1].at || a[0] - b[0]);
    if (!next) break;
    clock.now = next[1].at;
    clock.timers.delete(next[0]);
    next[1].act();
  }
  clock.now = end;
}

export class FakeSocket {
  static OPEN = 1;
  static made = [];
  readyState = 0;
  sent = [];
  constructor(url) {
    this.url = url;
    this.at = Date.now();
    FakeSocket.made.push(this);
  }
  open() {
    this.readyState = 1;
    this.onopen?.();
  }
  send(text) {
    assert.equal(this.readyState, 1, "sent on a socket that is not open");
    this.sent.push(JSON.parse(text));
  }
  says(message) {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
  close() {
    this.readyState = 3;
  }
  /** The other end, or the network, ends it. */
  dies() {
    this.readyState = 3;
    this.onclose?.();
  }
}
