// Starts Firefox, which is driven by WebDriver BiDi without a separate driver.
import puppeteer from "puppeteer-core";
import { CLOSE_MS, COMMAND_MS, START_MS, within } from "./deadline.mjs";
import { EnginePage } from "./page.mjs";
import { Scripted } from "./scripted.mjs";

/** @returns {Promise<import("./engines.mjs").Running>} */
export async function firefox() {
  const browser = await puppeteer.launch({
    browser: "firefox",
    executablePath: process.env.FIREFOX ?? "/usr/bin/firefox-esr",
    timeout: START_MS,
    protocolTimeout: COMMAND_MS,
  });
  return {
    async page({ width, height }) {
      const context = await browser.createBrowserContext();
      const page = await context.newPage();
      await page.setViewport({ width, height });
      return new EnginePage(
        new Scripted(
          page,
          (size) => page.setViewport(size),
          () => context.close(),
        ),
      );
    },
    close: () => within(CLOSE_MS, browser.close(), "Firefox ends").catch(() => void browser.process()?.kill("SIGKILL")),
  };
}
