'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { startServer } = require('../support/server');
const { contextOf } = require('../support/context');
const { temporaryFolder } = require('../support/cleanup');
const { QUICK } = require('../support/one-server');
const { setExternally } = require('../support/engine');
const { run: benchCompare } = require('../../lib/commands/bench-compare');
const { run: benchSteps } = require('../../lib/commands/bench-steps');
const { run: config } = require('../../lib/commands/settings');
const { run: history } = require('../../lib/commands/history');

/**
 * @import { Server } from '../support/server'
 */

describe('several servers, several steps', function () {
  this.timeout(180_000);
  /** @type {Server} */ let server;
  /** @type {Server} */ let other;
  /** @type {{ path: string, remove(): void }} */ let home;
  const context = () => contextOf(server.client, { home: home.path });
  before(async () => {
    [server, other] = await Promise.all([startServer(), startServer({ auth: true })]);
  });
  after(() => Promise.all([server?.stop(), other?.stop()]));
  beforeEach(() => {
    home = temporaryFolder('home');
  });
  afterEach(async () => {
    home.remove();
    for (const one of [server, other])
      assert.ok(
        !(await one.adminCommand({ listDatabases: 1, nameOnly: true })).databases.some(
          ({ name }) => name === 'tune_bench',
        ),
      );
  });

  describe('tune.bench.compare', () => {
    it('shows what it would do, without a password', async () => {
      const shown = await benchCompare(context(), [server.uri, other.uri], {
        ...QUICK,
        confirm: false,
      });
      assert.deepEqual([shown.dryRun, shown.servers.length], [true, 2]);
      assert.ok(!/root-password/.test(JSON.stringify(shown) + shown));
      assert.match(String(shown), /nothing was written[^]*A {2}.*MongoDB[^]*B {2}/);
    });

    it('gives each its turns, and tells the ratio with its interval', async () => {
      const seen = await benchCompare(context(), `${server.uri} ${other.uri}`, {
        ...QUICK,
        rounds: 3,
      });
      assert.deepEqual(
        [seen.rounds.length, seen.rounds[0].length, seen.threads, seen.processes],
        [3, 2, 4, 1],
      );
      const [first, second] = seen.servers;
      assert.deepEqual([first.verdict, first.ratio], ['first', null]);
      assert.ok(second.low < second.ratio && second.ratio < second.high);
      assert.ok(first.opsPerSec > 0 && second.p99Ms >= second.p95Ms);
      if (process.platform === 'linux')
        assert.match(first.files, new RegExp(`^\\w+ on .+, ${server.dbPath}`));
      assert.match(String(seen), /÷ A/);
    });

    it('Ctrl-C ends it, and takes the data of all of them away', async () => {
      const stop = new AbortController();
      const ctx = contextOf(server.client, { home: home.path, signal: stop.signal });
      let turns = 0;
      ctx.progress = (text) => {
        if (/: 1 of 1 s/.test(text ?? '') && ++turns === 3) stop.abort();
      };
      await assert.rejects(benchCompare(ctx, [server.uri, other.uri], QUICK), {
        code: 'TUNE-30009',
      });
    });

    it('refuses a server named twice, one alone, and what is no connection string', async () => {
      await assert.rejects(
        benchCompare(context(), [server.uri, server.uri], QUICK),
        (error) => error.code === 'TUNE-10002' && /lead to/.test(error.message),
      );
      for (const uris of [[server.uri], 'nonsense here', [server.uri, 7], 3])
        await assert.rejects(benchCompare(context(), /** @type {any} */ (uris), QUICK), {
          code: 'TUNE-10002',
        });
      await assert.rejects(benchCompare(context(), /** @type {any} */ (undefined), QUICK), {
        code: 'TUNE-10004',
      });
      for (const uris of [
        'mongodb://joe:s3cret@h',
        ['mongodb://h', 'mongodb://joe:s3 cret@h'],
        ['mongo://joe:s3cret@h', 'mongodb://h'],
        'mongodb://h mongodb://joe:s3 cret@h',
      ]) {
        await assert.rejects(
          benchCompare(context(), uris, QUICK),
          (error) =>
            error.code === 'TUNE-10002' && !/s3|cret/.test(error.message + JSON.stringify(error)),
          String(uris),
        );
      }
    });
  });

  describe('tune.bench.steps', () => {
    const steps = [{ cacheSizeGB: 0.5 }, { evictionThreadsMax: 6 }];
    const set = async () => {
      const { cacheSizeGB, evictionThreadsMax } = await config(context());
      return [cacheSizeGB.value, evictionThreadsMax.value];
    };

    it('shows what it would do, and changes nothing', async () => {
      const shown = await benchSteps(context(), steps, { ...QUICK, confirm: false });
      assert.deepEqual([shown.dryRun, shown.steps.length], [true, 2]);
      assert.match(
        String(shown),
        /nothing was changed[^]*1 {2}\{ cacheSizeGB: 0\.5 \}[^]* {2}Run {8}tune\.bench\.steps\(\[\{ cacheSizeGB: 0\.5 \}, \{[^]*confirm: true\s+\}\)/,
      );
      assert.deepEqual(await set(), [0.25, 4]);
      const kept = await benchSteps(context(), steps, {
        ...QUICK,
        confirm: false,
        keepSteps: true,
      });
      assert.match(String(kept), /AT THE END {3}the engine settings of all steps stay active/);
    });

    it(
      'measures each step on top of the one before, the baseline in between, and leaves the ' +
        'settings as they were',
      async () => {
        /** @type {unknown[]} */ const effective = [];
        const ctx = context();
        ctx.progress = (text) => {
          if (/: 1 of 1 s/.test(text ?? '')) effective.push(set());
        };
        const seen = await benchSteps(ctx, [...steps, { cacheSizeGB: 0.75 }], {
          ...QUICK,
          seconds: 1.4,
        });
        assert.deepEqual(
          seen.measuredSteps.map(({ name }) => name),
          [
            'baseline',
            '{ cacheSizeGB: 0.5 }',
            '{ evictionThreadsMax: 6 }',
            'baseline again',
            '{ cacheSizeGB: 0.75 }',
            'baseline again',
          ],
        );
        assert.ok(seen.measuredSteps.every(({ opsPerSec, ratio }) => opsPerSec > 0 && ratio > 0));
        assert.deepEqual([seen.ended, seen.kept, seen.verified], ['complete', false, true]);
        assert.deepEqual(await set(), [0.25, 4]);
        assert.equal((await history(context()))[0].outcome, 'undone');
        assert.match(String(seen), /█[^]*total and bars: drift removed[^]*SETTINGS {5}as before/);
      },
    );

    it('what another session sets meanwhile stays, and the rest goes back', async () => {
      const ctx = context();
      const { adminCommand } = ctx.port;
      let isDone = false;
      ctx.port.adminCommand = async (command) => {
        const answer = await adminCommand(command);
        if (command.setParameter && !isDone) {
          isDone = true;
          await setExternally(server, 'eviction=(threads_max=9)');
        }
        return answer;
      };
      const seen = await benchSteps(ctx, steps, QUICK);
      assert.deepEqual(
        [
          seen.ended,
          seen.kept,
          seen.id,
          seen.externalChanges.map(({ values }) => [values.config, values.overwritten]),
        ],
        ['disturbed', false, null, [['eviction=(threads_max=9)', false]]],
      );
      assert.match(
        String(seen),
        /Another session set evictionThreadsMax during the run: that stays/,
      );
      assert.deepEqual(await set(), [0.25, 9]);
      await setExternally(server, 'eviction=(threads_max=4)');
    });

    it('leaves the steps in effect if asked', async () => {
      const seen = await benchSteps(context(), steps, { ...QUICK, keepSteps: true });
      assert.equal(seen.kept, true);
      assert.deepEqual(await set(), [0.5, 6]);
      const { run: undo } = require('../../lib/commands/undo');
      await undo(context(), seen.id, { confirm: true });
      assert.deepEqual(await set(), [0.25, 4]);
    });

    it('waits for what the person is to do, goes on when it took, and says when it did not', async () => {
      const flag = path.join(home.path, 'done');
      const ctx = context();
      ctx.terminal.write = (text) => {
        if (/touch/.test(text)) setTimeout(() => fs.writeFileSync(flag, ''), 500);
      };
      const seen = await benchSteps(
        ctx,
        [
          { host: 'touch done', check: () => fs.existsSync(flag) },
          { host: 'sysctl -w vm.dirty_bytes=1', check: { 'writeback.dirtyBytes': 1 } },
        ],
        { ...QUICK, waitSeconds: 4, rechecks: 5 },
      );
      const [, first, second] = seen.measuredSteps;
      assert.deepEqual(
        [first.took, first.hostSteps, second.took, second.opsPerSec, seen.notTaken],
        [true, 1, false, null, 1],
      );
      assert.match(second.why, /writeback\.dirtyBytes is .*, not 1/);
      assert.match(String(seen), /was not measured/);
      assert.equal(seen.id, null);
    });

    it('Ctrl-C takes the settings back, and tells what was measured', async () => {
      const stop = new AbortController();
      const ctx = contextOf(server.client, { home: home.path, signal: stop.signal });
      let seconds = 0;
      ctx.progress = (text) => {
        if (/: \d of 3 s/.test(text ?? '') && ++seconds === 5) stop.abort();
      };
      const seen = await benchSteps(ctx, steps, { ...QUICK, seconds: 3 });
      assert.deepEqual(
        [seen.ended, seen.because],
        ['interrupted', 'Ctrl-C ended it before all steps were measured.'],
      );
      assert.ok(seen.measuredSteps.length >= 1 && seen.measuredSteps.length < 4);
      assert.deepEqual(await set(), [0.25, 4]);
    });

    it('refuses steps that are none', async () => {
      for (const wrong of [
        [],
        'cacheSizeGB',
        [{}],
        [{ host: 'do it' }],
        [{ host: 7 }],
        [{ host: 'x', chek: 1 }],
        [{ syncdelaySeconds: 10 }],
      ]) {
        await assert.rejects(
          benchSteps(context(), wrong, QUICK),
          (error) => ['TUNE-10002', 'TUNE-30008'].includes(error.code),
          JSON.stringify(wrong),
        );
      }
      await assert.rejects(benchSteps(context(), undefined, QUICK), { code: 'TUNE-10004' });
      await assert.rejects(benchSteps(context(), [{ cacheSizeGB: 1 }, { cacheSizeGb: 2 }], QUICK), {
        code: 'TUNE-10003',
      });
    });
  });
});
