import assert from "node:assert/strict";
import { test } from "node:test";
import { decode } from "../../static/src/core/rle";
import { unpackMask } from "../../static/src/sync/mask_text";
import { decisionOf, standings } from "../../static/src/table/accepting";
import { drawing } from "./pictures";
import { SIZE, reference, sitDown, targetOf } from "./table_case";

const THREE = [["###...", "......"], ["####..", "......"], ["...###", "..####"]] as const;

test("a reading that is switched off is out of the vote at once, and is sent with its reason", async () => {
  const { state, table, desk, senior } = sitDown(targetOf("mask"), THREE);

  senior.turnAt(2);
  assert.deepEqual(drawing(decode(table.outcome.value!.masks[0]!, SIZE)), ["###...", "......"]);
  assert.equal(standings(state, table, desk)[0]?.hindrance, "reason");
  senior.reason("failed");

  const [standing] = standings(state, table, desk);
  const decision = await decisionOf(table, standing!);
  assert.deepEqual(decision.excluded, [{ reading: "r3", reason: "failed", note: "" }]);
  assert.deepEqual([decision.version, decision.adjusted], [1, null]);
});

test("a reading without a reason is in again when another row is turned to or the question is given up", () => {
  const { table, senior } = sitDown(targetOf("mask"), THREE);

  senior.turnAt(0);
  senior.turnAt(1);
  assert.deepEqual(Object.keys(table.excluded.value), ["r2"]);
  senior.giveUpChoosing();

  assert.deepEqual(table.excluded.value, {});
});

test("another reason needs its words", () => {
  const { state, table, desk, senior } = sitDown(targetOf("mask"), THREE);

  senior.turnAt(2);
  senior.reason("other");
  assert.equal(standings(state, table, desk)[0]?.hindrance, "reason");
  senior.reason("other", "drew the macula");

  assert.equal(standings(state, table, desk)[0]?.hindrance, null);
});

test("the last reading cannot be left out", () => {
  const { state, table, senior } = sitDown(targetOf("mask"), [THREE[0]]);

  senior.turnAt(0);

  assert.deepEqual(table.excluded.value, {});
  assert.match(state.notice.value, /At least one reading/);
});

test("the vote is taken into the hand, and undo gives it back", () => {
  const { state, table, desk, senior } = sitDown(targetOf("ellipse"), THREE);

  senior.adjust();
  assert.equal(standings(state, table, desk)[0]?.adjusted, null);
  desk.repaint(desk.layers.get("1/disc")!.pixels.slice().fill(1, 0, 6), "paint");
  assert.deepEqual(standings(state, table, desk)[0]?.adjusted?.by, { kind: "pixels", pixels: 2 });
  desk.undo();
  desk.undo();

  assert.equal(state.answers.value["1/disc"], undefined);
});

test("an adjusted mask is sent as it lies on its layer, with the digest of the vote", async () => {
  const { state, table, desk, senior } = sitDown(targetOf("ellipse"), THREE);
  const vote = await decisionOf(table, standings(state, table, desk)[0]!);

  senior.adjust();
  desk.repaint(desk.layers.get("1/disc")!.pixels.slice().fill(1, 0, 6), "paint");

  const decision = await decisionOf(table, standings(state, table, desk)[0]!);
  const [sent] = decision.adjusted?.masks ?? [];
  assert.equal(decision.digest, vote.digest);
  assert.deepEqual(drawing(decode(await unpackMask(sent!, SIZE), SIZE)), ["######", "......"]);
});

test("a point's displacement is the distance from the mean", () => {
  const { state, table, desk, senior } = sitDown(targetOf("point", { rule: "mean" }), [{ x: 1, y: 1 }, { x: 3, y: 1 }]);

  senior.adjust();
  desk.mark("disc", { x: 5, y: 1 }, "move-point", false);

  assert.deepEqual(standings(state, table, desk)[0]?.adjusted?.by, { kind: "distance", px: 3 });
});

test("a tie on a label must be decided, and the voted label is no adjustment", () => {
  const { state, table, desk, senior } = sitDown(targetOf("label"), ["RG", "NRG"]);
  assert.equal(standings(state, table, desk)[0]?.hindrance, "undecided");

  senior.labelAt(1);
  assert.equal(standings(state, table, desk)[0]?.adjusted?.content.label, "NRG");
  senior.turnAt(0);
  senior.reason("failed");

  assert.equal(standings(state, table, desk)[0]?.adjusted, null);
});

test("what a person has decided is not sent again unless it is touched or out of date", () => {
  const decided = sitDown(targetOf("mask"), THREE, { references: [reference({ state: "accepted" })] });
  const stale = sitDown(targetOf("mask"), THREE, { references: [reference({ state: "accepted", stale: true })] });

  assert.equal(standings(decided.state, decided.table, decided.desk)[0]?.isDecided, true);
  assert.equal(standings(stale.state, stale.table, stale.desk)[0]?.isDecided, false);
  decided.senior.turnAt(0);
  assert.equal(standings(decided.state, decided.table, decided.desk)[0]?.isDecided, false);
});

test("who may not decide changes nothing and is told", () => {
  const { state, table, senior } = sitDown(targetOf("mask"), THREE, { may_decide: false });

  senior.turnAt(0);
  senior.adjust();

  assert.deepEqual([table.excluded.value, table.adjusting.value, state.notice.value], [{}, false, "Only seniors decide here."]);
});

test("only what the protocol foresees can be done, but a tie can always be settled", () => {
  const strict = sitDown(targetOf("mask", {}, { steps: ["check"] }), THREE);
  strict.senior.turnAt(0);
  strict.senior.adjust();
  const tie = sitDown(targetOf("label", {}, { steps: ["check"] }), ["RG", "NRG"]);
  tie.senior.labelAt(0);

  assert.deepEqual([strict.table.excluded.value, strict.table.adjusting.value], [{}, false]);
  assert.match(strict.state.notice.value, /does not foresee/);
  assert.equal(standings(tie.state, tie.table, tie.desk)[0]?.adjusted?.content.label, "RG");
});
