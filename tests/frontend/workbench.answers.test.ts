import assert from "node:assert/strict";
import { test } from "node:test";
import type { Target, Workbench } from "../../static/src/sync/wire";
import { type Answers, differences, isInRegion, labelled, marked, nextUnanswered, openImages, unanswered, withLabel, withSign, without } from "../../static/src/workbench/answers";
import { ActiveTime } from "../../static/src/workbench/active";
import { type Press, meaningOf } from "../../static/src/workbench/keys";

const target = (key: string, part: Partial<Target> = {}): Target => ({
  key, name: key, kind: "label", required: true, tools: [], answers: [], region: "whole-image", inside: null,
  options: [{ key: "RG", name: "RG" }, { key: "NRG", name: "NRG" }, { key: "U", name: "U" }],
  signs: [{ key: "one", name: "one" }, { key: "two", name: "two" }], signs_show_when: "RG", asks_confidence: false, colour: 0, line: "solid", ...part,
});

function bench(images: number, targets: readonly Target[], nextOn: string | null): Workbench {
  return {
    assignment: "a", place: 1, total: 2, study: { id: "s", name: "S" }, state: "started", author: "me",
    images: Array.from({ length: images }, (_, i) => ({ position: i + 1, width: 100, height: 80, bits: 8, url: `/${String(i + 1)}`, um_per_px_x: null, um_per_px_y: null })),
    targets, case: { unit: "eye", next_photograph_on: nextOn, max_photographs: images }, viewer: { adjustments: [], ruler: true, middle_line: false, fellow_eye: false },
    drafts: [], damaged: [], comment: { version: 0, comment: "" }, submitted: null, can_withdraw: false, flags: [], skipped: false, fellow: null, lease: { mine: true, until: null }, previous: null, next: null, next_unread: null,
  };
}

const eye = bench(3, [target("rg")], "U");
const positions = (answers: Answers): number[] => openImages(eye, answers).map(({ position }) => position);

test("the first photograph of an eye is read first", () => {
  assert.deepEqual(positions({}), [1]);
});

test("ungradable leads on to the next photograph, up to the last", () => {
  assert.deepEqual(positions({ "1/rg": labelled("U") }), [1, 2]);
  assert.deepEqual(positions({ "1/rg": labelled("U"), "2/rg": labelled("U"), "3/rg": labelled("U") }), [1, 2, 3]);
});

test("a gradable photograph ends the eye, and answers beyond it are taken back", () => {
  const before = { "1/rg": labelled("U"), "2/rg": labelled("NRG") };
  assert.deepEqual(withLabel(eye, before, { position: 1, target: "rg" }, labelled("RG")), { "1/rg": labelled("RG") });
});

test("a photograph that was led to must be answered", () => {
  assert.deepEqual(unanswered(eye, { "1/rg": labelled("U") }), [{ position: 2, target: "rg" }]);
});

test("optional targets are not missed", () => {
  const case1 = bench(1, [target("a"), target("b", { required: false })], null);
  assert.deepEqual(unanswered(case1, {}), [{ position: 1, target: "a" }]);
});

test("forward goes on after the place in hand and around the end", () => {
  const case1 = bench(1, [target("a"), target("b"), target("c")], null);
  const answers = { "1/b": without("absent") };
  assert.equal(nextUnanswered(case1, answers, { position: 1, target: "b" })?.target, "c");
  assert.equal(nextUnanswered(case1, answers, { position: 1, target: "c" })?.target, "a");
  assert.equal(nextUnanswered(case1, { ...answers, "1/a": without("absent"), "1/c": without("absent") }, { position: 1, target: "c" }), null);
});

test("signs are ticked and unticked in their own order, and only beside their label", () => {
  const asked = target("rg");
  const both = withSign(asked, withSign(asked, labelled("RG"), "two"), "one");
  assert.deepEqual([both.signs, withSign(asked, both, "one").signs, withSign(asked, labelled("U"), "one").signs], [["one", "two"], ["two"], []]);
});

test("the middle line belongs to both halves", () => {
  const inHalf = (x: number): boolean[] => [isInRegion("left-half", x, 100), isInRegion("right-half", x, 100), isInRegion("whole-image", x, 100)];
  assert.deepEqual([inHalf(49), inHalf(50), inHalf(51)], [[true, false, true], [true, true, true], [false, true, true]]);
});

test("differences name what was added, changed and removed", () => {
  const same = marked({ x: 1, y: 2 });
  assert.deepEqual([...differences({ a: same, b: same, c: same }, { a: same, b: marked({ x: 3, y: 4 }), d: same })].sort(), ["b", "c", "d"]);
});

test("pauses count up to half a minute", () => {
  const active = new ActiveTime(0);
  active.touch(10_000);
  active.touch(100_000);
  assert.equal(active.ms(101_000), 41_000);
});

const press = (key: string, part: Partial<Press> = {}): Press => ({ key, code: "", ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...part });

test("digits are told by their place, with shift they tick signs", () => {
  assert.deepEqual(meaningOf(press("1", { code: "Digit1" })), { option: 0 });
  assert.deepEqual(meaningOf(press("3", { code: "Numpad3" })), { option: 2 });
  assert.deepEqual(meaningOf(press(")", { code: "Digit0", shiftKey: true })), { sign: 9 });
  assert.deepEqual(meaningOf(press("&", { code: "Digit1" })), null, "a French keyboard without shift");
});

test("undo, redo and submit go with Ctrl or Cmd; Alt belongs to the browser", () => {
  assert.deepEqual(meaningOf(press("z", { ctrlKey: true })), { command: "undo" });
  assert.deepEqual(meaningOf(press("Z", { metaKey: true, shiftKey: true })), { command: "redo" });
  assert.deepEqual(meaningOf(press("Enter", { ctrlKey: true })), { command: "submit" });
  assert.equal(meaningOf(press("h", { altKey: true })), null);
});
