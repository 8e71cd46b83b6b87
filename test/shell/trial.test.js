'use strict';

const assert = require('node:assert/strict');
const { startMongosh, runMongosh } = require('../support/mongosh');
const { startServer } = require('../support/server');
const { startWorkload } = require('../support/workload');
const { lastString } = require('../support/engine');
const { skipIf } = require('../support/skip');
const { whyNoTerminal } = require('../support/terminal');
const { LOAD_TUNE, evals, makeTuneHome } = require('./support/place');

const pause = (/** @type {number} */ ms) => new Promise((go) => setTimeout(go, ms));
const PROMPT = /test> $/;
const TRIAL =
  'tune.trial({ evictionThreadsMax: 6 }, { confirm: true, blocks: 8, blockSeconds: 5 })';
const IN_B = /block \d of 8, B: \d+ of 5 s/;
/** Both orders begin with an A somewhere in the first two blocks. */
const PATIENCE_MS = 60_000;

describe('a trial in mongosh', function () {
  this.timeout(240_000);
  let server;
  let load;
  let place;
  /** One that a failed test left open would keep the whole suite from its end. */
  let terminal;
  before(async function () {
    skipIf(this, whyNoTerminal());
    server = await startServer();
    load = await startWorkload(server.uri, 'paced');
  });
  beforeEach(() => {
    place = makeTuneHome();
  });
  afterEach(async () => {
    await terminal?.close();
    place?.remove();
  });
  after(async () => {
    await load?.stop();
    await server?.stop();
  });
  const threadsMax = async () => /threads_max=(\d+)/.exec(await lastString(server))?.[1];

  async function trying() {
    terminal = await startMongosh([server.uri, '--quiet'], { env: place.env, columns: 100 });
    await terminal.waitFor(PROMPT);
    terminal.type(LOAD_TUNE);
    await terminal.waitFor(PROMPT);
    terminal.type(TRIAL);
    await terminal.waitFor(IN_B, PATIENCE_MS);
    assert.equal(await threadsMax(), '6');
  }

  for (const twice of [false, true])
    it(`Ctrl-C ${twice ? 'pressed twice at once ' : ''}brings A back, says so, and the prompt is usable`, async () => {
      await trying();
      terminal.write('\x03');
      if (twice) {
        await pause(30);
        terminal.write('\x03');
      }
      await terminal.waitFor(
        /RESULT {7}inconclusive[^]*Ctrl-C ended the trial\.[^]*A \(before\) [^]*active now[^]*test> $/,
        PATIENCE_MS,
      );
      assert.equal(await threadsMax(), '4');
      terminal.type('tune history');
      await terminal.waitFor(/undone\s+trial of \{ evictionThreadsMax: 6 \}[^]*test> $/);
      await terminal.close();
    });

  it('kill -9 in the middle: the next tune in any shell says so, and undo brings A back', async () => {
    await trying();
    terminal.signal('SIGKILL');
    await terminal.ended;
    assert.equal(await threadsMax(), '6');

    // In a script it is said beside the answer, which stays one document.
    const { code, stdout, stderr } = await runMongosh(
      [server.uri, '--json=relaxed', ...evals('tune.status({ seconds: 0.2 })')],
      { env: place.env },
    );
    assert.equal(code, 0, stdout + stderr);
    assert.match(stderr, /tune: a trial of \{ evictionThreadsMax: 6 \}/);
    assert.ok(JSON.parse(stdout).cache.maxBytes > 0);

    const next = await startMongosh([server.uri, '--quiet'], { env: place.env, columns: 140 });
    await next.waitFor(PROMPT);
    next.type(LOAD_TUNE);
    await next.waitFor(PROMPT);
    next.type('tune');
    await next.waitFor(
      /tune: a trial of \{ evictionThreadsMax: 6 \} on \S+ was left in the middle at [-\d]+ [\d:]+ UTC\.\s+tune\.undo\("\S+"\) shows a dry run of the undo[^]*tune\.status\(\)[^]*test> $/,
      PATIENCE_MS,
    );
    next.type('tune.undo({ confirm: true })');
    await next.waitFor(/undo done and verified[^]*test> $/, PATIENCE_MS);
    assert.equal(await threadsMax(), '4');
    const before = next.output.length;
    next.type('tune.status({ seconds: 0.2 })');
    await next.waitFor(/CHECKPOINT[^]*test> $/);
    assert.doesNotMatch(next.output.slice(before), /left in the middle/);
    await next.close();
  });
});
