'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const fc = require('fast-check');
const { journalPath, readLines, writeLine } = require('../../../lib/change/journal');
const { unfinishedChanges } = require('../../../lib/change/unfinished-changes');
const { run: history } = require('../../../lib/commands/history');
const { entriesOf, sendsOf } = require('../../../lib/change/pure/journal');
const { entryToUndo, inverseOf } = require('../../../lib/change/pure/undoable');
const { temporaryFolder } = require('../../support/cleanup');
const { orTuneError, quietContext } = require('../answered');
const { bends, bendAll, leaves, weirdJson } = require('../weird');
const { soundText } = require('../sound');

/**
 * The journal after a disk, an editor or another release had it: what is whole is read, the rest is
 * counted, and the next line is whole.
 */

const RUN = { host: 'db1:27017', processId: '65f', pid: 77, startedAtMs: 1000 };
/** @param {number} n @returns {any[]} the lines of one change */
const change = (n) => [
  {
    kind: 'intent',
    id: `c${n}`,
    at: '2026-01-01T00:00:00.000Z',
    atMs: 5000 + n,
    action: n % 3 === 2 ? 'undo' : 'apply',
    undoes: n % 3 === 2 ? `c${n - 1}` : null,
    host: RUN.host,
    version: '6.0.5',
    run: RUN,
    writerPid: 2 ** 22 + n,
    change: { cacheSizeGB: n + 1 },
    before: { cacheSizeGB: n },
    commands: [`cache_size=${n + 1}G`],
    was: '',
  },
  { kind: 'asking', id: `c${n}`, atMs: 5000 + n, command: `cache_size=${n + 1}G` },
  { kind: 'sent', id: `c${n}`, atMs: 5000 + n, command: `cache_size=${n + 1}G`, was: '' },
  {
    kind: 'outcome',
    id: `c${n}`,
    at: '2026-01-01T00:00:01.000Z',
    outcome: 'applied',
    after: { cacheSizeGB: n + 1 },
    verified: true,
    reason: null,
  },
];
const LINES = [0, 1, 2].flatMap(change);
const PATHS = LINES.map((line) => leaves(line));
const NEXT = { kind: 'sent', id: 'next', atMs: 9, command: 'a=1', was: null };

/**
 * @param {string} home
 * @param {Buffer} bytes
 * @param {number} whole lines that must be found, whatever else there is
 */
async function holds(home, bytes, whole) {
  fs.writeFileSync(journalPath(home), bytes);
  const { lines } = readLines(home);
  assert.ok(lines.length >= whole, `${lines.length} of ${whole} lines are read`);
  const entries = entriesOf(lines);
  sendsOf(entries, RUN);
  unfinishedChanges(home);
  await orTuneError(() => inverseOf(entryToUndo(entries, undefined, RUN)));
  const shown = await orTuneError(() => history(quietContext(home), { all: true }));
  if (shown) soundText(String(shown), { values: true });
  writeLine(home, /** @type {any} */ (NEXT));
  const again = readLines(home);
  assert.deepEqual(again.lines.at(-1), NEXT, 'the next line is joined to what was there');
  assert.deepEqual(again.lines.length, lines.length + 1);
}

module.exports = {
  name: 'journal',
  what: 'the journal, cut, bent and with other things in it',
  share: 0.2,
  async open() {
    const folder = temporaryFolder('fuzz');
    const text = LINES.map((line) => `${JSON.stringify(line)}\n`).join('');
    const ends = [...text.matchAll(/\n/g)].map(({ index }) => index);
    const given = fc.oneof(
      fc.record({ cutAt: fc.nat(text.length) }),
      fc.record({ bent: bends(weirdJson, 6) }),
      fc.record({
        flips: fc.array(fc.tuple(fc.nat(text.length - 1), fc.nat(255)), { maxLength: 5 }),
      }),
      fc.record({
        other: fc.array(fc.oneof(fc.json(), fc.string()), { maxLength: 5 }),
        noise: fc.uint8Array({ maxLength: 40 }),
      }),
    );
    const property = fc.asyncProperty(given, async (/** @type {any} */ one) => {
      if (one.cutAt !== undefined)
        return holds(
          folder.path,
          Buffer.from(text.slice(0, one.cutAt)),
          ends.filter((end) => end <= one.cutAt).length,
        );
      if (one.bent) return holds(folder.path, Buffer.from(bendLines(one.bent)), 0);
      if (one.flips)
        return holds(folder.path, flipped(text, one.flips), LINES.length - 2 * one.flips.length);
      return holds(
        folder.path,
        Buffer.concat([Buffer.from(`${one.other.join('\n')}\n${text}`), Buffer.from(one.noise)]),
        LINES.length - 1,
      );
    });
    return { property, close: folder.remove };
  },
};

/** @param {any[]} list */
const bendLines = (list) =>
  list
    .reduce((lines, one) => {
      const at = one.doc % lines.length;
      return lines.with(at, bendAll([lines[at]], PATHS[at], [{ ...one, doc: 0 }])[0]);
    }, LINES)
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('');

/** @param {string} text @param {[number, number][]} flips */
function flipped(text, flips) {
  const bytes = Buffer.from(text);
  for (const [at, to] of flips) bytes[at] = to;
  return bytes;
}
