'use strict';

const ts = require('typescript');

/**
 * What the sources say of a type and of its fields: the comment at the field, or, where that has
 * none, the part of its type's comment in the form "`name`: what it is".
 */

/** A part such as "`name`: what it is", at the beginning of a comment, a sentence or a clause. */
const PART = /(?:^|[.;]\s+)`([\w.]+)`: /g;

/**
 * By name, and as '' what stands before them.
 * @param {string} comment
 * @returns {Record<string, string>}
 */
function partsOf(comment) {
  const text = comment.replace(/\s+/g, ' ').trim();
  const marks = [...text.matchAll(PART)];
  const first = marks[0]?.index ?? text.length;
  /** @type {Record<string, string>} */
  const parts = { '': text.slice(0, marks[0]?.[0].startsWith('.') ? first + 1 : first) };
  marks.forEach(({ 0: mark, 1: name, index }, i) => {
    const end = marks[i + 1]?.index ?? text.length;
    parts[name] = text.slice(index + mark.length, end).replace(/[.;]?$/, '');
  });
  return parts;
}

/** @param {ts.JSDocTag | ts.JSDoc | undefined} node */
const textOf = (node) => ts.getTextOfJSDocComment(node?.comment) ?? '';

/**
 * The comments of what declares a type, from the closest: a type, or the function that returns it.
 * @param {ts.Node} owner
 * @returns {string[]}
 */
function commentsOf(owner) {
  if (ts.isJSDocTypedefTag(owner)) return [textOf(owner), textOf(owner.parent)];
  if (ts.isJSDocReturnTag(owner)) return [textOf(owner)];
  if (isFunction(owner)) return [textOf(ts.getJSDocReturnTag(owner))];
  return ts
    .getJSDocCommentsAndTags(owner)
    .filter(ts.isJSDoc)
    .map((doc) => textOf(doc));
}

/** @param {ts.Node} node @returns {node is ts.SignatureDeclaration} */
const isFunction = (node) => ts.isFunctionDeclaration(node) || ts.isArrowFunction(node);

/** @param {ts.Node} node */
const isOwner = (node) =>
  ts.isJSDocTypedefTag(node) ||
  ts.isJSDocReturnTag(node) ||
  ts.isInterfaceDeclaration(node) ||
  ts.isTypeAliasDeclaration(node) ||
  isFunction(node);

/**
 * What declares the type that a field is of, and the way down to the field.
 * @param {ts.Node} declaration of the field
 * @returns {{ owner: ts.Node | null, path: string[] }}
 */
function placeOf(declaration) {
  /** @type {string[]} */
  const path = [];
  /** @type {ts.Node | undefined} */
  let node = declaration;
  for (; node && !isOwner(node); node = node.parent) {
    const { name } = /** @type {ts.PropertySignature} */ (node);
    if (name && (ts.isPropertySignature(node) || ts.isPropertyAssignment(node)))
      path.unshift(name.getText().replace(/^['"]|['"]$/g, ''));
    else if (ts.isShorthandPropertyAssignment(node)) path.unshift(node.name.text);
  }
  return { owner: node ?? null, path };
}

/**
 * What is said of a field.
 * @param {ts.Symbol} field
 * @param {ts.TypeChecker} checker
 * @returns {string} '' for nothing
 */
function fieldComment(field, checker) {
  const [declaration] = field.declarations ?? [];
  if (!declaration) return '';
  const own = ts.displayPartsToString(field.getDocumentationComment(checker));
  if (own !== '') return own.replace(/\s+/g, ' ').trim();
  const { owner, path } = placeOf(declaration);
  if (owner === null || path.length === 0) return commonComment(field.name);
  const found = commentsOf(owner).map((comment) => partsOf(comment)[path.join('.')]);
  return found.find((part) => part !== undefined) ?? commonComment(field.name);
}

/** @param {string} name */
const commonComment = (name) => (Object.hasOwn(COMMON, name) ? COMMON[name] : '');

/**
 * What is said of a type as a whole.
 * @param {ts.Symbol} symbol
 * @returns {string} '' for nothing
 */
function typeComment(symbol) {
  const [declaration] = symbol.declarations ?? [];
  if (!declaration) return '';
  const [own = '', shared = ''] = commentsOf(declaration).map((comment) => partsOf(comment)['']);
  // A comment over several types may be about another one of them.
  const isAlone =
    ts.isJSDocTypedefTag(declaration) &&
    (declaration.parent.tags ?? []).filter(ts.isJSDocTypedefTag).length === 1;
  return own !== '' || !isAlone ? own : shared;
}

/**
 * What is said of a function, and of what it returns as a whole.
 * @param {ts.SignatureDeclaration} declaration
 * @returns {string}
 */
function functionComment(declaration) {
  const docs = ts.getJSDocCommentsAndTags(declaration).filter(ts.isJSDoc);
  return docs.map((doc) => partsOf(textOf(doc))['']).join(' ');
}

/**
 * Units, by how the name of a number ends; the first that fits.
 * @type {readonly (readonly [RegExp, string])[]}
 */
const UNITS = Object.freeze([
  [/MsPerSec$/, 'milliseconds per second'],
  [/[bB]ytesPerSec$/, 'bytes per second'],
  [/PerSec$/, 'per second'],
  [/[pP]erMinute$/, 'per minute'],
  [/(?:At|^from|^to|^optime|^newest|^committed)Ms$/, 'milliseconds since 1970, UTC'],
  [/Ms$/, 'milliseconds'],
  [/(?:^s|S)econds$/, 'seconds'],
  [/(?:^m|M)inutes$/, 'minutes'],
  [/(?:^l|L)engthHours$/, 'hours'],
  [/(?:^b|B)ytes$/, 'bytes'],
  [/GB$/, 'GiB'],
  [/MB$/, 'MiB'],
  [/Percent$|^eviction\w*(?:Target|Trigger)$/, 'percent'],
  [/(?:^r|R)atio$/, 'ratio, 1 is 100%'],
  [/(?:^c|C)ores$/, 'CPU cores'],
  [/(?:^t|T)hreads(?:Min|Max|Active)?$/, 'threads'],
]);

/**
 * What fields mean that many answers have.
 * @type {Readonly<Record<string, string>>}
 */
const COMMON = Object.freeze({
  at: 'when this was measured or done',
  host: 'the server, as it calls itself',
  version: 'of MongoDB',
  seconds: 'how long was sampled',
  notes: 'sentences for a person: what could not be read, what limits the answer',
  warnings: 'sentences for a person: what to know before the change',
  exitCode: 'with which a script ends: 0 ok, 1 warning, 2 critical, 3 unknown',
  because: 'the reason, a sentence for a person',
  bottleneck: 'the resource that holds the server back',
  findings: 'what the rules found, what needs a person first',
  message: 'a sentence for a person',
  advice: 'what to do, sentences for a person',
  conf: 'the fragment of mongod.conf that keeps the change',
  dryRun: 'true: nothing was changed, this is only shown',
  confirm: 'what to type to do it',
  undo: 'what to type to revert it',
  change: 'settings and their new values',
  before: 'settings as they were',
  ended: 'how it ended',
  verified: 'whether the server showed it afterwards; null: it cannot be seen',
  ns: 'the namespace, database.collection',
});

/** @param {string} name @returns {string | null} */
const unitOf = (name) => UNITS.find(([end]) => end.test(name))?.[1] ?? null;

module.exports = { fieldComment, functionComment, partsOf, typeComment, unitOf };
