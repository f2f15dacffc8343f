import assert from "node:assert/strict";
import { test } from "node:test";
import { signal } from "@preact/signals";
import { wireNotices } from "../../static/src/workbench/notices";

function scene() {
  const [root, notice, clock] = [new EventTarget(), signal(""), { now: 0 }];
  wireNotices(root, notice, () => clock.now);
  return { root, notice, clock, act: (kind: string) => { root.dispatchEvent(new Event(kind)); } };
}

for (const kind of ["pointerdown", "keydown"]) {
  test(`the next ${kind} takes a notice away that was to be read`, () => {
    const { notice, clock, act } = scene();
    notice.value = "The layer is locked.";
    clock.now = 2_000;
    act(kind);
    assert.equal(notice.value, "");
  });
}

test("a notice that has just come outlives the next key", () => {
  const { notice, clock, act } = scene();
  clock.now = 10_000;
  notice.value = "The layer is locked.";
  clock.now = 10_500;
  act("keydown");
  assert.equal(notice.value, "The layer is locked.");
});

test("what an act says itself is not taken away by it", () => {
  const { root, notice, clock, act } = scene();
  root.addEventListener("keydown", () => { notice.value = "There is nothing to smooth."; });
  notice.value = "The layer is locked.";
  clock.now = 2_000;
  act("keydown");
  assert.equal(notice.value, "There is nothing to smooth.");
});
