'use strict';

const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const path = require('node:path');
const fc = require('fast-check');
const { loadKinds, runKind, shares } = require('../fuzz/run');

/** A few cases of each kind, the same in every run; `npm run fuzz` makes as many as one likes. */

const SEED = 20_260_102;
/** What each kind may take here; on a slow machine there are fewer cases. */
const SECONDS = 0.5;
const CASES = 200;
/** Files of strangers, which are read by code of this project from the first byte on. */
const MORE = Object.freeze({ seconds: 4, cases: 1000 });
const FILES = Object.freeze(['ftdc', 'recording']);

describe('fuzzing', () => {
  for (const kind of loadKinds().filter(({ share }) => share > 0)) {
    it(`${kind.name}: ${kind.what}`, async () => {
      const { failure, cases } = await runKind(kind, {
        cases: CASES,
        seed: SEED,
        seconds: SECONDS,
        ...(FILES.includes(kind.name) && MORE),
        batch: 20,
      });
      assert.equal(
        failure === null
          ? ''
          : `--kind ${kind.name} --seed ${failure.seed} --path ` +
              `${failure.path}\n${failure.counterexample}\n${failure.message}`,
        '',
      );
      assert.ok(cases > 0);
    });
  }

  it('tells of a failure by its seed, its path and the smallest case, which come again', async () => {
    let closed = 0;
    const kind = {
      name: 'x',
      what: 'x',
      share: 1,
      open: async () => ({
        property: fc.property(fc.nat(1000), (n) => assert.ok(n < 17)),
        close: () => {
          closed += 1;
        },
        note: () => 'noted',
      }),
    };
    const { failure, cases, note } = await runKind(kind, { cases: 2000, seed: 1 });
    assert.equal(failure?.counterexample, '[17]');
    assert.ok(cases < 2000 && note === 'noted');
    const again = await runKind(kind, {
      cases: 1,
      seed: Number(failure?.seed),
      path: String(failure?.path),
    });
    assert.equal(again.failure?.counterexample, '[17]');
    assert.equal(closed, 2);
  });
  it('divides the cases by their shares', () => {
    const kinds = /** @type {any} */ ([{ share: 3 }, { share: 1 }]);
    assert.deepEqual([shares(kinds, 1000), shares([kinds[0]], 7)], [[750, 250], [7]]);
  });
  it('runs by itself, and says what it does not know', () => {
    const run = (/** @type {string[]} */ ...args) =>
      spawnSync(process.execPath, [path.join(__dirname, '../../scripts/fuzz.js'), ...args], {
        encoding: 'utf8',
        env: { ...process.env, NODE_V8_COVERAGE: '' },
      });
    const good = run('--kind', 'change', '--cases', '20', '--seed', '3');
    assert.match(
      good.stdout,
      /^ok +change +20 cases +[\d.]+ s\n20 cases in \d+ s, seed 3; 0 of 1 kinds failed\n$/,
    );
    assert.deepEqual(
      [good.status, run('--kind', 'none').status, run('--cases', 'many').status],
      [0, 2, 1],
    );
  });
});
