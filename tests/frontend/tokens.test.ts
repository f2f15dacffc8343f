// Contrast by WCAG 2.2 (relative luminance); colour blindness by Machado, Oliveira and Fernandes 2009, severity 1.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

type Rgb = readonly [number, number, number];

const folder = join(PROJECT_ROOT, "static/styles");
const css = readFileSync(join(folder, "tokens.css"), "utf8");

function tokens(selector: string): Map<string, string> {
  const block = css.slice(css.indexOf(`${selector} {`));
  const found = block.slice(0, block.indexOf("\n}")).matchAll(/--([\w-]+):\s*([^;]+);/g);
  return new Map([...found].map((match) => [match[1] ?? "", (match[2] ?? "").trim()]));
}

const light = tokens(":root");
const dark = new Map([...light, ...tokens('[data-theme="dark"]')]);

function linear(theme: ReadonlyMap<string, string>, name: string): Rgb {
  const hex = theme.get(name);
  assert.match(hex ?? "", /^#[0-9a-f]{6}$/, `--${name}`);
  const channel = (at: number): number => {
    const value = parseInt((hex ?? "").slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [channel(1), channel(3), channel(5)];
}

const luminance = ([r, g, b]: Rgb): number => 0.2126 * r + 0.7152 * g + 0.0722 * b;

function contrast(one: Rgb, other: Rgb): number {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

test("black on white has the contrast 21 that WCAG states", () => {
  assert.equal(contrast([0, 0, 0], [1, 1, 1]), 21);
});

const TEXT: readonly (readonly [string, readonly string[]])[] = [
  ["text", ["page", "surface", "surface-sunk", "surface-hover", "accent-soft", "ok-soft", "warn-soft", "danger-soft"]],
  ["text-muted", ["page", "surface", "surface-sunk", "surface-hover", "neutral-soft", "accent-soft"]],
  ["accent", ["page", "surface", "surface-hover", "accent-soft"]],
  ["ok", ["surface", "ok-soft"]],
  ["warn", ["surface", "warn-soft"]],
  ["danger", ["surface", "surface-hover", "danger-soft"]],
  ["text-on-accent", ["accent", "accent-hover", "danger", "danger-hover"]],
];
for (const [name, theme] of [["light", light], ["dark", dark]] as const) {
  for (const [ink, grounds] of TEXT) {
    for (const ground of grounds) {
      test(`${name}: ${ink} on ${ground} is readable (4.5:1)`, () => {
        const ratio = contrast(linear(theme, ink), linear(theme, ground));
        assert.ok(ratio >= 4.5, ratio.toFixed(2));
      });
    }
  }
  for (const [sign, ground] of [["line-strong", "surface"], ["focus", "surface"], ["focus", "page"]] as const) {
    test(`${name}: ${sign} on ${ground} is visible (3:1)`, () => {
      const ratio = contrast(linear(theme, sign), linear(theme, ground));
      assert.ok(ratio >= 3, ratio.toFixed(2));
    });
  }
}

const CONTOURS = [1, 2, 3, 4, 5, 6, 7, 8];

test("every contour stands out from the dark mat (3:1)", () => {
  for (const number of CONTOURS) assert.ok(contrast(linear(dark, `contour-${number}`), linear(dark, "mat")) >= 3, `contour ${number}`);
});

test("every contour has a line style of its own", () => {
  assert.equal(new Set(CONTOURS.map((number) => light.get(`contour-dash-${number}`))).size, 8);
});

const BLINDNESS: Readonly<Record<string, readonly [Rgb, Rgb, Rgb]>> = {
  protanopia: [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
  deuteranopia: [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
  "normal sight": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
};

function lab([r, g, b]: Rgb): Rgb {
  const f = (value: number): number => (value > 216 / 24389 ? Math.cbrt(value) : (24389 / 27 * value + 16) / 116);
  const x = f((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505);
  const y = f(0.2126 * r + 0.7152 * g + 0.0722 * b);
  const z = f((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

for (const [sight, matrix] of Object.entries(BLINDNESS)) {
  test(`any two contours differ clearly (CIE76 ≥ 10) with ${sight}`, () => {
    const seen = CONTOURS.map((number) => {
      const colour = linear(light, `contour-${number}`);
      return lab(matrix.map((row) => Math.min(1, Math.max(0, row[0] * colour[0] + row[1] * colour[1] + row[2] * colour[2]))) as unknown as Rgb);
    });
    seen.forEach((one, i) => seen.slice(i + 1).forEach((other, k) => {
      const distance = Math.hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2]);
      assert.ok(distance >= 10, `${i + 1} and ${i + k + 2}: ${distance.toFixed(1)}`);
    }));
  });
}

for (const name of readdirSync(folder).filter((file) => file.endsWith(".css") && file !== "tokens.css")) {
  test(`${name} names colours by token only and loads nothing`, () => {
    const sheet = readFileSync(join(folder, name), "utf8").replace(/\/\*[\s\S]*?\*\//g, "").replace(/@media print \{[\s\S]*?\n\}/g, "");
    assert.doesNotMatch(sheet, /:[^;{}]*#[0-9a-f]{3,8}\b[^{}]*[;}]|url\(|@import|rgb\(/i);
    for (const used of sheet.matchAll(/var\(--([\w-]+)/g)) assert.ok(light.has(used[1] ?? ""), `--${used[1]} is not a token`);
  });
}
