// Decodes QR codes in screenshots, with a decoder that is independent of the encoder.
import assert from "node:assert/strict";
import jsqr from "jsqr";
import { PNG } from "pngjs";

// The package is CommonJS with a default of its own.
const decode = /** @type {typeof jsqr.default} */ (/** @type {unknown} */ (jsqr.default ?? jsqr));

/** White modules that a scanner needs around a code. */
const QUIET = 4;
/** Least brightness of white, from 0 to 255. */
const WHITE = 230;

/** Camera pixels per pixel of the TV, since a phone is held close to the screen. */
const CAMERA = [1, 2, 3];

/** Pixels around the frame that are in the picture as well: a phone reads many pictures, each a little different, until one is clear. */
const AROUND = [0, 6, 12, 24];

/** @typedef {{left: number, top: number, right: number, bottom: number}} Frame a part of a picture, in its pixels */

/**
 * Returns the text of the code in a picture.
 * @param {Buffer | PNG} png
 * @param {Frame} [frame] the part with the code, which is decoded faster than the whole picture
 * @returns {string}
 */
export function readQr(png, frame) {
  const picture = /** @type {PNG} */ (Buffer.isBuffer(png) ? PNG.sync.read(png) : png);
  for (const around of frame ? AROUND : [0]) {
    const { data, width, height } = cut(picture, frame && widened(frame, around));
    for (const scale of CAMERA) {
      const found = decode(seen(data, width, height, scale), width * scale, height * scale, {
        inversionAttempts: "dontInvert",
      });
      if (found) return found.data;
    }
  }
  assert.fail(`no QR code to be read in ${JSON.stringify(frame ?? "the picture")}`);
}

/** @param {Frame} frame @param {number} by pixels @returns {Frame} */
const widened = ({ left, top, right, bottom }, by) => ({
  left: left - by,
  top: top - by,
  right: right + by,
  bottom: bottom + by,
});

/**
 * Returns a part of a picture.
 * @param {PNG} picture
 * @param {Frame} [frame]
 */
function cut(picture, frame = { left: 0, top: 0, right: picture.width, bottom: picture.height }) {
  const left = Math.max(0, Math.floor(frame.left));
  const top = Math.max(0, Math.floor(frame.top));
  const width = Math.min(picture.width, Math.ceil(frame.right)) - left;
  const height = Math.min(picture.height, Math.ceil(frame.bottom)) - top;
  const part = new PNG({ width, height });
  PNG.bitblt(picture, part, left, top, width, height, 0, 0);
  return { data: new Uint8ClampedArray(part.data), width, height };
}

/**
 * Returns the same picture with more pixels.
 * @param {Uint8ClampedArray} data
 * @param {number} width
 * @param {number} height
 * @param {number} scale
 */
function seen(data, width, height, scale) {
  const from = new Uint32Array(data.buffer);
  const to = new Uint32Array(from.length * scale * scale);
  for (let y = 0; y < height * scale; y += 1) {
    for (let x = 0; x < width * scale; x += 1)
      to[y * width * scale + x] = from[Math.floor(y / scale) * width + Math.floor(x / scale)] ?? 0;
  }
  return new Uint8ClampedArray(to.buffer);
}

/**
 * Asserts that a code is surrounded by four white modules.
 * @param {PNG} png
 * @param {Frame} black the part with the code's own modules
 * @param {number} modules on a side of the code
 */
export function assertQuiet({ data, width }, { left, top, right, bottom }, modules) {
  // One pixel at each edge is left out, because edges may be between two pixels.
  const quiet = Math.floor(((right - left) / modules) * QUIET) - 1;
  for (let y = Math.ceil(top) - quiet; y < Math.floor(bottom) + quiet; y += 1) {
    for (let x = Math.ceil(left) - quiet; x < Math.floor(right) + quiet; x += 1) {
      const beside = x < Math.floor(left) - 1 || x > Math.ceil(right) + 1;
      const above = y < Math.floor(top) - 1 || y > Math.ceil(bottom) + 1;
      const at = 4 * (y * width + x);
      // A card may have round corners, which a scanner does not need.
      if (beside !== above)
        assert(
          Math.min(...data.subarray(at, at + 3)) >= WHITE,
          `at ${x}, ${y} the white around the code is less than ${QUIET} modules wide`,
        );
    }
  }
}
