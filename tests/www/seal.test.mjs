// What the owner's phone computes by itself: SHA-256, HMAC and the seal, against known answers.
import assert from "node:assert/strict";
import { createHash, createHmac, randomBytes } from "node:crypto";
import test from "node:test";
import { freshNonce, idOf, isSecret, Session } from "../../www/js/owner/seal.js";
import { hmac, sha256 } from "../../www/js/owner/sha256.js";

const hex = (/** @type {Uint8Array} */ bytes) => Buffer.from(bytes).toString("hex");
const bytes = (/** @type {string} */ text) => new TextEncoder().encode(text);

test("the hash gives the answers of FIPS 180-4 and of every length of message", () => {
  assert.equal(hex(sha256(bytes("abc"))), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  assert.equal(hex(sha256(bytes(""))), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  for (let length = 0; length < 300; length += 1) {
    const message = randomBytes(length);
    assert.equal(hex(sha256(message)), createHash("sha256").update(message).digest("hex"), String(length));
  }
});

test("the code gives the answers of RFC 4231", () => {
  /** @type {[Uint8Array, string | Uint8Array, string][]} sections 4.2 to 4.5, 4.7 and 4.8 */
  const cases = [
    [new Uint8Array(20).fill(0x0b), "Hi There", "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"],
    [bytes("Jefe"), "what do ya want for nothing?", "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"],
    [
      new Uint8Array(20).fill(0xaa),
      new Uint8Array(50).fill(0xdd),
      "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe",
    ],
    [
      Uint8Array.from({ length: 25 }, (_, i) => i + 1),
      new Uint8Array(50).fill(0xcd),
      "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b",
    ],
    [
      new Uint8Array(131).fill(0xaa),
      "Test Using Larger Than Block-Size Key - Hash Key First",
      "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
    ],
    [
      new Uint8Array(131).fill(0xaa),
      "This is a test using a larger than block-size key and a larger than block-size data. The key needs to be hashed before being used by the HMAC algorithm.",
      "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2",
    ],
  ];
  for (const [key, text, mac] of cases)
    assert.equal(hex(hmac(key, typeof text === "string" ? bytes(text) : text)), mac);
  const [key, text] = [randomBytes(64), randomBytes(1000)];
  assert.equal(hex(hmac(key, text)), createHmac("sha256", key).update(text).digest("hex"));
});

test("the phone seals as the box does", () => {
  // The same message as in daemon/auth.rs.
  const secret = "000102030405060708090a0b0c0d0e0f";
  const hello = { id: idOf(secret), nonce: "aa".repeat(16), name: "iPhone" };
  const session = new Session(secret, hello, "bb".repeat(16));
  assert.equal(hello.id, "ab82b93efb0bf278");
  assert.deepEqual(session.seal({ do: "state" }), {
    n: 1,
    body: "48a5e6c30b97d0ff157520015bf6",
    mac: "bdbf35363cf6c3822a86cde7fba1b8c4518b2262be40a23aaf0ca65c3649656f",
  });
});

test("what is not the box's answer is none", () => {
  const hello = { id: "", nonce: freshNonce(), name: "" };
  const session = new Session("00".repeat(16), hello, "");
  const sealed = session.seal({ do: "state" });
  assert.equal(session.open(sealed), null, "the phone's own words");
  assert.equal(session.open({ ...sealed, mac: "" }), null);
  assert.notEqual(freshNonce(), freshNonce());
  assert.ok(isSecret("0f".repeat(16)) && !isSecret("0F".repeat(16)) && !isSecret(""));
});
