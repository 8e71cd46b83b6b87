'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const zlib = require('node:zlib');
const { chanceOf, injured } = require('../../support/injuries');
const { statuses } = require('../../support/statuses');
const { TuneError } = require('../../../lib/base/pure/errors');
const { makeConfig } = require('../../../lib/config/effective-config');
const { NO_FACTS } = require('../../../lib/server/pure/facts');
const { StatusRecording } = require('../../../lib/recording/recording');
const { run: replay } = require('../../../lib/commands/replay');

/**
 * @import { Chance } from '../../support/injuries'
 */

/** @type {any} */
const CONTEXT = { signal: new AbortController().signal, progress: () => {} };
const LINES = 40;
const ROUNDS = 300;
const LONGEST_MS = 4000;
const HANGS_MS = 10_000;

const all = statuses(LINES, (i) => ({ readMicros: i * 1e4 }));
const { config } = makeConfig({ startup: null, runTime: [], memoryBytes: 2 ** 32, live: {} });
const FACTS = { tuneRecording: 1, facts: { ...NO_FACTS, cores: 4, memoryBytes: 2 ** 32, config } };
const WEIRD = [
  null,
  '',
  'text',
  '17',
  -1,
  1e308,
  -1e308,
  0,
  true,
  [],
  [1, 2],
  {},
  { high: 1, low: 2 },
  { $numberLong: 'x' },
  { $date: 'never' },
  { $date: 9e99 },
  { a: { b: 1 } },
  '\u001b[31m',
];

/** Something in it becomes something else, or goes. @param {any} doc @param {Chance} chance */
function bent(doc, chance) {
  const made = JSON.parse(JSON.stringify(doc));
  for (let times = 1 + chance.below(3); times > 0; times--) {
    let node = made;
    let key = chance.pick(Object.keys(node));
    while (
      chance.below(4) > 0 &&
      node[key] !== null &&
      typeof node[key] === 'object' &&
      Object.keys(node[key]).length > 0
    ) {
      node = node[key];
      key = chance.pick(Object.keys(node));
    }
    if (chance.below(5) === 0) delete node[key];
    else node[key] = structuredClone(chance.pick(WEIRD));
    if (Object.keys(made).length === 0) return made;
  }
  return made;
}

describe('collect/recording, damaged by chance', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), `mongosh-tune-${process.pid}-lines-fuzz-`));
  const file = path.join(folder, 'r.ndjson');
  after(() => fs.rmSync(folder, { recursive: true }));

  /** @param {any} [facts] Advice, or an error that a person can do something about. */
  async function answer(facts) {
    try {
      const advice = await replay(CONTEXT, file, { facts });
      assert.doesNotMatch(String(advice), /\bundefined\b|\bNaN\b|Infinity|\u001b/);
      assert.deepEqual(
        advice.findings.filter(({ status }) => status === 'error').map(({ message }) => message),
        [],
      );
    } catch (error) {
      if (!(error instanceof TuneError)) throw error;
    }
  }

  async function timesIn() {
    const times = new Set();
    for await (const { block } of new StatusRecording([file]).pieces())
      for (const atMs of block.atMs) times.add(atMs);
    return times;
  }

  /** @param {string} name @param {(chance: Chance) => Promise<void>} round */
  const rounds = (name, round) =>
    it(name, async () => {
      const began = performance.now();
      for (let seed = 1; seed <= ROUNDS && performance.now() - began < LONGEST_MS; seed++) {
        const started = performance.now();
        try {
          await round(chanceOf(seed));
        } catch (/** @type {any} */ error) {
          throw new Error(`seed ${seed}: ${error.message}`, { cause: error });
        }
        assert.ok(
          performance.now() - started < HANGS_MS,
          `seed ${seed} took ${performance.now() - started} ms`,
        );
      }
    });

  rounds('bytes of some lines: the others are read', async (chance) => {
    const hit = new Set(Array.from({ length: 1 + chance.below(4) }, () => chance.below(LINES)));
    fs.writeFileSync(
      file,
      Buffer.concat(
        [FACTS, ...all].flatMap((doc, i) => {
          const line = Buffer.from(JSON.stringify(doc));
          return [hit.has(i - 1) ? injured(line, chance) : line, Buffer.from('\n')];
        }),
      ),
    );
    const times = await timesIn();
    all.forEach(({ localTime }, i) => {
      if (!hit.has(i))
        assert.ok(times.has(localTime.getTime()), `line ${i} is lost, ${[...hit]} were hit`);
    });
    await answer();
  });

  rounds('values of some lines and of the facts', async (chance) => {
    fs.writeFileSync(
      file,
      [FACTS, ...all]
        .map((doc, i) => JSON.stringify(i === 0 || chance.below(6) === 0 ? bent(doc, chance) : doc))
        .join('\n'),
    );
    await answer(chance.pick([{}, { cores: 2 }]));
  });

  rounds('bytes of a packed file', async (chance) => {
    fs.writeFileSync(
      file,
      injured(zlib.gzipSync(all.map((doc) => JSON.stringify(doc)).join('\n')), chance),
    );
    await answer();
  });

  rounds('a list laid out over many lines, of which bytes are wrong', async (chance) => {
    fs.writeFileSync(file, injured(Buffer.from(JSON.stringify(all.slice(0, 8), null, 2)), chance));
    await answer();
  });
});
