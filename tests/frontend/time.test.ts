import assert from "node:assert/strict";
import { test } from "node:test";
import { formatElapsed, formatMoment, formatRelative } from "../../static/src/time";

const NOW = new Date("2026-03-10T12:00:00Z");

for (const [moment, words] of [
  ["2026-03-10T11:59:40Z", "now"],
  ["2026-03-10T11:57:30Z", "2 minutes ago"],
  ["2026-03-10T14:00:00Z", "in 2 hours"],
  ["2026-03-09T11:00:00Z", "yesterday"],
  ["2025-03-01T12:00:00Z", "last year"],
] as const) {
  test(`${moment} is ${words} as seen at noon on 10 March 2026`, () => {
    assert.equal(formatRelative(new Date(moment), NOW, "en"), words);
  });
}

test("a moment is shown in the reader's zone", () => {
  // Shanghai is 8 hours ahead of UTC the whole year.
  const shown = formatMoment(new Date("2026-03-10T20:30:00Z"), "datetime", NOW, "en-GB", "Asia/Shanghai");

  assert.match(shown, /11 Mar 2026.*04:30/);
});

test("a date has no clock", () => {
  assert.equal(formatMoment(NOW, "date", NOW, "en-GB", "UTC"), "10 Mar 2026");
});

for (const [seconds, words] of [[0, "0 s"], [59.9, "59 s"], [60, "1 min 00 s"], [185, "3 min 05 s"], [3600, "1 h 00 min"], [7659, "2 h 07 min"], [-4, "0 s"]] as const) {
  test(`${seconds} seconds read ${words}`, () => {
    assert.equal(formatElapsed(seconds), words);
  });
}
