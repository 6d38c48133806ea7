// Starts the two ports of WebKit, each through its own WebDriver server.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { START_MS, within } from "./deadline.mjs";
import { openPage } from "./webdriver.mjs";

/** @typedef {import("./engines.mjs").Running} Running */
/** @typedef {import("./page.mjs").Size} Size */

/** @param {string} name */
const beside = (name) => fileURLToPath(new URL(name, import.meta.url));

/**
 * Starts WPE WebKit, which needs no display. Its headless window has a fixed size, which `wpe-size.c` replaces by the one in a file.
 * @returns {Promise<Running>}
 */
export async function wpe() {
  const scratch = mkdtempSync(path.join(os.tmpdir(), "doozer-wpe-"));
  const library = path.join(scratch, "wpe-size.so");
  execFileSync("cc", ["-shared", "-fPIC", "-O1", "-Wall", "-o", library, beside("wpe-size.c"), "-ldl"]);
  let windows = 0;
  return {
    async page(size) {
      const file = path.join(scratch, `size-${(windows += 1)}`);
      /** @param {Size} wanted */
      const write = ({ width, height }) => writeFileSync(file, `${width}x${height}`);
      write(size);
      return openPage(
        {
          command: "WPEWebDriver",
          capabilities: {
            "wpe:browserOptions": {
              binary: "/usr/bin/cog",
              args: ["--automation", "--platform=headless", "--enable-write-console-messages-to-stdout=true"],
            },
          },
          env: { LD_PRELOAD: library, WPE_SIZE_FILE: file },
          resize: write,
        },
        size,
      );
    },
    async close() {
      rmSync(scratch, { recursive: true, force: true });
    },
  };
}

/** The size of the virtual screen, which is that of the largest TV. */
const SCREEN = "3840x2160x24";

/**
 * Starts WebKitGTK on a virtual display, in a plain window, because its MiniBrowser cannot be as narrow as a phone.
 * @returns {Promise<Running>}
 */
export async function gtk() {
  const display = spawn("Xvfb", ["-displayfd", "1", "-screen", "0", SCREEN, "-nolisten", "tcp"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const line = once(createInterface({ input: display.stdout }), "line");
  const [number] = await within(START_MS, line, "Xvfb names its display");
  return {
    page: (size) =>
      openPage(
        {
          command: "WebKitWebDriver",
          capabilities: {
            browserName: "MiniBrowser",
            "webkitgtk:browserOptions": { binary: beside("webkit-window.py"), args: [] },
          },
          env: { DISPLAY: `:${number}`, GDK_BACKEND: "x11" },
        },
        size,
      ),
    async close() {
      const gone = once(display, "exit");
      display.kill();
      await gone;
    },
  };
}
