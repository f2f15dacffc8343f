import assert from "node:assert/strict";
import { test } from "node:test";
import { isArchive, isMeant, together, type Chosen } from "../../static/src/upload/chosen";
import { leaf, readNames, readPlan, readPlanAnswer, type PlannedRow } from "../../static/src/upload/plan";

const BODY = {
  fitting: 1, subjects: 1, eyes: 1, new_cases: 1, joined_cases: 0,
  rows: [["P1", "R", 1, "", false], ["", "U", null, "The file name does not fit the pattern.", false]],
  lines_without_files: { count: 1, first: [[3, "lost.png"]] },
};

function rows(count: number, faulty: (at: number) => boolean): PlannedRow[] {
  return Array.from({ length: count }, (_, at) => ({ name: `${at}.png`, subject: "", side: "U", order: null, fault: faulty(at) ? "no" : "", seen: false }));
}

function chosen(path: string, content = ""): Chosen {
  return { file: new File([content], path.split("/").at(-1) ?? "", { lastModified: 1 }), path };
}

test("each row of a plan gets the name that was asked for in its place", () => {
  const plan = readPlan(BODY, ["P1_OD.png", "holiday.png"]);

  assert.deepEqual(plan?.rows.map(({ name, subject, fault }) => [name, subject, fault]), [["P1_OD.png", "P1", ""], ["holiday.png", "", "The file name does not fit the pattern."]]);
  assert.deepEqual(plan?.linesWithoutFiles, { count: 1, first: ["line 3: lost.png"] });
});

test("an answer with fewer rows than names is none", () => {
  assert.equal(readPlan(BODY, ["P1_OD.png"]), null);
});

for (const body of [null, {}, { rows: [["P1", "R", "1", "", false]] }, { rows: [["P1"]] }, { rows: "P" }]) {
  test(`no plan is read out of ${JSON.stringify(body)}`, () => {
    assert.equal(readPlan(body, ["a.png"]), null);
  });
}

test("a bad table is a fault that stays, a lost connection one that can be tried again", () => {
  const bad = readPlanAnswer(400, { code: "bad_table", message: "line 2: no", field: "metadata" }, []);
  const lost = readPlanAnswer(0, null, []);

  assert.deepEqual([bad, lost.kind], [{ kind: "fault", reason: "line 2: no" }, "retry"]);
});

test("the names of an archive are read from the pairs of its plan", () => {
  assert.deepEqual(readNames({ names: [["a.png", 10], ["b/c.png", 3]] }), ["a.png", "b/c.png"]);
});

test("ten thousand rows are shown a hundred at a time", () => {
  const all = rows(10_000, () => false);

  const first = leaf(all, false, 0);
  const last = leaf(all, false, 99);

  assert.deepEqual([first.rows.length, first.hasEarlier, first.hasLater], [100, false, true]);
  assert.deepEqual([last.rows[0]?.name, last.first, last.hasLater], ["9900.png", 9900, false]);
});

test("the rows that would be left out can be seen alone, and a page beyond the end is the last one", () => {
  const shown = leaf(rows(1000, (at) => at % 100 === 0), true, 7);

  assert.deepEqual([shown.total, shown.first, shown.rows.at(-1)?.name], [10, 0, "900.png"]);
});

test("the same file of the same folder, chosen twice, is there once", () => {
  const both = together([chosen("a/x.png")], [chosen("a/x.png"), chosen("b/x.png"), chosen("b/x.png")]);

  assert.deepEqual(both.map(({ path }) => path), ["a/x.png", "b/x.png"]);
});

test("what desktops leave among files is passed over", () => {
  const names = ["a.png", "photos/.DS_Store", "__MACOSX/a.png", "photos/Thumbs.db", ".hidden/a.png"];

  assert.deepEqual(names.filter((path) => isMeant({ path })), ["a.png"]);
});

test("archives are told by their ending", () => {
  assert.deepEqual(["a.zip", "b.TAR.GZ", "c.tgz", "d.tar", "e.png", "zip"].filter(isArchive), ["a.zip", "b.TAR.GZ", "c.tgz", "d.tar"]);
});
