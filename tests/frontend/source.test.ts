import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { extractMessages } from "../../static/tools/extract.mjs";
import { bareStrings, forbiddenMarkup } from "../../static/tools/lint.mjs";
import { parsePo } from "../../static/tools/po.mjs";

const folder = join(PROJECT_ROOT, "static/src");
const sources = readdirSync(folder, { recursive: true }).map(String).filter((name) => /\.tsx?$/.test(name))
  .map((name) => ({ name: `static/src/${name}`, text: readFileSync(join(folder, name), "utf8") }));

for (const { name, text } of sources) {
  test(`${name} shows no text that cannot be translated`, () => {
    assert.deepEqual(bareStrings(text, name), []);
  });

  test(`${name} writes no markup and no inline style`, () => {
    assert.deepEqual(forbiddenMarkup(text, name), []);
  });

  test(`${name} stays under 300 lines`, () => {
    assert.ok(text.split("\n").length <= 300);
  });
}

test("the Chinese catalogue holds exactly the messages of the sources", () => {
  const wanted = new Set(sources.flatMap(({ name, text }) => extractMessages(text, name)).map(({ id }) => id));
  const held = parsePo(readFileSync(join(PROJECT_ROOT, "locale/zh_Hans/LC_MESSAGES/djangojs.po"), "utf8")).map(({ id }) => id).filter((id) => id !== "");

  assert.deepEqual(new Set(held), wanted, "run `npm run messages`");
});

const BARE = [
  'label.textContent = "Save";',
  "label.textContent = `Saved ${n} files`;",
  'box.placeholder = ready ? t("Ready") : "Wait";',
  'setText(label, "Save");',
  'alert("No");',
  'node.append("Save");',
  'box.setAttribute("aria-label", "Search");',
  'element("span", { className: "badge", text: "Refused" });',
  'const word = "Save"; label.title = word;',
  'label.textContent = "" + (count || "none");',
];
for (const code of BARE) {
  test(`a bare string is found in: ${code}`, () => {
    assert.notEqual(bareStrings(code, "a.ts").length, 0);
  });
}

test("bare text and attributes in JSX are found", () => {
  assert.equal(bareStrings('const a = <p title="Help">Words {t("fine")} {"more"}</p>;', "a.tsx").length, 3);
});

const FINE = [
  'label.textContent = t("Save");',
  'setText(label, tn("{n} a", "{n} b", n));',
  "label.textContent = `${percent}%`;",
  'label.className = "badge badge-ok";',
  'label.textContent = file.name;',
  'element("span", { className: "badge", text: t("Refused") });',
];
for (const code of FINE) {
  test(`nothing is found in: ${code}`, () => {
    assert.deepEqual(bareStrings(code, "a.ts"), []);
  });
}

for (const code of ["a.innerHTML = b;", 'a.insertAdjacentHTML("x", y);', 'document.write("x");', "eval(x);", 'a.setAttribute("style", "x");', 'a.setAttribute("onclick", "x");']) {
  test(`markup is refused in: ${code}`, () => {
    assert.equal(forbiddenMarkup(code, "a.ts").length, 1);
  });
}
