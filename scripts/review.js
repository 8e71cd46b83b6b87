'use strict';
// npm run review [-- NUMBER …]: asks the questions of a security review, and proves each answer by its command.
// Exit code 1 where one does not hold.

const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { QUESTIONS } = require('./review/questions');

/**
 * @import { Question } from './review/questions'
 */

const ROOT = path.join(__dirname, '..');
/** Of what a command printed; the last ones, where a test says how many passed. */
const MAX_CHARACTERS = 2000;
const MAX_LINES = 12;

/**
 * @param {Question} question
 * @returns {{ holds: boolean, said: string }} `said`: what the command printed
 */
function prove({ command, prints }) {
  fs.mkdirSync(path.join(ROOT, 'tmp'), { recursive: true });
  const { status, stdout, stderr } = spawnSync('sh', ['-c', command], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  const isRight = prints === null || prints.test(stdout.trim());
  return { holds: status === 0 && isRight, said: `${stdout}${stderr}`.trim() };
}

/** @param {string[]} args numbers of questions; none: all @returns {number} exit code */
function main(args) {
  const wanted = QUESTIONS.map((question, i) => ({ ...question, number: i + 1 })).filter(
    ({ number }) => args.length === 0 || args.includes(String(number)),
  );
  let wrong = 0;
  for (const question of wanted) {
    const { holds, said } = prove(question);
    wrong += holds ? 0 : 1;
    console.log(`${String(question.number).padStart(2)}. ${question.ask}`);
    console.log(`    ${question.answer}\n    $ ${question.command}`);
    const lines = said.slice(-MAX_CHARACTERS).split('\n').slice(-MAX_LINES);
    console.log(
      `${lines.map((line) => `      ${line}`).join('\n')}\n    ${holds ? 'holds' : 'DOES NOT HOLD'}`,
    );
  }
  console.log(`${wanted.length - wrong} of ${wanted.length} answers hold`);
  return wrong === 0 && wanted.length > 0 ? 0 : 1;
}

if (require.main === module) process.exitCode = main(process.argv.slice(2));

module.exports = { prove };
