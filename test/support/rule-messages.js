'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');

/**
 * @import { Finding } from '../../lib/base/pure/finding'
 */

/**
 * The sentences of a rule, for each case of its test, are in one file, so that English is mended in
 * the rule alone: change it, write the file anew, and read the difference.
 */

const FOLDER = path.join(__dirname, '../unit/rules/snapshots');
const HEAD = '# Sentences of each case of the test. Written by the tests with UPDATE_MESSAGES=1.\n';

/**
 * @param {string} file of the test, named after the rule
 * @param {string | null} source of the values, where a rule has two
 * @param {readonly any[]} cases title and input first
 * @param {(input: any) => Finding | readonly Finding[]} judge
 */
function testMessages(file, source, cases, judge) {
  const blocks = () =>
    new Map(
      cases.map(([title, input]) => [
        source === null ? title : `${source}: ${title}`,
        [judge(input)].flat().flatMap(linesOf),
      ]),
    );
  it('has the sentences of its snapshot', () => {
    const now = blocks();
    for (const line of [...now.values()].flat())
      assert.match(line, /^ {2}(?!.*(?:undefined|NaN|null|\?(?!\w))).*\S$/s, 'no gap in it');
    const snapshot = path.join(FOLDER, `${path.basename(file, '.test.js')}.txt`);
    if (process.env.UPDATE_MESSAGES) write(snapshot, source, now);
    const known = read(snapshot);
    for (const [title, lines] of now)
      assert.deepEqual(
        lines,
        known.get(title),
        `Sentences have changed (${title}). Read the difference, then write it to the snapshot: ` +
          `UPDATE_MESSAGES=1 npx mocha ${path.relative(process.cwd(), file)}`,
      );
  });
}

/** A finding as its lines. @param {Finding} finding */
function linesOf({ message, advice }) {
  assert.match(message, /^\S.*\.$/s, 'a sentence');
  return [`  ${message}`, ...(advice === null ? [] : [`  -> ${advice}`])];
}

/** @param {string} snapshot @returns {Map<string, string[]>} lines by the title of the case */
function read(snapshot) {
  const text = fs.existsSync(snapshot) ? fs.readFileSync(snapshot, 'utf8') : HEAD;
  const blocks = text.slice(HEAD.length).split('\n\n').filter(Boolean);
  return new Map(
    blocks.map((block) => {
      const [title, ...lines] = block.trim().split('\n');
      return [title, lines];
    }),
  );
}

/**
 * Cases of another source stay, those of this one that are gone go.
 * @param {string} snapshot
 * @param {string | null} source
 * @param {ReadonlyMap<string, readonly string[]>} now
 */
function write(snapshot, source, now) {
  fs.mkdirSync(path.dirname(snapshot), { recursive: true });
  const others = [...read(snapshot)].filter(
    ([title]) => source !== null && !title.startsWith(`${source}: `),
  );
  const blocks = [...others, ...now].map(([title, lines]) => [title, ...lines].join('\n'));
  fs.writeFileSync(snapshot, `${HEAD}\n${blocks.join('\n\n')}\n`);
}

module.exports = { testMessages };
