'use strict';

const { QUESTIONS } = require('../review/questions');

/** docs/dev/security-review.md @returns {string} */
const reviewPage = () =>
  [
    '# Security review',
    '',
    '<!-- Made by `npm run docs` from scripts/review/questions.js; edit that, not this page. -->',
    '',
    `${QUESTIONS.length} questions that are asked before a tool may run on a production server. Each answer has the command that`,
    'proves it. `npm run review` runs all of them in a checkout and ends with 1 where an answer does not hold;',
    '`npm run review -- 3 7` runs some. They need `npm ci`, and a mongod that the tests find or fetch by themselves.',
    '',
    'What tune is trusted with: [SECURITY.md](../../SECURITY.md). What it does on a server: [safety](../safety.md).',
    ...QUESTIONS.flatMap(({ ask, answer, command }, i) => [
      '',
      `## ${i + 1}. ${ask}`,
      '',
      answer,
      '',
      '```sh',
      command,
      '```',
    ]),
    '',
  ].join('\n');

module.exports = { reviewPage };
