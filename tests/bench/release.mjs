// The release build of the daemon, for measurements.
import { fileURLToPath } from "node:url";

process.env.DOOZER_BOX ??= fileURLToPath(new URL("../../target/release/doozer-box", import.meta.url));
const { Daemon } = await import("../browser/daemon.mjs");

/** Starts a daemon with durations that do not disturb a measurement. @param {string} [binary] another build's */
export const release = (binary) => new Daemon({ turn: 600, result: 600, rematch: 600, attract: 600, binary });
