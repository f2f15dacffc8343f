import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { bareTemplateText, inlineCode } from "../../static/tools/templates.mjs";

const folder = join(PROJECT_ROOT, "templates");
const templates = readdirSync(folder, { recursive: true }).map(String).filter((name) => name.endsWith(".html"))
  .map((name) => ({ name, text: readFileSync(join(folder, name), "utf8") }));

test("no template shows a text that cannot be translated", () => {
  const found = templates.flatMap(({ name, text }) => bareTemplateText(text).map((bare) => `${name}: ${bare}`));

  assert.deepEqual(found, []);
});

test("no template holds an inline script, style or handler", () => {
  const found = templates.flatMap(({ name, text }) => inlineCode(text).map((what) => `${name}: ${what}`));

  assert.deepEqual(found, []);
});

test("every component says at its top what it takes", () => {
  const mute = templates.filter(({ name, text }) => name.startsWith("components/") && !/^\{(#|% comment)/.test(text));

  assert.deepEqual(mute.map(({ name }) => name), []);
});

for (const [source, found] of [
  ["<p>Save</p>", ["Save"]],
  ['<p title="Save">{{ name }}</p>', ["Save"]],
  ['{% translate "Save" %}', []],
  ["{% blocktranslate %}Save {{ n }}{% endblocktranslate %}", []],
  ["{# a note #}{% comment %}another{% endcomment %}", []],
  ["<p>{{ width }} × {{ height }} px · Quorum</p>", []],
] as const) {
  test(`bare text in ${source}: ${found.length}`, () => {
    assert.deepEqual(bareTemplateText(source), found);
  });
}

for (const source of ['<p style="x">', '<a onclick="x()">', "<script>x</script>", "<style>", '<img src="https://elsewhere.example/a.png">']) {
  test(`refused: ${source}`, () => {
    assert.equal(inlineCode(source).length, 1);
  });
}

test("a link may lead to another site", () => {
  assert.deepEqual(inlineCode('<a href="https://doi.org/10.1016/j.media.2019.101570">'), []);
});

test("data for a script is no inline script", () => {
  assert.deepEqual(inlineCode('<script type="application/json">{}</script><script type="module" src="/a.js"></script>'), []);
});
