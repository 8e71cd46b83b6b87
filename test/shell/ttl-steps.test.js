'use strict';

const assert = require('node:assert/strict');
const { startMongosh } = require('../support/mongosh');
const { startServer } = require('../support/server');
const { skipIf } = require('../support/skip');
const { whyNoTerminal } = require('../support/terminal');
const { LOAD_TUNE, makeTuneHome } = require('./support/place');

/**
 * @import { Server } from '../support/server'
 */

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/**
 * From the filling in to the moment that the first documents go: time enough to copy all steps on a
 * busy machine.
 */
const SOON_MS = 45_000;
const PROMPT = /(\w+> |\.\.\. )$/;
const pause = (/** @type {number} */ ms) =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

describe('the steps of tune.ttl(), copied line by line at the prompt', function () {
  this.timeout(240_000);
  /** @type {Server} */ let server;
  let place;
  let terminal;
  before(async function () {
    skipIf(this, whyNoTerminal());
    server = await startServer({ args: ['--setParameter', 'ttlMonitorSleepSecs=1'] });
    place = makeTuneHome();
    terminal = await startMongosh([server.uri, '--quiet'], {
      env: place.env,
      columns: 80,
      rows: 200,
    });
    await terminal.waitFor(PROMPT);
    await type(LOAD_TUNE);
  });
  after(async () => {
    await terminal?.close();
    await server?.stop();
    place?.remove();
  });

  /** @param {string} line @returns {Promise<string>} what was printed until the next prompt */
  async function type(line) {
    const before = terminal.output.length;
    terminal.type(line);
    await terminal.waitFor(PROMPT, 60_000);
    return terminal.output.slice(before);
  }

  it('documents go when they said, in quiet hours, and none is lost', async () => {
    const sessions = server.db('shop').collection('sessions');
    await server.adminCommand({ setParameter: 1, ttlMonitorEnabled: false });
    const now = Date.now();
    // Two quiet hours, the second of which is the present one.
    const soon = now + SOON_MS;
    const quietFrom = soon - (soon % HOUR_MS) - HOUR_MS;
    const quiet = { startHour: new Date(quietFrom).getUTCHours(), lengthHours: 2 };
    // Due yesterday outside of them, at the place in that day which becomes `soon` in them.
    const dueBefore = quietFrom - DAY_MS + (soon - quietFrom) * (24 / quiet.lengthHours);
    const at = (/** @type {number} */ due) => new Date(due - HOUR_MS);
    await sessions.createIndex({ at: 1 }, { expireAfterSeconds: HOUR_MS / 1000 });
    await sessions.insertMany([
      ...Array.from({ length: 12_000 }, (_, i) => ({
        kind: 'later',
        at: at(quietFrom + 3 * HOUR_MS + i * 1000),
      })),
      ...Array.from({ length: 300 }, (_, i) => ({ kind: 'soon', at: at(dueBefore + i) })),
      ...Array.from({ length: 50 }, () => ({ kind: 'never', at: 'no date' })),
    ]);
    const shown = await type(
      `tune.ttl({ startHour: ${quiet.startHour}, lengthHours: ${quiet.lengthHours} })`,
    );
    const steps = shown
      .split(/^ {2}\d\. /m)
      .slice(1)
      .map((step) =>
        step
          .split('\n')
          .filter((line) => line.startsWith('     '))
          .map((line) => line.trimEnd()),
      );
    assert.equal(steps.length, 4, shown);
    const printed = [];
    for (const step of steps) {
      const answers = [];
      for (const line of step) answers.push(await type(line));
      printed.push(answers.join('\n'));
    }
    assert.match(printed[1], /modifiedCount: 12300/, printed[1]);
    assert.match(printed[2], /expireAt_1/, printed[2]);
    assert.match(printed[3], /nIndexesWas: 3/, printed[3]);
    assert.ok(Date.now() < soon, 'the machine was too slow for this test');
    assert.equal(await sessions.countDocuments({}), 12_350);
    // The function for the application is there, and gives the same moments.
    assert.match(
      await type(
        'const one = db.getSiblingDB("shop").sessions.findOne({ kind: "later" }); +quiet(new ' +
          'Date(+one.at + 3600000)) === +one.expireAt',
      ),
      /true/,
    );

    await server.adminCommand({ setParameter: 1, ttlMonitorEnabled: true });
    await pause(3000); // some passes
    const [left, passed] = [await sessions.countDocuments({ kind: 'soon' }), Date.now()];
    if (passed < soon) assert.equal(left, 300, 'none goes before its time');
    await pause(Math.max(0, soon - Date.now()));
    for (let i = 0; i < 60 && (await sessions.countDocuments({ kind: 'soon' })) > 0; i++)
      await pause(500);
    assert.deepEqual(
      await Promise.all(
        ['soon', 'later', 'never'].map((kind) => sessions.countDocuments({ kind })),
      ),
      [0, 12_000, 50],
    );
    assert.equal(
      await sessions.countDocuments({
        kind: 'later',
        $expr: { $gte: ['$expireAt', { $add: ['$at', HOUR_MS] }] },
      }),
      12_000,
      'none is due earlier than before',
    );
    const hours = await sessions.distinct('expireAt', { kind: 'later' });
    assert.ok(
      hours.every((date) =>
        [quiet.startHour, (quiet.startHour + 1) % 24].includes(date.getUTCHours()),
      ),
    );
    assert.match(
      await type(`tune.ttl({ startHour: ${quiet.startHour}, lengthHours: ${quiet.lengthHours} })`),
      /100(?:\.0)?% of all in\s+the quiet window/,
    );
  });
});
