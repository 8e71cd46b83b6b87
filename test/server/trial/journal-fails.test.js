'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const { fork } = require('node:child_process');
const { once } = require('node:events');
const { setTimeout: pause } = require('node:timers/promises');
const { useTrialServer, onProgress } = require('../../support/trial');
const { lastString } = require('../../support/engine');
const { contextOf } = require('../../support/context');
const { temporaryFolder } = require('../../support/cleanup');
const { journalPath } = require('../../../lib/change/journal');
const { unfinishedChanges } = require('../../../lib/change/unfinished-changes');
const { run: history } = require('../../../lib/commands/history');
const { run: undo } = require('../../../lib/commands/undo');

const ELSEWHERE = require.resolve('../../support/trial-elsewhere');

/**
 * @import { ChildProcess } from 'node:child_process'
 */

const IN_B = /^block \d of \d+, B: \d+ of/;
const CHANGE = Object.freeze({ evictionTarget: 75 });
const SHORT = Object.freeze({ blocks: 4, blockSeconds: 2 });
const DO = Object.freeze({ confirm: true });
/** What could not be written follows within a second. */
const FOLLOWS_MS = 2500;

describe('a trial whose journal cannot be written any more', () => {
  const place = useTrialServer('paced');
  /** As a full disk: every write fails. @param {string} home */
  const fill = (home) => {
    fs.renameSync(journalPath(home), `${journalPath(home)}.kept`);
    fs.mkdirSync(journalPath(home));
  };
  /** @param {string} home */
  const empty = (home) => {
    fs.rmdirSync(journalPath(home));
    fs.renameSync(`${journalPath(home)}.kept`, journalPath(home));
  };
  const outcomes = async () => (await history(place.context())).map(({ outcome }) => outcome);

  it('Ctrl-C: A is back, the report says it, and what is missing is written when it can be', async () => {
    const stop = new AbortController();
    const ctx = place.context({ signal: stop.signal });
    onProgress(ctx, IN_B, () => {
      fill(ctx.home);
      stop.abort();
    });
    const done = await place.run(CHANGE, SHORT, ctx);
    assert.deepEqual(
      [done.ended, done.effective, done.verified, await lastString(place.server)],
      ['interrupted', 'A', true, 'eviction_target=80'],
    );
    assert.match(
      done.warnings.join('\n'),
      /^\[TUNE-40001\] The journal in \S+ could not be written \(EISDIR.*\)\. The missing lines are written as soon/m,
    );
    empty(ctx.home);
    assert.deepEqual(await outcomes(), ['undone']);
    await assert.rejects(undo(place.context(), DO), { code: 'TUNE-30007' });
  });

  it('the guardrail trips: A is back within 2 s', async () => {
    const ctx = place.context();
    const { adminCommand } = ctx.port;
    let isFull = false;
    ctx.port.adminCommand = async (command) => {
      const answer = await adminCommand(command);
      if (command.setParameter && !isFull) {
        isFull = true;
        setTimeout(() => fill(ctx.home), 20);
      }
      return answer;
    };
    const done = await place.run(CHANGE, { ...SHORT, guardrail: { writeLatencyMs: 0.001 } }, ctx);
    empty(ctx.home);
    assert.deepEqual(
      [done.ended, done.effective, await lastString(place.server)],
      ['guardrail', 'A', 'eviction_target=80'],
    );
    assert.ok(Number(done.guardrail.broken?.backMs) < 2000, `${done}`);
  });

  it('an ordinary switch is not made; A is back, and the entry is closed', async () => {
    const ctx = place.context();
    onProgress(ctx, /^block 1 of 4, .: 1 of/, () => fill(ctx.home));
    await assert.rejects(
      place.run(CHANGE, SHORT, ctx),
      (error) =>
        error.code === 'TUNE-40001' &&
        /The settings are as before the trial\.$/.test(error.message),
    );
    empty(ctx.home);
    assert.deepEqual(await outcomes(), ['undone']);
    assert.match(await lastString(place.server), /eviction_target=80/);
  });
});

describe('a trial that is over in a shell that stays open', () => {
  const place = useTrialServer('paced');
  /** @type {{ path: string, remove(): void }} */ let home;
  /** @type {ChildProcess} */ let shell;
  beforeEach(() => {
    home = temporaryFolder('home');
  });
  afterEach(() => {
    shell.kill('SIGKILL');
    home.remove();
  });
  /** @param {string} how */
  const open = async (how) => {
    shell = fork(ELSEWHERE, [how, place.server.uri, home.path]);
    const [said] = await once(shell, 'message');
    return said;
  };
  const context = () => contextOf(place.server.client, { home: home.path });

  it('its way back failed: other shells are told, and undo goes it', async () => {
    const { code } = await open('server');
    assert.equal(code, 'TUNE-30010');
    assert.equal(await lastString(place.server), 'eviction_target=75');
    assert.deepEqual(
      unfinishedChanges(home.path).map(({ action, outcome }) => [action, outcome]),
      [['trial', 'unknown']],
    );
    assert.equal((await undo(context(), DO)).verified, true);
    assert.equal(await lastString(place.server), 'eviction_target=80');
    assert.deepEqual(unfinishedChanges(home.path), []);
  });

  it('its journal could not be written: nobody says that it runs, and it is closed afterwards', async () => {
    const { effective } = await open('journal');
    assert.equal(effective, 'A');
    shell.send('mend');
    await pause(FOLLOWS_MS);
    assert.deepEqual(
      (await history(context())).map(({ outcome }) => outcome),
      ['undone'],
    );
    await assert.rejects(undo(context(), DO), { code: 'TUNE-30007' });
    assert.equal(await lastString(place.server), 'eviction_target=80');
  });
});
