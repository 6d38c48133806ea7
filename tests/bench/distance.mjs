// A network of a known length between a browser and the daemon, by which round trips are counted.
import { once } from "node:events";
import net from "node:net";

/** @typedef {import("../browser/daemon.mjs").Daemon} Daemon */

/** Delays all that goes between a browser and a daemon, the opening of a connection too. It is as fast as it is long: nothing else is slowed down. */
export class Distance {
  /** Milliseconds from one end to the other. */
  oneWay = 0;
  #box;
  #server;

  /** @param {Daemon} box */
  constructor(box) {
    this.#box = box;
    this.#server = net.createServer({ allowHalfOpen: true }, (near) => this.#enter(near));
  }

  async open() {
    this.#server.listen(0, "0.0.0.0");
    await once(this.#server, "listening");
    return this;
  }

  get origin() {
    const { port } = /** @type {net.AddressInfo} */ (this.#server.address());
    return `http://${this.#box.address}:${port}`;
  }

  close() {
    this.#server.close();
  }

  /** @param {net.Socket} near */
  #enter(near) {
    const { hostname, port } = new URL(this.#box.origin);
    const far = net.connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    // A connection is open a round trip after it was asked for, and its first bytes come no sooner.
    const opened = performance.now() + 2 * this.oneWay;
    const { oneWay } = this;
    for (const [from, to] of /** @type {const} */ ([
      [near, far],
      [far, near],
    ])) {
      const later = (/** @type {() => void} */ run) =>
        setTimeout(run, Math.max(0, opened - performance.now()) + oneWay);
      from.on("data", (chunk) => void later(() => to.write(from === near ? this.#addressed(chunk) : chunk)));
      from.on("end", () => void later(() => to.end()));
      from.on("error", () => to.destroy());
      from.on("close", () => void later(() => to.destroySoon()));
    }
  }

  /** The box answers to its own address alone, so a request is addressed anew. @param {Buffer} chunk */
  #addressed(chunk) {
    if (!/^GET|^HEAD/.test(chunk.toString("latin1", 0, 4))) return chunk;
    const [here, there] = [this.origin, this.#box.origin].map((origin) => new URL(origin).host);
    return Buffer.from(chunk.toString("latin1").replaceAll(here ?? "", there ?? ""), "latin1");
  }
}
