'use strict';

const assert = require('node:assert/strict');
const { spawn } = require('node:child_process');
const { once } = require('node:events');
const path = require('node:path');
const { DIRECTED } = require('../simulation/directed');
const { runHops } = require('../simulation/hops');
const { prepare } = require('../simulation/prepare');
const { runSchedule, seedOf } = require('../simulation/schedule');
const { trace } = require('../simulation/trace');

/** Schedules are run for so many milliseconds, and at least so many of them. */
const FOR_MS = 15_000;
const FEWEST = 200;
/** The same of sequences of splits. */
const HOPS_MS = 3_000;
const FEWEST_HOPS = 40;
/** `npm run test:long` runs so many, in as many processes as there are CPUs. */
const MANY = Number(process.env.TUNE_SCHEDULES ?? 1_000_000);
const SEED = 20_261_122;
const RUN = path.join(__dirname, '../simulation/run.js');

describe('a split among late messages, stopped shells, elections and second operators', function () {
  this.timeout(FOR_MS + 120_000);
  /** @type {any} */ let setting;
  const { stackTraceLimit } = Error;
  before(async () => {
    setting = await prepare();
    // Errors are part of every schedule, and their stacks would take most of the time.
    Error.stackTraceLimit = 0;
  });
  after(() => {
    Error.stackTraceLimit = stackTraceLimit;
  });

  it('the same seed gives the same messages at the same moments', async () => {
    for (let i = 0; i < 20; i += 1) {
      const runs = [];
      for (let j = 0; j < 2; j += 1) {
        /** @type {string[]} */ const lines = [];
        const outcome = await runSchedule(seedOf(SEED, i), setting, {
          trace: trace((line) => lines.push(line)),
        });
        runs.push({ lines, ...outcome });
      }
      assert.deepEqual(runs[0], runs[1]);
    }
  });

  for (const [title, directed] of Object.entries(DIRECTED)) {
    it(title, async () => {
      for (let i = 0; i < 5; i += 1) {
        const { verdict, found } = await runSchedule(seedOf(SEED, i), setting, { directed });
        assert.equal(verdict, 'right', found[0]?.text);
      }
    });
  }

  it('a schedule fails where a command throws a JavaScript error', async () => {
    const directed = {
      start: 'following',
      script: ['verify'],
      begin: (/** @type {any} */ sim) =>
        sim.shells[1].do('verify', async () => {
          throw new Error('refused', { cause: new TypeError('it is not a function') });
        }),
      fate: () => null,
    };
    const { verdict, found } = await runSchedule(seedOf(SEED, 0), setting, { directed });
    assert.equal(verdict, 'bug');
    assert.match(found[0].text, /^verify threw TypeError: it is not a function$/);
  });

  it('a cutover that nothing disturbs is finished', async () => {
    const ends = [];
    const directed = { start: 'following', script: ['cutover', 'finish'], fate: () => null };
    for (let i = 0; i < 5; i += 1)
      ends.push((await runSchedule(seedOf(SEED, i), setting, { directed })).ended);
    assert.deepEqual(
      ends,
      Array.from({ length: 5 }, () => 'finished'),
    );
  });

  it('loses no acknowledged write, drops nothing that answers, and comes to an end', async () => {
    const until = Date.now() + FOR_MS;
    for (let i = 0; i < FEWEST || Date.now() < until; i += 1) {
      const { verdict, found, taken } = await runSchedule(seedOf(SEED, i), setting);
      assert.equal(
        verdict,
        'right',
        `${found[0]?.text}; again: node test/simulation/run.js --seed ${SEED} --schedule ` +
          `${i} (${taken.join('; ')})`,
      );
    }
  });

  it('splits one after the other among four databases leave nothing behind', async () => {
    const until = Date.now() + HOPS_MS;
    for (let i = 0; i < FEWEST_HOPS || Date.now() < until; i += 1)
      assert.deepEqual(await runHops(seedOf(SEED, i), setting.slots), [], `the ${i}th`);
  });

  it(`the same, ${MANY.toLocaleString('en')} times (long)`, async function () {
    if (!process.env.TUNE_LONG) this.skip();
    this.timeout(0);
    const given = [RUN, '--schedules', `${MANY}`, '--seed', `${SEED}`];
    const child = spawn(process.execPath, given, { stdio: 'inherit' });
    const [code] = await once(child, 'exit');
    assert.equal(code, 0);
  });
});
