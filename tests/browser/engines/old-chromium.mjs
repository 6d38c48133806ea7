// Starts Chromium 103 of 2022, as on phones without updates. An npm package contains its compressed binary with all libraries.
import { chmodSync, createReadStream, createWriteStream, existsSync, mkdirSync, renameSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { createBrotliDecompress } from "node:zlib";
import { chromium } from "playwright-core";
import { START_MS } from "./deadline.mjs";
import { EnginePage } from "./page.mjs";
import { Scripted } from "./scripted.mjs";

/** Returns the path of the unpacked binary. @returns {Promise<string>} */
async function unpacked() {
  const directory = fileURLToPath(new URL("../../../node_modules/.cache/", import.meta.url));
  const binary = path.join(directory, "chromium-103");
  if (existsSync(binary)) return binary;
  const packed = path.join(
    path.dirname(createRequire(import.meta.url).resolve("@sparticuz/chromium")),
    "../bin/chromium.br",
  );
  mkdirSync(directory, { recursive: true });
  const half = `${binary}.${process.pid}`;
  await pipeline(createReadStream(packed), createBrotliDecompress(), createWriteStream(half));
  chmodSync(half, 0o755);
  renameSync(half, binary);
  return binary;
}

/** @returns {Promise<import("./engines.mjs").Running>} */
export async function oldChromium() {
  const browser = await chromium.launch({
    executablePath: await unpacked(),
    args: ["--no-sandbox", "--disable-gpu"],
    timeout: START_MS,
  });
  return {
    async page(size) {
      const context = await browser.newContext({ viewport: size, hasTouch: true, isMobile: size.width < 900 });
      const page = await context.newPage();
      return new EnginePage(
        new Scripted(
          page,
          (wanted) => page.setViewportSize(wanted),
          () => context.close(),
        ),
      );
    },
    close: () => browser.close(),
  };
}

// As a program this file only unpacks the binary, so that no test waits for that.
if (process.argv[1] === fileURLToPath(import.meta.url)) await unpacked();
