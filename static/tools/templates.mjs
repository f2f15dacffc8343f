// What a Django template shows without translation, and what the Content-Security-Policy would refuse in it.

const LETTER = /\p{L}{2,}/u;
/** Words that are the same in every language: the product's name, formats, units. */
const NAMES = /\b(Quorum|API|JPEG|PNG|CSV|JSON|MB|doi|px|µm)\b/gu;

/** @param {string} source template text without comments */
function withoutComments(source) {
  return source.replace(/\{% comment %\}[\s\S]*?\{% endcomment %\}/g, "").replace(/\{#[\s\S]*?#\}/g, "");
}

/**
 * The blocks theme and page_class go into attributes and are not words.
 * @param {string} source
 */
function withoutTags(source) {
  return source
    .replace(/\{% block (?:theme|page_class) %\}[\s\S]*?\{% endblock\b[^%]*%\}/g, " ")
    .replace(/\{% blocktrans(?:late)?\b[\s\S]*?\{% endblocktrans(?:late)? %\}/g, " ")
    .replace(/\{%[\s\S]*?%\}/g, " ")
    .replace(/\{\{[\s\S]*?\}\}/g, " ");
}

/**
 * Visible text and attributes that do not go through gettext.
 * @param {string} template
 * @returns {string[]}
 */
export function bareTemplateText(template) {
  const html = withoutTags(withoutComments(template)).replace(/<script\b[\s\S]*?<\/script>/g, " ").replace(/&\w+;/g, " ");
  const attributes = [...html.matchAll(/\b(?:title|placeholder|aria-label|alt)="([^"]*)"/g)].map((match) => match[1] ?? "");
  // What follows the last tag-like "<…>" is text; attribute values hold no ">" in our templates.
  const texts = html.split(/<[^>]*>/);
  return [...attributes, ...texts].map((text) => text.trim()).filter((text) => LETTER.test(text.replace(NAMES, "")));
}

/**
 * Inline styles, handlers, scripts, and what would be loaded from other sites (plain links may lead there).
 * @param {string} template
 * @returns {string[]}
 */
export function inlineCode(template) {
  const html = withoutComments(template);
  const scripts = [...html.matchAll(/<script\b([^>]*)>/g)].map((match) => match[1] ?? "");
  return [
    ...[...html.matchAll(/<[^>]*\s(style|on[a-z]+)=["'][^>]*>/g)].map((match) => `${match[1]}=`),
    ...[...html.matchAll(/<style\b|javascript:|src="https?:|<link[^>]*href="https?:/g)].map(String),
    ...scripts.filter((attributes) => !/\bsrc=/.test(attributes) && !/type="application\/json"/.test(attributes)).map(() => "<script>"),
  ];
}
