'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const { ANSWERS, answers } = require('../answers/questions');

// Sums of floating-point numbers differ in their last digits from one release of Node.js to another.
const TOLERANCE = 1e-9;
const SHOWN = 20;
// One new rule changes the answer of most questions: the first show how, the others how much.
const SHOWN_WHOLE = 2;

// What tells the items of a list apart, so that one more of them does not move all others.
const NAMES = ['rule', 'id', 'name', 'ns', 'setting'];

/** How many lines before this one are the same. */
const nth = (lines, i) => lines.slice(0, i).filter((line) => line === lines[i]).length;

/** The fields of an object, or the items of a list under their own names; of texts, each line. */
function fieldsOf(value) {
  if (!Array.isArray(value)) return Object.entries(value);
  if (value.every((item) => typeof item === 'string'))
    return value.map((line, i) => [
      `line ${JSON.stringify(line)}${' again'.repeat(nth(value, i))}`,
      i,
    ]);
  const name = NAMES.find(
    (one) => new Set(value.map((item) => item?.[one] ?? null)).size === value.length,
  );
  return value.map((item, i) => [item?.[name] ?? i, item]);
}

/** What an answer holds, by path: `findings.dirty-ratio.status`. */
function leaves(value, at = '') {
  if (value === null || typeof value !== 'object') return [[at, value]];
  const fields = fieldsOf(value);
  if (fields.length === 0) return [[at, Array.isArray(value) ? '(empty list)' : '(no fields)']];
  return fields.flatMap(([name, one]) => leaves(one, at === '' ? name : `${at}.${name}`));
}

const same = (a, b) =>
  a === b ||
  (typeof a === 'number' &&
    typeof b === 'number' &&
    Math.abs(a - b) <= TOLERANCE * Math.max(Math.abs(a), Math.abs(b)));

const isLine = (at) => at.includes('line "');

/** Lines such as `findings.dirty-ratio.status: was "ok", is "warning"`; order only if all else is the same. */
function differences(before, after) {
  const [was, is] = [new Map(leaves(before)), new Map(leaves(after))];
  const shown = (map, at) => (map.has(at) ? JSON.stringify(map.get(at)) : 'not there');
  const changed = [...new Set([...was.keys(), ...is.keys()])]
    .filter((at) => was.has(at) !== is.has(at) || (!isLine(at) && !same(was.get(at), is.get(at))))
    .map((at) => {
      if (isLine(at)) return `${was.has(at) ? '-' : '+'} ${at}`;
      return `${at}: was ${shown(was, at)}, is ${shown(is, at)}`;
    });
  if (changed.length > 0 || [...was.keys()].join('\n') === [...is.keys()].join('\n'))
    return changed;
  return ['the order of fields, items or lines'];
}

describe('answers of the public commands, field by field', function () {
  this.timeout(60_000);
  const kept = JSON.parse(fs.readFileSync(ANSWERS, 'utf8'));
  let today;
  let failed = 0;
  before(async () => {
    today = await answers();
  });

  it('are kept for every question that is asked, and for no other', () => {
    assert.deepEqual(Object.keys(kept), Object.keys(today));
  });
  for (const name of Object.keys(kept))
    it(name, () => {
      const found = differences(kept[name], today[name]);
      if (found.length === 0) return;
      failed += 1;
      const shown = found.slice(0, failed > SHOWN_WHOLE ? 1 : SHOWN);
      const more = found.length > shown.length ? `\n… and ${found.length - shown.length} more` : '';
      assert.fail(
        `${found.length} fields of "${name}" differ from test/answers/answers.json:\n` +
          `${shown.join('\n')}${more}\n` +
          'If each of these is meant: npm run answers, read git diff, and commit both together.',
      );
    });
});
