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
 * The text of the code in a picture, which must stand in four modules of white.
 * @param {Buffer} png
 * @returns {string}
 */
export function readQr(png) {
  const { data, width, height } = PNG.sync.read(png);
  const found = decode(new Uint8ClampedArray(data), width, height, { inversionAttempts: "dontInvert" });
  assert(found, `no QR code to be read in ${width} × ${height}`);
  const { topLeftCorner: at, topRightCorner: right, bottomLeftCorner: down } = found.location;
  const modules = 17 + 4 * found.version;
  /** @param {number} column @param {number} row in modules from the top left */
  const light = (column, row) => {
    const x = at.x + ((right.x - at.x) * column + (down.x - at.x) * row) / modules;
    const y = at.y + ((right.y - at.y) * column + (down.y - at.y) * row) / modules;
    const pixel = 4 * (Math.round(y) * width + Math.round(x));
    return Math.min(data[pixel] ?? 0, data[pixel + 1] ?? 0, data[pixel + 2] ?? 0);
  };
  // Half a module from each edge is left for what the decoder is off by.
  for (let along = 0; along <= modules; along += 1) {
    for (let away = 0.75; away <= QUIET - 0.5; away += 0.75) {
      const around = [light(along, -away), light(along, modules + away), light(-away, along), light(modules + away, along)];
      assert(Math.min(...around) >= WHITE, `the white around the code is less than ${QUIET} modules wide`);
    }
  }
  return found.data;
}
