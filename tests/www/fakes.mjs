// A fake clock and fake sockets, controlled by a test. Importing this file installs the clock globally.
import assert from "node:assert/strict";

/** A clock that only moves with `tick`. */
export const clock = { now: 0, timers: new Map(), id: 0 };
globalThis.setTimeout = (act, ms) => {
  clock.timers.set(++clock.id, { act, at: clock.now + ms });
  return clock.id;
};
globalThis.clearTimeout = (id) => clock.timers.delete(id);
Date.now = () => clock.now;
/** Lets milliseconds pass. Due timers fire in order, at their times. */
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
  /** Closes the socket from the other end or the network. */
  dies() {
    this.readyState = 3;
    this.onclose?.();
  }
}
