// The daemon as it is shipped, for what is measured.
import { fileURLToPath } from "node:url";

process.env.DOOZER_BOX ??= fileURLToPath(new URL("../../target/release/doozer-box", import.meta.url));
const { Daemon } = await import("../browser/daemon.mjs");

/** A box whose clocks leave those who are measured alone. */
export const release = () => new Daemon({ turn: 600, result: 600, rematch: 600, attract: 600 });
