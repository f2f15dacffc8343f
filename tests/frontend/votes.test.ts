import assert from "node:assert/strict";
import { test } from "node:test";
import { verticalExtent, verticalRatio } from "../../static/src/core/extent";
import { agreedByAll, majorityLabel } from "../../static/src/core/label_vote";
import { fuseObjects } from "../../static/src/core/object_vote";
import { changedPixels, conformity, dice } from "../../static/src/core/overlap";
import { geometricMedian, meanPoint, medianPoint, outliers } from "../../static/src/core/points";
import { area, encode } from "../../static/src/core/rle";
import { countVotes, intersection, majority, tally, tied, union } from "../../static/src/core/votes";
import { fixture, mask } from "./pictures";

type Places = readonly number[];

interface VoteCase {
  readonly kind: "votes";
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly readings: readonly Places[];
  readonly votes: readonly {
    readonly voters: readonly number[];
    readonly majority: Places; readonly majority_or_tie: Places; readonly more_than_two_thirds: Places;
    readonly tied: Places; readonly union: Places; readonly intersection: Places;
    readonly gci: number | null; readonly dice: readonly (number | null)[]; readonly changed: readonly number[];
    readonly area: number; readonly extent: number;
  }[];
}

interface PointCase {
  readonly kind: "points";
  readonly name: string;
  readonly points: readonly [number, number][];
  readonly mean: readonly [number, number];
  readonly median: readonly [number, number];
  readonly geometric: readonly [number, number];
  readonly outliers: readonly boolean[];
}

interface ObjectCase {
  readonly kind: "objects";
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly readings: readonly (readonly Places[])[];
  readonly objects: readonly Places[];
  readonly matches: readonly (readonly [number, number][])[];
  readonly left_out: readonly [number, number][];
}

const CASES = fixture<VoteCase | PointCase | ObjectCase>("consensus.json");
const togglesOf = (places: Places) => Int32Array.from(places);

function isNear(one: { x: number; y: number }, [x, y]: readonly [number, number], within: number): void {
  assert.ok(Math.hypot(one.x - x, one.y - y) <= within, `(${one.x}, ${one.y}) is not (${x}, ${y})`);
}

function isNumber(found: number | null, wanted: number | null): void {
  if (found === null || wanted === null) assert.equal(found, wanted);
  else assert.ok(Math.abs(found - wanted) < 1e-12, `${found} is not ${wanted}`);
}

for (const each of CASES.filter((one): one is VoteCase => one.kind === "votes")) {
  test(`${each.name}: the votes are those of the pixels`, () => {
    const readings = each.readings.map(togglesOf);
    const all = countVotes(readings, each);

    for (const wanted of each.votes) {
      const votes = tally(all, Uint8Array.from(readings, (_, k) => Number(wanted.voters.includes(k))));
      const reference = majority(votes);

      assert.deepEqual([...reference], wanted.majority);
      assert.deepEqual([...majority(votes, "foreground")], wanted.majority_or_tie);
      assert.deepEqual([...majority(votes, "background", 2 / 3)], wanted.more_than_two_thirds);
      assert.deepEqual([...tied(votes)], wanted.tied);
      assert.deepEqual([...union(votes)], wanted.union);
      assert.deepEqual([...intersection(votes)], wanted.intersection);
      isNumber(conformity(votes), wanted.gci);
      readings.forEach((reading, k) => {
        isNumber(dice(reference, reading, each), wanted.dice[k]!);
        assert.equal(changedPixels(reference, reading, each), wanted.changed[k]);
      });
      assert.equal(area(reference, each), wanted.area);
      assert.equal(verticalExtent(reference, each), wanted.extent);
    }
  });
}

for (const each of CASES.filter((one): one is PointCase => one.kind === "points")) {
  test(`${each.name}: the points are fused as by another library`, () => {
    const points = each.points.map(([x, y]) => ({ x, y }));

    isNear(meanPoint(points), each.mean, 1e-9);
    isNear(medianPoint(points), each.median, 1e-9);
    isNear(geometricMedian(points), each.geometric, 1e-4);
    assert.deepEqual(outliers(points), each.outliers);
  });
}

for (const each of CASES.filter((one): one is ObjectCase => one.kind === "objects")) {
  test(`${each.name}: the objects are fused as on pixels`, () => {
    const fused = fuseObjects(each.readings.map((objects) => objects.map(togglesOf)), each);

    assert.deepEqual(fused.objects.map((object) => [...object]), each.objects);
    assert.deepEqual(fused.matches.map((match) => match.map(({ grader, object }) => [grader, object])), each.matches);
    assert.deepEqual(fused.leftOut.map(({ grader, object }) => [grader, object]), each.left_out);
  });
}

test("forty graders vote: grader k marks the pixels from k on", () => {
  const readings = Array.from({ length: 40 }, (_, k) => Int32Array.of(k));
  const votes = countVotes(readings, { width: 10, height: 5 });

  const [all, withoutLast] = [tally(votes, new Uint8Array(40).fill(1)), tally(votes, new Uint8Array(40).fill(1, 0, 39))];

  // Pixel p has the votes of graders 0 … p: more than 20 from the 21st pixel on, more than 19.5 of 39 from the 20th.
  assert.deepEqual([...majority(all)], [20]);
  assert.deepEqual([...tied(all)], [19, 20]);
  assert.deepEqual([...majority(withoutLast)], [19]);
  assert.deepEqual([...intersection(withoutLast)], [38]);
  assert.deepEqual([...all.pixels], [0, ...new Array<number>(39).fill(1), 11]);
});

test("nobody, and more graders than a byte counts, cannot vote", () => {
  assert.throws(() => countVotes([], { width: 2, height: 2 }), RangeError);
  assert.throws(() => countVotes(Array.from({ length: 256 }, () => new Int32Array()), { width: 2, height: 2 }), RangeError);
});

test("the ratio is that of the largest components, and there is none without a disc", () => {
  const disc = mask(".##..", ".##..", ".##..", ".##.#");
  const cup = mask("#....", ".....", "..#..", ".#...");

  assert.equal(verticalRatio(encode(cup), encode(disc), disc), 2 / 4);
  assert.equal(verticalRatio(encode(cup), new Int32Array(), disc), null);
});

test("a label needs more than half; two graders must be of one mind", () => {
  assert.deepEqual(majorityLabel(["RG", "NRG", "RG"]), { label: "RG", isTie: false, share: 2 / 3 });
  assert.deepEqual(majorityLabel(["RG", "NRG"]), { label: null, isTie: true, share: 1 / 2 });
  assert.deepEqual(agreedByAll(["U", "U"]), { label: "U", isTie: false, share: 1 });
  assert.deepEqual(agreedByAll(["U", "RG"]), { label: null, isTie: true, share: 1 / 2 });
  assert.deepEqual(agreedByAll(["U"]), { label: null, isTie: true, share: 1 });
});
