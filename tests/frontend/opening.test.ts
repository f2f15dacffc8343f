// The angle opening distance, on the angles that the server's tests read too.
import assert from "node:assert/strict";
import { test } from "node:test";
import { openingDistance } from "../../static/src/core/opening";
import { fixture } from "./pictures";

interface Case { name: string; mm: number | null; spur: [number, number]; cornea: [number, number][]; iris: [number, number][]; towards_x: number; x_um: number; y_um: number }

const cases = fixture<Case>("opening.json");

function found({ spur: [x, y], cornea, iris, towards_x, x_um, y_um }: Case) {
  return openingDistance({ x, y }, { cornea: { points: cornea }, iris: { points: iris } }, towards_x, { x: x_um, y: y_um });
}

for (const one of cases) {
  void test(`the opening of the fixture: ${one.name}`, () => {
    const opening = found(one);
    if (one.mm === null) assert.equal(opening, null);
    else assert.ok(opening !== null && Math.abs(opening.mm - one.mm) < 1e-9, `${String(opening?.mm)} is not ${String(one.mm)}`);
  });
}

void test("the way that is measured is as long as what is said of it", () => {
  for (const one of cases) {
    const opening = found(one);
    if (opening === null) continue;
    const { from, to, mm } = opening;
    assert.ok(Math.abs(Math.hypot((to.x - from.x) * one.x_um, (to.y - from.y) * one.y_um) / 1000 - mm) < 1e-9);
  }
});
