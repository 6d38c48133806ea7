// Starts the real daemon for a test, and proxies between it and a page.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import net from "node:net";
import os from "node:os";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const BINARY = process.env.DOOZER_BOX ?? fileURLToPath(new URL("../../target/debug/doozer-box", import.meta.url));

/** Milliseconds between two checks of a condition. */
export const LOOK_MS = 40;

/** Longest wait in milliseconds, generous for busy machines. */
export const WAIT_MS = Number(process.env.DOOZER_WAIT ?? 20) * 1000;

/**
 * Waits for a condition outside of pages.
 * @param {() => boolean | Promise<boolean>} holds
 * @param {string} what the condition in words
 */
export async function until(holds, what) {
  const end = Date.now() + WAIT_MS;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`waited in vain: ${what}`);
    await pause(LOOK_MS);
  }
}

/**
 * Returns this machine's address in its network, with which pages are not a secure context, as on a phone. Without a network, loopback.
 * @returns {string}
 */
export function lanAddress() {
  const all = Object.values(os.networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return all.find((address) => address.family === "IPv4" && !address.internal)?.address ?? "127.0.0.1";
}

/** Default durations in seconds: long if nothing should happen by itself, short if a test would only wait. */
const CLOCKS = { turn: 60, result: 1.5, rematch: 60, away: 30, hold: 600, attract: 0.4 };

/**
 * A running daemon.
 */
export class Daemon {
  /** @type {import("node:child_process").ChildProcess | null} */
  #process = null;
  #port = 0;
  #output = "";
  /** @type {string[]} */
  #flags;
  #binary;

  /** @param {Partial<typeof CLOCKS> & {flags?: string[], binary?: string}} [options] seconds by name, further flags, and another build */
  constructor({ flags = [], binary = BINARY, ...clocks } = {}) {
    this.#binary = binary;
    this.#flags = [
      ...Object.entries({ ...CLOCKS, ...clocks }).flatMap(([name, seconds]) => [`--${name}`, String(seconds)]),
      ...flags,
    ];
    this.address = lanAddress();
  }

  get origin() {
    return `http://${this.address}:${this.#port}`;
  }

  /** The address that the box's own kiosk opens. */
  get inside() {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Its output so far, for the report of a failed test. */
  get output() {
    return this.#output;
  }

  /** Starts it, after a kill on the same port again. */
  async start() {
    if (!existsSync(this.#binary)) throw new Error(`${this.#binary} is not there: cargo build, or set DOOZER_BOX`);
    const child = spawn(this.#binary, ["--listen", `0.0.0.0:${this.#port}`, "--no-mdns", ...this.#flags], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#process = child;
    child.stderr.on("data", (chunk) => (this.#output += chunk));
    const lines = createInterface({ input: child.stdout });
    const first = await new Promise((resolve, reject) => {
      lines.once("line", resolve);
      child.once("error", reject);
      child.once("exit", (code) => reject(new Error(`the daemon ended with ${code}:\n${this.#output}`)));
    });
    lines.on("line", (line) => (this.#output += `${line}\n`));
    const port = /^listening on http:\/\/[^ ]*:(\d+)\/?$/.exec(first)?.[1];
    if (!port) throw new Error(`unexpected first line: ${first}`);
    this.#port = Number(port);
    return this;
  }

  /** Kills it like a crash. */
  async kill() {
    await this.#end("SIGKILL");
  }

  /** Stops it as systemd does. */
  async stop() {
    await this.#end("SIGTERM");
  }

  /** @param {NodeJS.Signals} signal */
  async #end(signal) {
    const child = this.#process;
    this.#process = null;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, "exit");
    child.kill(signal);
    await gone;
  }
}

/**
 * A proxy between a page and the daemon that simulates network faults. The browser's own means to go offline leave open sockets open.
 */
export class Proxy {
  /** @type {Set<[net.Socket, net.Socket]>} */
  #pairs = new Set();
  /** @type {"open" | "deaf" | "shut"} */
  #state = "open";
  /** The number of responses still to be lost, by path. @type {Map<string, number>} */
  #lost = new Map();
  /** The time for which each path is refused, in milliseconds, and when it ends. @type {Map<string, {ms: number, end?: number}>} */
  #refused = new Map();
  /** The number of requests by path. @type {Map<string, number>} */
  #asked = new Map();
  /** @type {net.Server} */
  #server;

  /** @param {Daemon} box */
  constructor(box) {
    this.box = box;
    this.#server = net.createServer((near) => this.#enter(near));
  }

  async open() {
    this.#server.listen(0, "0.0.0.0");
    await once(this.#server, "listening");
    return this;
  }

  get origin() {
    const { port } = /** @type {net.AddressInfo} */ (this.#server.address());
    return `http://${this.box.address}:${port}`;
  }

  /** @param {net.Socket} near */
  #enter(near) {
    near.on("error", () => near.destroy());
    if (this.#state === "shut") {
      near.resetAndDestroy();
      return;
    }
    const { hostname, port } = new URL(this.box.origin);
    const far = net.connect(Number(port), hostname);
    /** @type {[net.Socket, net.Socket]} */
    const pair = [near, far];
    this.#pairs.add(pair);
    far.on("error", () => near.destroy());
    near.on("close", () => far.destroy());
    far.on("close", () => {
      this.#pairs.delete(pair);
      near.destroy();
    });
    near.on("data", (chunk) => {
      if (this.#refuses(chunk)) near.resetAndDestroy();
      else if (this.#loses(chunk))
        near.write("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n", () => near.resetAndDestroy());
      else if (this.#state === "open") far.write(this.#addressed(chunk));
    });
    far.on("data", (chunk) => this.#state === "open" && near.write(chunk));
  }

  /**
   * Aborts the next responses to a path after their head, since browsers repeat a request without any response at once.
   * @param {string} path
   * @param {number} [times]
   */
  lose(path, times = 1) {
    this.#lost.set(path, times);
  }

  /**
   * Resets every connection that requests a path, for some time from the first request on.
   * @param {string} path
   * @param {number} ms
   */
  refuse(path, ms) {
    this.#refused.set(path, { ms });
  }

  /** Returns whether a request is to be refused. @param {Buffer} chunk */
  #refuses(chunk) {
    const refused = this.#refused.get(/^GET (\S+) /.exec(chunk.toString("latin1"))?.[1] ?? "");
    if (!refused) return false;
    refused.end ??= Date.now() + refused.ms;
    return Date.now() < refused.end;
  }

  /** Returns the number of requests for a path. @param {string} path */
  asked(path) {
    return this.#asked.get(path) ?? 0;
  }

  /** Counts a request, and returns whether its response must be lost. @param {Buffer} chunk */
  #loses(chunk) {
    const path = /^GET (\S+) /.exec(chunk.toString("latin1"))?.[1];
    if (!path) return false;
    this.#asked.set(path, this.asked(path) + 1);
    const left = this.#lost.get(path) ?? 0;
    if (left) this.#lost.set(path, left - 1);
    return left > 0;
  }

  /** Replaces the proxy's address in a request, since the daemon accepts only its own Host. @param {Buffer} chunk */
  #addressed(chunk) {
    if (!/^(GET|HEAD) /.test(chunk.toString("latin1", 0, 8))) return chunk;
    const [proxy, box] = [this.origin, this.box.origin].map((origin) => new URL(origin).host);
    return Buffer.from(chunk.toString("latin1").replaceAll(proxy ?? "", box ?? ""), "latin1");
  }

  /** Resets every connection, and with `shut` new ones as well. */
  cut({ shut = false } = {}) {
    this.#state = shut ? "shut" : "open";
    for (const pair of this.#pairs) pair[0].resetAndDestroy();
  }

  /** Keeps connections open but drops all bytes, as for a phone that sleeps or leaves the Wi-Fi. */
  deafen() {
    this.#state = "deaf";
  }

  /** Lets new connections through again. Those that have missed bytes stay dead, as after a sleep. */
  mend() {
    for (const pair of this.#pairs) for (const socket of pair) socket.removeAllListeners("data").resume();
    this.#state = "open";
  }

  async close() {
    this.cut({ shut: true });
    this.#server.close();
    await once(this.#server, "close");
  }
}
