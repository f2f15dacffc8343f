import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { interpolate, t, tn } from "../../static/src/i18n";

afterEach(() => { globalThis.quorumCatalogue = undefined; });

test("without a catalogue the English text is shown", () => {
  assert.equal(t("Upload finished"), "Upload finished");
});

test("a translation replaces the text", () => {
  globalThis.quorumCatalogue = { language: "de", plural: (n) => Number(n !== 1), messages: { Pause: ["Anhalten"] } };

  assert.equal(t("Pause"), "Anhalten");
});

test("names in braces are filled in, numbers with the language's separators", () => {
  assert.equal(t("{done} of {total}", { done: 1204, total: 10000 }), "1,204 of 10,000");
});

test("an unknown name stays visible instead of becoming undefined", () => {
  assert.equal(interpolate("{who} read it", {}), "{who} read it");
});

test("text from outside is not interpolated twice", () => {
  assert.equal(interpolate("{name} {n}", { name: "{n}.jpg", n: 3 }), "{n}.jpg 3");
});

test("English takes the singular for one and the plural for none", () => {
  assert.equal(tn("{n} image", "{n} images", 1), "1 image");
  assert.equal(tn("{n} image", "{n} images", 0), "0 images");
});

test("the catalogue's own rule chooses among three forms (Polish)", () => {
  globalThis.quorumCatalogue = {
    language: "pl",
    plural: (n) => (n === 1 ? 0 : n % 10 >= 2 && n % 10 <= 4 && (n % 100 < 10 || n % 100 >= 20) ? 1 : 2),
    messages: { "{n} file": ["{n} plik", "{n} pliki", "{n} plików"] },
  };

  assert.deepEqual([1, 3, 12, 22].map((n) => tn("{n} file", "{n} files", n)), ["1 plik", "3 pliki", "12 plików", "22 pliki"]);
});

test("a language with one form uses it for every number (Chinese)", () => {
  globalThis.quorumCatalogue = { language: "zh-hans", plural: () => 0, messages: { "{n} image": ["{n} 幅图像"] } };

  assert.equal(tn("{n} image", "{n} images", 5), "5 幅图像");
});
