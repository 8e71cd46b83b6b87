'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const { QUICK_STEPS, useServer } = require('../../support/one-server');
const { setExternally, floodLog, askedStrings } = require('../../support/engine');
const { run: benchSteps } = require('../../../lib/commands/bench-steps');
const { run: config } = require('../../../lib/commands/settings');
const { run: history } = require('../../../lib/commands/history');

const AT_START = 'cache_size=256M,eviction=(threads_min=4,threads_max=4),eviction_target=80';

describe('the way back of a sequence of steps', function () {
  this.timeout(180_000);
  const place = useServer({ config: AT_START });
  const { context } = place;
  const set = async () => {
    const { evictionTarget, evictionThreadsMax } = await config(context());
    return [evictionTarget.value, evictionThreadsMax.value];
  };

  it('what another session sets between two calls of it is not overwritten', async () => {
    const stop = new AbortController();
    const ctx = context({ signal: stop.signal });
    const { adminCommand } = ctx.port;
    let calls = 0;
    ctx.port.adminCommand = async (command) => {
      const answer = await adminCommand(command);
      if (command.setParameter && (calls += 1) === 3)
        await setExternally(place.server, 'eviction=(threads_max=9)');
      return answer;
    };
    // The two steps are two calls; the third one is the first of the way back.
    const measured = ctx.progress;
    ctx.progress = (text) => {
      measured(text);
      if (calls === 2 && /1 of 1 s/.test(text ?? '')) stop.abort();
    };
    await benchSteps(ctx, [{ evictionTarget: 75 }, { evictionThreadsMax: 6 }], QUICK_STEPS);
    assert.deepEqual(await set(), [80, 9]);
  });

  it('what the log has forgotten is not overwritten', async () => {
    const ctx = context();
    const { adminCommand } = ctx.port;
    let isDone = false;
    ctx.port.adminCommand = async (command) => {
      const answer = await adminCommand(command);
      if (command.setParameter && !isDone) {
        isDone = true;
        await setExternally(place.server, 'eviction_target=70');
        await setExternally(place.server, 'eviction_dirty_trigger=21');
        await floodLog(place.server);
      }
      return answer;
    };
    const seen = await benchSteps(
      ctx,
      [{ evictionTarget: 75 }, { evictionThreadsMax: 6 }],
      QUICK_STEPS,
    );
    assert.deepEqual(await askedStrings(place.server), [], 'nothing was set after it');
    assert.match(
      String(seen.because),
      /log does not cover all external changes.*tune\.undo\("[^"]+", \{ confirm: true, force: true \}\)/,
    );
    assert.equal((await history(context())).at(-1)?.outcome, 'unknown');
  });

  it('comes also where the journal can no longer be written', async () => {
    const ctx = context();
    const measured = ctx.progress;
    let isDone = false;
    ctx.progress = (text) => {
      measured(text);
      if (isDone || !/1 of 1 s/.test(text ?? '') || ctx.calls !== 2) return;
      isDone = true;
      // Neither a file nor one that can be made: as a full disk, at each write.
      fs.renameSync(place.home.path, `${place.home.path}.away`);
      fs.writeFileSync(place.home.path, '');
    };
    const { adminCommand } = ctx.port;
    ctx.calls = 0;
    ctx.port.adminCommand = async (command) => {
      if (command.setParameter) ctx.calls += 1;
      return adminCommand(command);
    };
    try {
      await benchSteps(ctx, [{ evictionTarget: 75 }, { evictionThreadsMax: 6 }], QUICK_STEPS).catch(
        () => undefined,
      );
      assert.equal(isDone, true);
    } finally {
      fs.rmSync(place.home.path);
      fs.renameSync(`${place.home.path}.away`, place.home.path);
    }
    assert.deepEqual(await set(), [80, 4]);
  });

  it('that failed is told to other shells, as a trial does it', async () => {
    const ctx = context();
    const { adminCommand } = ctx.port;
    let calls = 0;
    ctx.port.adminCommand = async (command) => {
      if (command.setParameter && (calls += 1) > 1)
        throw Object.assign(new Error('connection 7 closed'), { name: 'MongoNetworkError' });
      return adminCommand(command);
    };
    await benchSteps(ctx, [{ evictionTarget: 75 }, { evictionThreadsMax: 6 }], QUICK_STEPS).catch(
      () => undefined,
    );
    const { execFileSync } = require('node:child_process');
    const other = execFileSync(
      process.execPath,
      [
        '-e',
        `
      const { unfinishedChanges } = require('./lib/change/unfinished-changes');
      const { readLines } = require('./lib/change/journal');
      const { entriesOf } = require('./lib/change/pure/journal');
      const { isInProgress } = require('./lib/change/change-lock');
      process.stdout.write(JSON.stringify([unfinishedChanges(process.argv[1]).length, entriesOf(readLines(process.argv[1]).lines).map(isInProgress)]));
    `,
        place.home.path,
      ],
      { cwd: require('node:path').join(__dirname, '../../..') },
    );
    assert.equal(JSON.parse(String(other))[0], 1);
  });

  it('where the steps are to stay: what another session set during the last measurement stays, too', async () => {
    const ctx = context();
    const { adminCommand } = ctx.port;
    let calls = 0;
    ctx.port.adminCommand = async (command) => {
      const answer = await adminCommand(command);
      if (command.setParameter && (calls += 1) === 4)
        await setExternally(place.server, 'eviction=(threads_max=9)');
      return answer;
    };
    const seen = await benchSteps(ctx, [{ evictionTarget: 75 }, { evictionThreadsMax: 6 }], {
      ...QUICK_STEPS,
      seconds: 1,
      rechecks: 9,
      keepSteps: true,
    });
    const [target, threads] = await set();
    assert.equal(threads, 9, String(seen.because));
    assert.ok(
      target === 80 || !/the other settings were restored/.test(String(seen.because)),
      `evictionTarget is ${target}: ${seen.because}`,
    );
  });
});
