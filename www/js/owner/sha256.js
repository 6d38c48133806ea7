// SHA-256 (FIPS 180-4) and HMAC (RFC 2104). The page comes over plain HTTP, where browsers have no crypto.subtle.

/** The first 32 bits of the fractional parts of the cube roots of the first 64 primes (FIPS 180-4, 4.2.2). */
const ROUNDS = fractions(64, Math.cbrt);
/** The same of the square roots of the first eight (5.3.3). */
const START = fractions(8, Math.sqrt);
/** Bytes of a block. */
const BLOCK = 64;

/**
 * Returns the hash of bytes.
 * @param {Uint8Array} bytes
 * @returns {Uint8Array}
 */
export function sha256(bytes) {
  const length = (((bytes.length + 8) >> 6) + 1) * BLOCK;
  const padded = new Uint8Array(length);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  // A message here is far below 2^32 bits.
  view.setUint32(length - 4, bytes.length * 8);
  const state = Uint32Array.from(START);
  const w = new Uint32Array(64);
  for (let at = 0; at < length; at += BLOCK) {
    for (let i = 0; i < 16; i += 1) w[i] = view.getUint32(at + 4 * i);
    for (let i = 16; i < 64; i += 1) {
      const s0 = rotate(w[i - 15], 7) ^ rotate(w[i - 15], 18) ^ (w[i - 15] >>> 3);
      const s1 = rotate(w[i - 2], 17) ^ rotate(w[i - 2], 19) ^ (w[i - 2] >>> 10);
      w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
    compress(state, w);
  }
  const hash = new DataView(new ArrayBuffer(32));
  state.forEach((word, i) => hash.setUint32(4 * i, word));
  return new Uint8Array(hash.buffer);
}

/**
 * Takes one block in (FIPS 180-4, 6.2.2).
 * @param {Uint32Array} state
 * @param {Uint32Array} w the message schedule
 */
function compress(state, w) {
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < 64; i += 1) {
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const one = (h + s1 + ((e & f) ^ (~e & g)) + ROUNDS[i] + w[i]) | 0;
    const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const two = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => (state[i] += word));
}

/**
 * Returns the authentication code of bytes under a key.
 * @param {Uint8Array} key
 * @param {Uint8Array} bytes
 * @returns {Uint8Array}
 */
export function hmac(key, bytes) {
  const padded = new Uint8Array(BLOCK);
  padded.set(key.length > BLOCK ? sha256(key) : key);
  const under = (/** @type {number} */ pad, /** @type {Uint8Array} */ text) => {
    const joined = new Uint8Array(BLOCK + text.length);
    joined.set(padded.map((byte) => byte ^ pad));
    joined.set(text, BLOCK);
    return sha256(joined);
  };
  return under(0x5c, under(0x36, bytes));
}

/**
 * @param {number} word
 * @param {number} bits
 */
function rotate(word, bits) {
  return (word >>> bits) | (word << (32 - bits));
}

/**
 * Returns the first 32 bits of the fractional part of a root of each of the first primes. A double holds 52 bits, so that 32
 * behind the point are right for roots below 2^20.
 * @param {number} count
 * @param {(of: number) => number} root
 */
function fractions(count, root) {
  const found = [];
  for (let n = 2; found.length < count; n += 1) {
    let prime = true;
    for (let by = 2; by * by <= n && prime; by += 1) prime = n % by !== 0;
    if (prime) found.push(Math.floor((root(n) % 1) * 2 ** 32));
  }
  return Uint32Array.from(found);
}
