// Messages sealed with what the phone scanned: the same as daemon/auth.rs.
import { hmac } from "./sha256.js";

/** @typedef {{n: number, body: string, mac: string}} Sealed */

const BLOCK = 32;
const encoder = new TextEncoder();

/** The phone's side of one connection. */
export class Session {
  #key;
  #asked = 0;

  /**
   * @param {string} secret as scanned
   * @param {{id: string, nonce: string, name: string}} hello what the phone has said first
   * @param {string} nonce the box's number
   */
  constructor(secret, hello, nonce) {
    this.#key = hash(unhex(secret), "session", hello.id, hello.nonce, nonce, hello.name);
  }

  /**
   * Seals the next request.
   * @param {object} request
   * @returns {Sealed}
   */
  seal(request) {
    this.#asked += 1;
    const n = this.#asked;
    const body = hex(this.#encipher("phone", n, encoder.encode(JSON.stringify(request))));
    return { n, body, mac: this.#mac("phone", n, body) };
  }

  /**
   * Opens an answer; null if it is not the box's.
   * @param {Sealed} sealed
   * @returns {import("../wire.js").Answer | null}
   */
  open({ n, body, mac }) {
    if (n !== this.#asked || mac !== this.#mac("box", n, body)) return null;
    return JSON.parse(new TextDecoder().decode(this.#encipher("box", n, unhex(body))));
  }

  /**
   * @param {string} from
   * @param {number} n
   * @param {string} body
   */
  #mac(from, n, body) {
    return hex(hash(this.#key, "mac", from, n, body));
  }

  /**
   * @param {string} from
   * @param {number} n
   * @param {Uint8Array} bytes
   */
  #encipher(from, n, bytes) {
    /** @type {Uint8Array} */
    let stream = new Uint8Array();
    return bytes.map((byte, i) => {
      if (i % BLOCK === 0) stream = hash(this.#key, "stream", from, n, i / BLOCK);
      return byte ^ stream[i % BLOCK];
    });
  }
}

/** Returns the name under which a phone says that it has a secret. @param {string} secret */
export function idOf(secret) {
  return hex(hash(unhex(secret), "id").slice(0, 8));
}

/** Returns a number that no connection has had. */
export function freshNonce() {
  return hex(crypto.getRandomValues(new Uint8Array(16)));
}

/** Returns whether a text is a secret. @param {string} text */
export function isSecret(text) {
  return /^[0-9a-f]{32}$/.test(text);
}

/**
 * @param {Uint8Array} key
 * @param {...(string | number)} parts
 */
function hash(key, ...parts) {
  return hmac(key, encoder.encode(parts.join("\n")));
}

/** @param {Uint8Array} bytes */
function hex(bytes) {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @param {string} text */
function unhex(text) {
  return Uint8Array.from(text.match(/../g) ?? [], (digits) => parseInt(digits, 16));
}
