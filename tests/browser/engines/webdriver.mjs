// Drives a browser through its WebDriver server (W3C WebDriver, https://www.w3.org/TR/webdriver/). WebKitGTK and WPE WebKit have one.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { COMMAND_MS, START_MS } from "./deadline.mjs";
import { EnginePage } from "./page.mjs";

/** The code points of keys without a character: https://www.w3.org/TR/webdriver/#keyboard-actions. @type {Record<string, string>} */
const KEYS = {
  Backspace: "\ue003",
  Tab: "\ue004",
  Enter: "\ue007",
  Escape: "\ue00c",
  " ": " ",
  ArrowLeft: "\ue012",
  ArrowUp: "\ue013",
  ArrowRight: "\ue014",
  ArrowDown: "\ue015",
};

/** Returns whether a process has ended, by itself or by a signal. @param {import("node:child_process").ChildProcess} child */
const ended = (child) => child.exitCode !== null || child.signalCode !== null;

/** Returns a free TCP port. @returns {Promise<number>} */
async function freePort() {
  const server = net.createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = /** @type {net.AddressInfo} */ (server.address());
  server.close();
  await once(server, "close");
  return port;
}

/** @typedef {import("./page.mjs").Controls} Controls */
/** @typedef {import("./page.mjs").Size} Size */

/**
 * The command of a browser's WebDriver server.
 * @typedef {object} Server
 * @property {string} command
 * @property {Record<string, unknown>} capabilities that are requested for the session
 * @property {Record<string, string>} [env]
 * @property {(size: Size) => void} [resize] replaces the server's own command, where that does not work
 */

/**
 * A WebDriver server and the one browser that it has started.
 * @implements {Controls}
 */
class WebDriver {
  #server;
  /** The home directory of this browser alone. */
  #home = mkdtempSync(path.join(os.tmpdir(), "doozer-webkit-"));
  /** @type {import("node:child_process").ChildProcess | null} */
  #process = null;
  #base = "";
  /** The output of the server and its browser. */
  output = "";

  /** @param {Server} server */
  constructor(server) {
    this.#server = server;
  }

  async start() {
    const { command, capabilities, env } = this.#server;
    const port = await freePort();
    const own = {
      HOME: this.#home,
      XDG_RUNTIME_DIR: this.#home,
      XDG_DATA_HOME: this.#home,
      XDG_CACHE_HOME: this.#home,
      LIBGL_ALWAYS_SOFTWARE: "1",
      NO_AT_BRIDGE: "1",
    };
    const options = {
      env: { ...process.env, ...own, ...env },
      detached: true,
      stdio: /** @type {["ignore", "pipe", "pipe"]} */ (["ignore", "pipe", "pipe"]),
    };
    const child = spawn(command, [`--port=${port}`], options);
    this.#process = child;
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (this.output += chunk));
    this.#base = `http://127.0.0.1:${port}`;
    const end = Date.now() + START_MS;
    while (!(await fetch(`${this.#base}/status`, { signal: AbortSignal.timeout(START_MS) }).catch(() => null))?.ok) {
      if (ended(child) || Date.now() > end) throw new Error(`${command} does not answer`);
      await pause(50);
    }
    const { sessionId } = await this.#call(
      "POST",
      "/session",
      { capabilities: { alwaysMatch: capabilities } },
      START_MS,
    );
    this.#base += `/session/${sessionId}`;
  }

  /**
   * @param {"GET" | "POST" | "DELETE"} method
   * @param {string} where
   * @param {object} [body]
   * @param {number} [ms]
   * @returns {Promise<any>}
   */
  async #call(method, where, body = {}, ms = COMMAND_MS) {
    const answer = await fetch(this.#base + where, {
      method,
      ...(method === "POST" && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(ms),
    });
    const { value } = /** @type {{value: any}} */ (await answer.json());
    if (!answer.ok) throw new Error(`${where}: ${value?.error}: ${value?.message}`);
    return value;
  }

  /** Returns the errors and warnings of the console in the browser's output so far, and clears the output. */
  complaints() {
    const lines = this.output.split("\n").filter((line) => /CONSOLE .*(ERROR|WARN)/.test(line));
    this.output = "";
    return lines;
  }

  /** @param {string} url */
  goto(url) {
    return this.#call("POST", "/url", { url });
  }

  reload() {
    return this.#call("POST", "/refresh");
  }

  goBack() {
    return this.#call("POST", "/back");
  }

  /** @param {string} script the body of a function @param {unknown[]} args */
  run(script, args) {
    return this.#call("POST", "/execute/sync", { script, args });
  }

  /** @param {number} x @param {number} y */
  async tapAt(x, y) {
    const at = { type: "pointerMove", duration: 0, x: Math.round(x), y: Math.round(y), origin: "viewport" };
    const actions = [
      at,
      { type: "pointerDown", button: 0 },
      { type: "pause", duration: 30 },
      { type: "pointerUp", button: 0 },
    ];
    await this.#call("POST", "/actions", {
      actions: [{ type: "pointer", id: "finger", parameters: { pointerType: "mouse" }, actions }],
    });
  }

  /** @param {string} key its name in the page's event */
  async press(key) {
    const value = KEYS[key] ?? key;
    await this.#call("POST", "/actions", {
      actions: [
        {
          type: "key",
          id: "keys",
          actions: [
            { type: "keyDown", value },
            { type: "keyUp", value },
          ],
        },
      ],
    });
  }

  async screenshot() {
    return Buffer.from(await this.#call("GET", "/screenshot"), "base64");
  }

  /** @param {Size} size */
  async resize(size) {
    if (this.#server.resize) this.#server.resize(size);
    else await this.#call("POST", "/window/rect", { x: 0, y: 0, ...size });
  }

  async close() {
    const child = this.#process;
    this.#process = null;
    if (child?.pid) {
      if (!ended(child)) await this.#call("DELETE", "", {}, 3_000).catch(() => {});
      const gone = ended(child) ? null : once(child, "exit");
      // The group has the server and all processes that it has started. A browser can survive a crash of its server.
      try {
        process.kill(-child.pid, "SIGKILL");
      } catch {
        // All of them have ended already.
      }
      await gone;
      child.stdout?.destroy();
      child.stderr?.destroy();
    }
    rmSync(this.#home, { recursive: true, force: true, maxRetries: 5 });
  }
}

/**
 * Starts a server and its browser.
 * @param {Server} server
 * @param {Size} size
 */
export async function openPage(server, size) {
  const driver = new WebDriver(server);
  try {
    await driver.start();
    const page = new EnginePage(driver);
    await page.setViewportSize(size);
    return page;
  } catch (error) {
    await driver.close();
    throw new Error(`${server.command} does not start a browser:\n${driver.output}`, { cause: error });
  }
}
