import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { sha256 } from "../../static/src/core/sha256";

const letters = (text: string): Uint8Array => new TextEncoder().encode(text);

// The examples of FIPS 180 and of NIST's "Cryptographic Standards and Guidelines" pages.
const PUBLISHED: readonly (readonly [string, Uint8Array, string])[] = [
  ["nothing", letters(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
  ["one block", letters("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"],
  ["two blocks", letters("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"), "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"],
  ["a million times a", letters("a".repeat(1_000_000)), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"],
];

for (const [name, message, expected] of PUBLISHED) {
  test(`the published digest of ${name}`, () => { assert.equal(sha256(message), expected); });
}

test("every length around the ends of blocks gives what Node gives", () => {
  const bytes = Uint8Array.from({ length: 200 }, (_, i) => (i * 167 + 13) % 256);
  for (let length = 0; length <= bytes.length; length += 1) {
    assert.equal(sha256(bytes.subarray(0, length)), createHash("sha256").update(bytes.subarray(0, length)).digest("hex"), `of ${String(length)} bytes`);
  }
});

test("a part of a longer row of bytes is taken for itself", () => {
  const bytes = letters("..abc..");

  assert.equal(sha256(bytes.subarray(2, 5)), PUBLISHED[1]?.[2]);
});
