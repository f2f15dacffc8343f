// Finds user-visible text outside t()/tn(), and ways of writing HTML or style that the page's policy forbids.
import ts from "typescript";

const TEXT_PROPERTIES = new Set(["textContent", "innerText", "title", "placeholder", "ariaLabel", "ariaDescription", "alt"]);
const TEXT_ATTRIBUTES = new Set(["title", "placeholder", "aria-label", "aria-description", "alt"]);
const TEXT_CALLS = new Set(["alert", "confirm", "prompt", "setText", "announce", "createTextNode", "append", "prepend", "replaceChildren"]);
const FORBIDDEN_NAMES = new Set(["innerHTML", "outerHTML", "insertAdjacentHTML", "dangerouslySetInnerHTML", "createContextualFragment"]);
const LETTER = /\p{L}/u;

/**
 * @typedef {object} Finding
 * @property {number} line
 * @property {string} text
 */

/** @param {string} source @param {string} fileName */
function parse(source, fileName) {
  return ts.createSourceFile(fileName, source, ts.ScriptTarget.ES2022, true);
}

/** @param {ts.SourceFile} file @returns {Map<string, ts.Expression>} */
function constants(file) {
  const found = new Map();
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer) found.set(node.name.text, node.initializer);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/**
 * Literal pieces with letters that an expression can become; t(), tn() and other calls are not looked into.
 * @param {ts.Node} node
 * @param {Map<string, ts.Expression>} known
 * @param {number} depth guards against constants that name each other
 * @returns {string[]}
 */
function bareText(node, known, depth = 0) {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return LETTER.test(node.text) ? [node.text] : [];
  if (ts.isTemplateExpression(node)) {
    const pieces = [node.head.text, ...node.templateSpans.map((span) => span.literal.text)].filter((piece) => LETTER.test(piece));
    return [...pieces, ...node.templateSpans.flatMap((span) => bareText(span.expression, known, depth))];
  }
  if (ts.isConditionalExpression(node)) return [...bareText(node.whenTrue, known, depth), ...bareText(node.whenFalse, known, depth)];
  if (ts.isBinaryExpression(node)) return [...bareText(node.left, known, depth), ...bareText(node.right, known, depth)];
  if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isNonNullExpression(node)) return bareText(node.expression, known, depth);
  if (ts.isIdentifier(node) && depth < 4) {
    const initial = known.get(node.text);
    return initial ? bareText(initial, known, depth + 1) : [];
  }
  return [];
}

/** @param {ts.Node} node @returns {readonly ts.Node[]} expressions whose text a person will see */
function sinks(node) {
  if (ts.isBinaryExpression(node) && [ts.SyntaxKind.EqualsToken, ts.SyntaxKind.PlusEqualsToken].includes(node.operatorToken.kind)) {
    return ts.isPropertyAccessExpression(node.left) && TEXT_PROPERTIES.has(node.left.name.text) ? [node.right] : [];
  }
  if (ts.isPropertyAssignment(node) && ts.isIdentifier(node.name) && (node.name.text === "text" || TEXT_PROPERTIES.has(node.name.text))) return [node.initializer];
  if (ts.isCallExpression(node)) {
    const callee = ts.isPropertyAccessExpression(node.expression) ? node.expression.name.text : node.expression.getText();
    if (TEXT_CALLS.has(callee)) return node.arguments;
    const [attribute, value] = node.arguments;
    if (callee === "setAttribute" && attribute && value && ts.isStringLiteral(attribute) && TEXT_ATTRIBUTES.has(attribute.text)) return [value];
  }
  if (ts.isJsxExpression(node) && node.expression && !ts.isJsxAttribute(node.parent)) return [node.expression];
  if (ts.isJsxAttribute(node) && TEXT_ATTRIBUTES.has(node.name.getText()) && node.initializer) {
    return ts.isJsxExpression(node.initializer) ? (node.initializer.expression ? [node.initializer.expression] : []) : [node.initializer];
  }
  return [];
}

/** @param {string} source @param {string} fileName @returns {Finding[]} */
export function bareStrings(source, fileName) {
  const file = parse(source, fileName);
  const known = constants(file);
  /** @type {Finding[]} */
  const findings = [];
  /** @param {ts.Node} node @param {string} text */
  const report = (node, text) => findings.push({ line: file.getLineAndCharacterOfPosition(node.getStart()).line + 1, text });
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (ts.isJsxText(node) && LETTER.test(node.text)) report(node, node.text.trim());
    for (const sink of sinks(node)) bareText(sink, known).forEach((text) => report(node, text));
    ts.forEachChild(node, visit);
  };
  visit(file);
  return findings;
}

/** @param {string} source @param {string} fileName @returns {Finding[]} */
export function forbiddenMarkup(source, fileName) {
  const file = parse(source, fileName);
  /** @type {Finding[]} */
  const findings = [];
  /** @param {ts.Node} node */
  const visit = (node) => {
    const line = () => file.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    if (ts.isIdentifier(node) && FORBIDDEN_NAMES.has(node.text)) findings.push({ line: line(), text: node.text });
    if (ts.isCallExpression(node)) {
      const called = node.expression.getText();
      const first = node.arguments[0];
      if (/(^|\.)(eval|write|writeln)$/.test(called) && /^(eval|document\.)/.test(called)) findings.push({ line: line(), text: called });
      if (called.endsWith("setAttribute") && first && ts.isStringLiteral(first) && (first.text === "style" || first.text.startsWith("on"))) {
        findings.push({ line: line(), text: `setAttribute("${first.text}")` });
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return findings;
}
