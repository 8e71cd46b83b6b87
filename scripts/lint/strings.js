'use strict';

/**
 * Words that sentences do not have, each with what to write in its place: the left column of
 * docs/dev/glossary.md, and other dialect words. A word that also has a good everyday use has a
 * pattern that meets only the bad one.
 * @type {readonly (readonly [RegExp, string])[]}
 */
const SENTENCES = Object.freeze([
  [
    /\b(?:\d+|\}|[Nn]o|[Oo]ne|[Tt]wo|last|first|the) looks?\b(?! (?:up|like|slow|fast|wrong|right))/,
    'sample',
  ],
  [/\b[Ll]ook(?:s|ed|ing)? (?:at|for|into|first|again)\b/, 'check, inspect, sample'],
  [
    /\b(?:does not|do not|cannot|can|may|to) tell\b|\btells\b|\b(?:is|are|was|were|be) told\b|\btold (?:by|from|of|to|only)\b/,
    'report',
  ],
  [/\b(?:somebody|nobody|everybody|whoever)\b/i, 'another session, another user, no client'],
  [/\bours\b/, 'project measurement, heuristic'],
  [/\bnext to (?:no|nothing|none)\b/, 'almost no, no significant'],
  [
    /\b(?:stand|stands|stood) (?:in|still|where|before|between|for|at|beside)\b|\bstandstill/,
    'is in; stalls',
  ],
  [/\b(?:brought|bring|brings) over\b/, 'applied, replicated'],
  [
    /\b(?:held|hold|holds|holding) (?:it |them |the writers |writers |clients )?back\b/,
    'throttled, delayed',
  ],
  [
    /\b(?:take|takes|taken|took|taking) (?:\w+ ){0,3}?back\b|\b(?:goes|gone|gives|given|put|puts) back\b/,
    'reverts, rolls back',
  ],
  [/\bcan not\b/, 'cannot'],
  [/\bprocessors?\b/, 'CPU'],
  [/\bat work\b/, 'busy, active'],
  [
    /\b(?:has|have|having|had|makes?|leaves?|finds? no|no|is|with|enough) room\b|\broom (?:in|for|on)\b/,
    'free space, headroom',
  ],
  [
    /\b(?:cost|costs) (?:the )?clients\b|\bclients lose\b|\blost threads\b/,
    'application threads spend … of their time',
  ],
  [/\bknobs?\b/, 'setting'],
  [/\b(?:rungs?|ladder|climbs?)\b/, 'step, sequence'],
  [/\bgrave\b/, 'severe'],
  [/\bin force\b/, 'effective, active'],
  [/\bunwritten\b/, 'dirty page cache'],
  [/\bfile(?: ?system)? cache\b/, 'page cache'],
  [/\bpiles? up\b/, 'accumulates'],
  [/\breckon/, 'compute'],
  [/\bcome what may\b/, 'fixed rate'],
  [/\banew\b/, 'again, new'],
  [/\bfor ever\b/, 'forever'],
  [/\bfate\b|\bstrays?\b/, 'dropped, unexpected documents'],
  [/\bof its own(?=[.,;:)]|$)/, 'its own, dedicated'],
  [/\beviction workers?\b/, 'eviction threads'],
  [/\bcut-over\b|\bcut off\b/, 'cutover; truncated'],
  [/\b(?:IBM-Z|OPPO|Z13|keyhole)\b|MongoDB support\b/, 'a document with title and address'],
  [/\d %/, '20%, without a space'],
]);

/** What stays all the same, with its reason. */
const ALLOWED = Object.freeze([
  // The name of a counter of WiredTiger, which is data.
  /eviction worker thread/,
  // Models of machines.
  /^IBM /,
  // The name of a tool, where tools are compared.
  /keyhole(?:\]|, (?:getMongoData|mongo-ftdc)|$)/,
  // A placeholder of a template.
  /^%/,
]);

/** @param {string} text @returns {string | null} what is wrong with it */
function whyNotSentence(text) {
  if (!/[a-z] [a-z]/i.test(text) || ALLOWED.some((pattern) => pattern.test(text))) return null;
  for (const [pattern, better] of SENTENCES) {
    const found = pattern.exec(text);
    if (found !== null)
      return `Not "${found[0]}" but "${better}" (docs/dev/glossary.md; scripts/lint/strings.js).`;
  }
  return null;
}

/** Whether a longer text is made of it. @param {any} node */
const isPart = ({ parent }) => parent?.type === 'BinaryExpression' && parent.operator === '+';

/**
 * A text as it is written, with `}` for what is filled in.
 * @param {any} node
 * @returns {string}
 */
function textOf(node) {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : '}';
  if (node.type === 'TemplateLiteral')
    return node.quasis.map((/** @type {any} */ part) => part.value.cooked ?? '').join('}');
  return node.type === 'BinaryExpression' && node.operator === '+'
    ? textOf(node.left) + textOf(node.right)
    : '}';
}

/** Sentences in lib and snippets have the words of the glossary. */
module.exports = {
  meta: { type: 'suggestion', schema: [] },
  /** @param {any} context */
  create(context) {
    /** @param {any} node */
    const check = (node) => {
      if (isPart(node)) return;
      const why = whyNotSentence(textOf(node));
      if (why !== null) context.report({ node, message: why });
    };
    return { Literal: check, TemplateLiteral: check, BinaryExpression: check };
  },
  whyNotSentence,
};
