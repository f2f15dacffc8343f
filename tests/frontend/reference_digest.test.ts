import assert from "node:assert/strict";
import { test } from "node:test";
import { areaDigest, objectsDigest, pointsDigest, wordDigest } from "../../static/src/core/reference_digest";
import { fixture } from "./pictures";

interface Case {
  readonly kind: string;
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly digest: string;
  readonly mask?: readonly number[];
  readonly objects?: readonly (readonly number[])[];
  readonly point?: readonly [number, number];
  readonly line?: readonly (readonly [number, number])[];
  readonly label?: string;
  readonly answer?: string;
}

function digestOf(each: Case): string {
  if (each.mask !== undefined) return areaDigest(Int32Array.from(each.mask), each);
  if (each.objects !== undefined) return objectsDigest(each.objects.map((places) => Int32Array.from(places)), each);
  if (each.point !== undefined) return pointsDigest([each.point]);
  return each.line !== undefined ? pointsDigest(each.line) : wordDigest(each.label ?? each.answer ?? "");
}

for (const each of fixture<Case>("consensus.json").filter(({ kind }) => kind === "digest")) {
  test(`${each.name}: the digest is that of bytes put together by hand`, () => {
    assert.equal(digestOf(each), each.digest);
  });
}
