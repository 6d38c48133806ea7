// Reads QR codes from pictures, by a decoder that shares nothing with what draws them.
import assert from "node:assert/strict";
import jsqr from "jsqr";
import { PNG } from "pngjs";

// The package is CommonJS with a default of its own.
const decode = /** @type {typeof jsqr.default} */ (/** @type {unknown} */ (jsqr.default ?? jsqr));

/** Modules of white that a scanner needs around a code. */
const QUIET = 4;
/** Light from 0 to 255: as white as paper. */
const WHITE = 230;

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

/**
 * The code must stand in four modules of white.
 * @param {Buffer} png
 * @param {{left: number, top: number, right: number, bottom: number}} black where the code's own squares are, in the picture's pixels
 * @param {number} modules across the code
 */
export function assertQuiet(png, { left, top, right, bottom }, modules) {
  const { data, width } = PNG.sync.read(png);
  // A pixel at each edge is left for what falls between two.
  const quiet = Math.floor(((right - left) / modules) * QUIET) - 1;
  for (let y = Math.ceil(top) - quiet; y < Math.floor(bottom) + quiet; y += 1) {
    for (let x = Math.ceil(left) - quiet; x < Math.floor(right) + quiet; x += 1) {
      const beside = x < Math.floor(left) || x > Math.ceil(right);
      const above = y < Math.floor(top) || y > Math.ceil(bottom);
      const at = 4 * (y * width + x);
      // A card may round the corners off, where a scanner does not look.
      if (beside !== above) assert(Math.min(...data.subarray(at, at + 3)) >= WHITE, `at ${x}, ${y} the white around the code is less than ${QUIET} modules wide`);
    }
  }
}
