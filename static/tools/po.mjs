// Reads and writes gettext PO files: enough of the format for our own catalogues, with comments and flags kept.

/**
 * @typedef {object} PoEntry
 * @property {string} id
 * @property {string | undefined} plural
 * @property {string | undefined} context
 * @property {string[]} strings
 * @property {string[]} comments translator's comments, without the leading "# "
 * @property {string[]} references
 * @property {string[]} flags
 */

const ESCAPES = /** @type {Record<string, string>} */ ({ n: "\n", t: "\t", r: "\r", '"': '"', "\\": "\\" });

/** @param {string} quoted @param {number} line @returns {string} */
function unquote(quoted, line) {
  const match = /^"((?:[^"\\]|\\.)*)"$/.exec(quoted.trim());
  if (match === null) throw new Error(`line ${line}: expected a quoted string, found ${quoted}`);
  return (match[1] ?? "").replace(/\\(.)/g, (_, /** @type {string} */ letter) => ESCAPES[letter] ?? letter);
}

/** @param {string} text */
function quote(text) {
  const escaped = text.replace(/\\/g, "\\\\").replace(/"/g, '\\"').replace(/\t/g, "\\t").replace(/\r/g, "\\r");
  const lines = escaped.split("\n");
  if (lines.length === 1) return `"${escaped}"`;
  const last = lines.pop() ?? "";
  return ['""', ...lines.map((line) => `"${line}\\n"`), ...(last === "" ? [] : [`"${last}"`])].join("\n");
}

/** @returns {PoEntry} */
function emptyEntry() {
  return { id: "", plural: undefined, context: undefined, strings: [], comments: [], references: [], flags: [] };
}

/**
 * All entries in file order, the header (id "") among them; obsolete entries (#~) are left out.
 * @param {string} text
 * @returns {PoEntry[]}
 */
export function parsePo(text) {
  /** @type {PoEntry[]} */
  const entries = [];
  let entry = emptyEntry();
  let started = false;
  /** @type {(more: string) => void} */
  let append = () => undefined;

  const finish = () => {
    if (started) entries.push(entry);
    entry = emptyEntry();
    started = false;
  };

  text.split(/\r?\n/).forEach((raw, index) => {
    const line = raw.trim();
    const number = index + 1;
    if (line === "") return finish();
    if (line.startsWith("#")) {
      if (started) finish();
      if (line.startsWith("#:")) entry.references.push(...line.slice(2).trim().split(/\s+/));
      else if (line.startsWith("#,")) entry.flags.push(...line.slice(2).split(",").map((flag) => flag.trim()));
      else if (!line.startsWith("#~") && !line.startsWith("#|") && !line.startsWith("#.")) entry.comments.push(line.slice(1).trim());
      return undefined;
    }
    const keyword = /^(msgctxt|msgid_plural|msgid|msgstr(?:\[(\d+)\])?)\s+(.*)$/.exec(line);
    if (keyword === null) return append(unquote(line, number));
    const value = unquote(keyword[3] ?? "", number);
    const name = keyword[1] ?? "";
    if (name === "msgctxt") {
      if (started) finish();
      entry.context = value;
      append = (more) => { entry.context += more; };
    } else if (name === "msgid") {
      if (started && entry.strings.length > 0) finish();
      entry.id = value;
      append = (more) => { entry.id += more; };
    } else if (name === "msgid_plural") {
      entry.plural = value;
      append = (more) => { entry.plural += more; };
    } else {
      const form = Number(keyword[2] ?? 0);
      entry.strings[form] = value;
      append = (more) => { entry.strings[form] += more; };
    }
    started = true;
    return undefined;
  });
  finish();
  return entries;
}

/** @param {PoEntry} entry */
function formatEntry(entry) {
  const lines = entry.comments.map((comment) => `# ${comment}`.trimEnd());
  lines.push(...entry.references.map((reference) => `#: ${reference}`));
  if (entry.flags.length > 0) lines.push(`#, ${entry.flags.join(", ")}`);
  if (entry.context !== undefined) lines.push(`msgctxt ${quote(entry.context)}`);
  lines.push(`msgid ${quote(entry.id)}`);
  if (entry.plural === undefined) lines.push(`msgstr ${quote(entry.strings[0] ?? "")}`);
  else {
    lines.push(`msgid_plural ${quote(entry.plural)}`);
    const forms = entry.strings.length > 0 ? entry.strings : [""];
    forms.forEach((form, index) => lines.push(`msgstr[${index}] ${quote(form)}`));
  }
  return lines.join("\n");
}

/** @param {readonly PoEntry[]} entries */
export function formatPo(entries) {
  return `${entries.map(formatEntry).join("\n\n")}\n`;
}

/**
 * The plural rule of a header as a JavaScript expression in n; refused when it is anything but arithmetic.
 * @param {string} header
 */
export function pluralExpression(header) {
  const match = /Plural-Forms:[^\n]*plural=([^;\n]+)/.exec(header);
  const expression = (match?.[1] ?? "n != 1").trim();
  if (!/^[n0-9\s?:()<>=!&|%]+$/.test(expression)) throw new Error(`plural rule not understood: ${expression}`);
  return expression;
}

/**
 * The script that carries a language to the browser; a file of its own, as inline scripts are forbidden.
 * Untranslated and fuzzy entries are left out, so that the English text shows.
 * @param {string} language
 * @param {readonly PoEntry[]} entries
 */
export function catalogueScript(language, entries) {
  const header = entries.find((entry) => entry.id === "" && entry.context === undefined)?.strings[0] ?? "";
  /** @type {Record<string, string[]>} */
  const messages = {};
  for (const entry of entries) {
    const complete = entry.strings.length > 0 && entry.strings.every((form) => form !== "");
    if (entry.id !== "" && complete && !entry.flags.includes("fuzzy")) messages[entry.id] = entry.strings;
  }
  return (
    `globalThis.quorumCatalogue = {\n  language: ${JSON.stringify(language)},\n` +
    `  plural: (n) => Number(${pluralExpression(header)}),\n  messages: ${JSON.stringify(messages, null, 1)},\n};\n`
  );
}
