// `npm run messages`: brings locale/*/LC_MESSAGES/djangojs.po up to date with the t()/tn() calls in static/src.
import { mkdirSync, readFileSync, readdirSync, writeFileSync, existsSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { extractMessages } from "./extract.mjs";
import { mergeCatalogue } from "./merge.mjs";
import { formatPo, parsePo } from "./po.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const sources = join(root, "static", "src");

/** The languages besides English: Django's folder name and the plural rule of a new file. */
const LANGUAGES = { zh_Hans: "nplurals=1; plural=0;" };

const messages = readdirSync(sources, { recursive: true })
  .map(String)
  .filter((name) => /\.tsx?$/.test(name))
  .sort()
  .flatMap((name) => {
    const path = join(sources, name);
    return extractMessages(readFileSync(path, "utf8"), relative(root, path).replaceAll("\\", "/"));
  });

for (const [language, plural] of Object.entries(LANGUAGES)) {
  const path = join(root, "locale", language, "LC_MESSAGES", "djangojs.po");
  const existing = existsSync(path) ? parsePo(readFileSync(path, "utf8")) : [];
  const merged = mergeCatalogue(existing, messages, language, plural);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, formatPo(merged));
  const open = merged.filter((entry) => entry.id !== "" && entry.strings.some((form) => form === "")).length;
  console.log(`${relative(root, path)}: ${merged.length - 1} messages, ${open} untranslated`);
}
