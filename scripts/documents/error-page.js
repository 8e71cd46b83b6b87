'use strict';

const { ERROR_CODES, explainError } = require('../../lib/commands/pure/error-text');

const MADE =
  '<!-- Made by `npm run docs` from lib/base/pure/error-codes.js and error-causes.js; edit those, ' +
  'not this page. -->';

/** The first digits of a code say what an error is about. */
const PARTS = Object.freeze(
  /** @type {[string, string][]} */ ([
    ['TUNE-1', 'What was typed'],
    ['TUNE-20', 'The server and the connection'],
    ['TUNE-30', 'Changes of settings'],
    ['TUNE-31', 'Benchmarks'],
    ['TUNE-35', 'Moving collections (tune.split)'],
    ['TUNE-4', 'This machine and its files'],
    ['TUNE-9', 'Defects of tune'],
  ]),
);

/** @returns {string} the page of all errors, in markdown */
function errorPage() {
  return `${[
    '# Errors',
    MADE,
    'Every error of tune has a code, which its message shows first: `[TUNE-20005] …`. The message names\n' +
      'what happened on your server. `tune.explain("TUNE-20005")` shows the text of this page in the shell.\n' +
      'In scripts and JSON the code is the field `code`, the word beside it `codeName`.',
    PARTS.map(([start, title]) => `- [${title}](#${anchor(title)}): \`${start.padEnd(10, '…')}\``)
      .join('\n')
      .replace(/…+/g, '…'),
    ...PARTS.flatMap(([start, title]) => [
      `## ${title}`,
      ...ERROR_CODES.filter((code) => code.startsWith(start)).flatMap(entry),
    ]),
    'See also [privileges](privileges.md), [safety](safety.md), and what to do when\n' +
      '[a move of collections stops](split.md#when-something-goes-wrong).',
  ].join('\n\n')}\n`;
}

/** @param {typeof ERROR_CODES[number]} code */
function entry(code) {
  const { name, meaning, cause, todo } = explainError(code);
  return [
    `### ${code}`,
    `**${name}**: ${cell(meaning)}`,
    `- Usual cause: ${cell(cause)}\n- What to do: ${cell(todo)}`,
  ];
}

/** As GitHub makes it of a heading. @param {string} title */
const anchor = (title) =>
  title
    .toLowerCase()
    .replace(/[^\w -]/g, '')
    .replaceAll(' ', '-');

/** `<` would begin a tag of HTML. @param {string} text */
const cell = (text) =>
  text.replace(/tune\.<command>\.help\(\)/g, '`$&`').replace(/<(?!command>)/g, '&lt;');

module.exports = { errorPage };
