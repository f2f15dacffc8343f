// Finds what t() and tn() are called with, by TypeScript's own parser.
import ts from "typescript";

/**
 * @typedef {object} Message
 * @property {string} id
 * @property {string | undefined} plural
 * @property {string} reference
 */

/** @param {ts.Node | undefined} node @returns {string | undefined} */
function literal(node) {
  if (node === undefined) return undefined;
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    const left = literal(node.left);
    const right = literal(node.right);
    return left === undefined || right === undefined ? undefined : left + right;
  }
  return undefined;
}

/**
 * @param {string} source
 * @param {string} fileName
 * @returns {Message[]}
 */
export function extractMessages(source, fileName) {
  const file = ts.createSourceFile(fileName, source, ts.ScriptTarget.ES2022, true);
  /** @type {Message[]} */
  const messages = [];
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && ["t", "tn"].includes(node.expression.text)) {
      const isPlural = node.expression.text === "tn";
      const id = literal(node.arguments[0]);
      const plural = isPlural ? literal(node.arguments[1]) : undefined;
      if (id === undefined || (isPlural && plural === undefined)) {
        const line = file.getLineAndCharacterOfPosition(node.getStart()).line + 1;
        throw new Error(`${fileName}:${line}: ${node.expression.text}() needs literal text, or it cannot be translated`);
      }
      messages.push({ id, plural, reference: fileName });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return messages;
}
