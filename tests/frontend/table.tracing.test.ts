// Lines that the program proposes to the senior: asked for from the spur, one step of the history, and known by their origin.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Polyline } from "../../static/src/core/polyline";
import type { TableApi } from "../../static/src/table/api";
import { openingOf, openingWith } from "../../static/src/table/openings";
import { Poll } from "../../static/src/table/poll";
import { isProposed, originOf, Tracing, tracedBefore } from "../../static/src/table/tracing";
import type { Measure } from "../../static/src/table/wire";
import { ballots, type Given, reference, sitDown, targetOf } from "./table_case";

const MEASURE: Measure = { key: "aod", name: "AOD", rule: "aod500", targets: ["spur", "cornea", "iris"], unit: "mm" };
/** 100 µm a pixel: 500 µm are 5 columns; the iris falls by one row in each. */
const CORNEA: Polyline = { points: [[0, 2], [20, 2]] };
const IRIS: Polyline = { points: [[0, 2], [20, 22]] };
const IMAGE = { position: 1, width: 100, height: 40, url: "/1", bits: 8, um_per_px_x: 100, um_per_px_y: 100 };

function angle(spurs: readonly Given[] = [{ x: 1, y: 2 }, { x: 3, y: 2 }], image = IMAGE) {
  const spur = targetOf("point", { rule: "mean" }, { key: "spur", name: "Spur" });
  const lines = ["cornea", "iris"].map((key) => targetOf("polyline", { rule: "senior-drawing" }, { key, name: key, tracing: key, answers: [] }));
  const seat = sitDown(spur, spurs, { targets: [spur, ...lines], measures: [MEASURE], images: [image], references: [] });
  seat.table.polls.value = new Map([spur, ...lines].map((target) => [`1/${target.key}`, new Poll(target, image, target === spur ? ballots(...spurs) : [])]));
  const asked: unknown[] = [];
  const trace = (...wish: unknown[]) => { asked.push(wish); return Promise.resolve({ ok: true, body: { lines: [{ target: "cornea", ...CORNEA }, { target: "iris", ...IRIS }] } }); };
  const tracing = new Tracing(seat.state, seat.table, { trace } as unknown as TableApi, seat.desk, seat.senior);
  return { ...seat, tracing, asked };
}

void test("both lines are asked for from the spur as it stands, and are one step", async () => {
  const { state, table, desk, tracing, asked } = angle();
  await tracing.trace();
  assert.deepEqual(asked, [["c1", 1, "aod", { x: 2, y: 2 }]]);
  assert.deepEqual([state.answers.value["1/cornea"]?.geometry, state.answers.value["1/iris"]?.geometry], [CORNEA, IRIS]);
  assert.ok(isProposed(table, "1/cornea") && isProposed(table, "1/iris"));
  desk.undo();
  assert.deepEqual(state.answers.value, {});
});

void test("without a spur nothing is asked for", async () => {
  const { state, tracing, asked } = angle(["=not-visible", "=not-visible"]);
  await tracing.trace();
  assert.deepEqual(asked, []);
  assert.match(state.notice.value, /has no place/);
});

void test("a line is traced, corrected or drawn", async () => {
  const { table, tracing } = angle();
  assert.equal(originOf(table, "1/iris", IRIS), "drawn");
  await tracing.trace();
  assert.equal(originOf(table, "1/iris", IRIS), "traced");
  assert.equal(originOf(table, "1/iris", { points: [[0, 2], [20, 25]] }), "corrected");
  assert.equal(originOf(table, "1/iris", { points: [[1, 1], [9, 9]] }), "drawn");
});

void test("a reference that was traced is known as such at the next visit", () => {
  const { table } = angle();
  const before = reference({ target: "iris", content: { answer: "present", geometry: { ...IRIS }, label: "", signs: [], confidence: null }, displacement: { traced_from: { x: 2, y: 2 }, off_tracing_px: 0 } });
  table.file.value = { ...table.file.value!, references: [before] };
  table.traced.value = tracedBefore(table.file.value);
  assert.equal(originOf(table, "1/iris", IRIS), "traced");
  assert.equal(originOf(table, "1/iris", { points: [[0, 2], [20, 25]] }), "corrected");
});

void test("the distance is that of the lines as they stand, follows what is dragged, and is none without a pixel size", async () => {
  const { state, table, tracing } = angle();
  const measure = openingWith(table.file.value, "cornea")!;
  const mm = () => { const found = openingOf(state, table, measure); return found.kind === "known" ? found.opening.mm : found.why; };
  assert.equal(mm(), "lines");
  await tracing.trace();
  assert.ok(Math.abs(Number(mm()) - 0.7) < 1e-9); // at column 7 the iris lies 7 rows below
  table.drafted.value = { key: "spur", value: { x: 4, y: 2 } };
  assert.ok(Math.abs(Number(mm()) - 0.9) < 1e-9);
  state.bench.value = { ...state.bench.value!, images: [{ ...IMAGE, um_per_px_x: null }] };
  assert.equal(mm(), "scale");
});
