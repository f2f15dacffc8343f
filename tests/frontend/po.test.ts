import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import vm from "node:vm";
import { extractMessages } from "../../static/tools/extract.mjs";
import { mergeCatalogue } from "../../static/tools/merge.mjs";
import { catalogueScript, formatPo, parsePo, pluralExpression } from "../../static/tools/po.mjs";

const SAMPLE = String.raw`# The translator's name
msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\n"

# said of a button
#: static/src/a.ts static/src/b.ts
#, python-brace-format
msgid "Stop {name}"
msgstr "Halte \"{name}\"\tan"

#, fuzzy
msgid "Guess"
msgstr "Vermutung"

msgid "Long "
"text\n"
"in lines"
msgstr "Langer Text"

msgid "{n} file"
msgid_plural "{n} files"
msgstr[0] "{n} Datei"
msgstr[1] "{n} Dateien"

msgid "Open"
msgstr ""

#~ msgid "Gone"
#~ msgstr "Weg"
`;

function run(script: string): NonNullable<typeof globalThis.quorumCatalogue> {
  const scope: { quorumCatalogue?: typeof globalThis.quorumCatalogue } = {};
  vm.runInNewContext(script, scope);
  assert.ok(scope.quorumCatalogue);
  return scope.quorumCatalogue;
}

test("escapes, several lines, comments, flags and references are read", () => {
  const [, stop, , long] = parsePo(SAMPLE);

  assert.deepEqual(stop, {
    id: "Stop {name}", plural: undefined, context: undefined, strings: ['Halte "{name}"\tan'], comments: ["said of a button"],
    references: ["static/src/a.ts", "static/src/b.ts"], flags: ["python-brace-format"],
  });
  assert.equal(long?.id, "Long text\nin lines");
});

test("obsolete entries are left out", () => {
  assert.equal(parsePo(SAMPLE).some((entry) => entry.id === "Gone"), false);
});

test("what is written reads back the same", () => {
  const entries = parsePo(SAMPLE);

  assert.deepEqual(parsePo(formatPo(entries)), entries);
});

test("gettext's own msgfmt accepts what we write", (context) => {
  const folder = mkdtempSync(join(tmpdir(), "quorum-po-"));
  const path = join(folder, "x.po");
  writeFileSync(path, formatPo(parsePo(SAMPLE)));
  try {
    execFileSync("msgfmt", ["--check-format", "-o", join(folder, "x.mo"), path], { stdio: "pipe" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    context.skip("msgfmt is not installed");
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a broken line is refused with its number", () => {
  assert.throws(() => parsePo('msgid "a"\nmsgstr broken'), /line 2/);
});

test("the browser's script holds finished translations and the plural rule, not fuzzy or empty ones", () => {
  const catalogue = run(catalogueScript("de", parsePo(SAMPLE)));

  assert.deepEqual(Object.keys(catalogue.messages), ["Stop {name}", "Long text\nin lines", "{n} file"]);
  assert.deepEqual([catalogue.plural(1), catalogue.plural(2)], [0, 1]);
});

test("a plural rule that is more than arithmetic is refused", () => {
  assert.throws(() => pluralExpression("Plural-Forms: nplurals=1; plural=alert(n);"), /not understood/);
});

test("messages are found in calls of t and tn only, joined strings included", () => {
  const found = extractMessages('t("One"); tn("{n} a", "{n} b", k); other("No"); t("Two " + "halves");', "a.ts");

  assert.deepEqual(found.map(({ id, plural }) => [id, plural]), [["One", undefined], ["{n} a", "{n} b"], ["Two halves", undefined]]);
});

test("a text that is computed cannot be translated and is refused with file and line", () => {
  assert.throws(() => extractMessages("\nt(name)", "a.ts"), /a\.ts:2/);
});

test("merging keeps translations, drops what is no longer used and adds what is new", () => {
  const messages = extractMessages('t("Stop {name}"); t("New");', "c.ts");

  const merged = mergeCatalogue(parsePo(SAMPLE), messages, "de", "nplurals=2; plural=(n != 1);");

  assert.deepEqual(merged.slice(1).map(({ id, strings }) => [id, strings]), [["Stop {name}", ['Halte "{name}"\tan']], ["New", [""]]]);
});

test("every message of the front end has its Chinese translation with the same names in braces", () => {
  const entries = parsePo(readFileSync(join(PROJECT_ROOT, "locale/zh_Hans/LC_MESSAGES/djangojs.po"), "utf8"));
  const names = (text: string): string[] => [...text.matchAll(/\{\w+\}/g)].map(String).sort();

  for (const entry of entries.filter(({ id }) => id !== "")) {
    for (const form of entry.strings) assert.deepEqual(names(form), names(entry.plural ?? entry.id), entry.id);
    assert.ok(entry.strings.every((form) => form !== ""), `untranslated: ${entry.id}`);
  }
});
