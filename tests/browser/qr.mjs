// Reads QR codes from pictures, by a decoder that shares nothing with what draws them.
import assert from "node:assert/strict";
import jsqr from "jsqr";
import { PNG } from "pngjs";

// The package is CommonJS with a default of its own.
const decode = /** @type {typeof jsqr.default} */ (/** @type {unknown} */ (jsqr.default ?? jsqr));

/**
 * The text of the code in a picture.
 * @param {Buffer} png
 * @returns {string}
 */
export function readQr(png) {
  const { data, width, height } = PNG.sync.read(png);
  const found = decode(new Uint8ClampedArray(data), width, height, { inversionAttempts: "dontInvert" });
  assert(found, `no QR code to be read in ${width} × ${height}`);
  return found.data;
}
