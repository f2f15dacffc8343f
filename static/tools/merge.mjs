// Merges extracted messages into an existing catalogue; translations of messages that are still used are kept.

/**
 * @typedef {import("./po.mjs").PoEntry} PoEntry
 * @typedef {import("./extract.mjs").Message} Message
 */

/**
 * @param {readonly PoEntry[]} existing
 * @param {readonly Message[]} messages
 * @param {string} language
 * @param {string} plural the Plural-Forms value
 * @returns {PoEntry[]}
 */
export function mergeCatalogue(existing, messages, language, plural) {
  const header = existing.find((entry) => entry.id === "") ?? {
    id: "", plural: undefined, context: undefined, comments: [], references: [], flags: [],
    strings: [
      `Project-Id-Version: Quorum\nLanguage: ${language}\nMIME-Version: 1.0\nContent-Type: text/plain; charset=UTF-8\n` +
        `Content-Transfer-Encoding: 8bit\nPlural-Forms: ${plural}\n`,
    ],
  };
  const forms = Number(/nplurals=(\d+)/.exec(header.strings[0] ?? "")?.[1] ?? 2);
  /** @type {Map<string, PoEntry>} */
  const merged = new Map();
  for (const message of messages) {
    const seen = merged.get(message.id);
    if (seen) {
      if (!seen.references.includes(message.reference)) seen.references.push(message.reference);
      continue;
    }
    const old = existing.find((entry) => entry.id === message.id && (entry.plural === undefined) === (message.plural === undefined));
    merged.set(message.id, {
      id: message.id,
      plural: message.plural,
      context: undefined,
      strings: old?.strings ?? Array.from({ length: message.plural === undefined ? 1 : forms }, () => ""),
      comments: old?.comments ?? [],
      references: [message.reference],
      flags: /\{\w+\}/.test(message.id) ? ["python-brace-format"] : [],
    });
  }
  return [header, ...merged.values()];
}
