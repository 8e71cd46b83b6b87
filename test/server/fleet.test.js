'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { run: fleet } = require('../../lib/commands/fleet');
const { run: metrics } = require('../../lib/commands/metrics');
const { contextOf } = require('../support/context');
const { temporaryFolder } = require('../support/cleanup');
const { startFleet, PASSWORD } = require('../support/fleet/fleet');
const { promlint, findPromtool, runPromtool, NO_PROMTOOL } = require('../support/promlint');
const { startServer } = require('../support/server');
const { skipIf } = require('../support/skip');

/**
 * @import { Server } from '../support/server'
 */

describe('a fleet, and metrics', function () {
  this.timeout(180_000);
  /** @type {Server} */ let server;
  let folder;
  before(async () => {
    server = await startServer();
    folder = temporaryFolder('fleet-server');
  });
  after(async () => {
    await server?.stop();
    folder?.remove();
  });

  describe('tune.metrics on a real server', () => {
    it('is what Prometheus reads, and says what tune.status says', async function () {
      const file = path.join(folder.path, 'tune.prom');
      const answer = await metrics(contextOf(server.client), { seconds: 1, output: file });
      const { series, problems } = promlint(answer.text);
      assert.deepEqual(problems, []);
      assert.equal(answer.text, fs.readFileSync(file, 'utf8'));
      assert.equal(answer.series, series.length);
      assert.ok(series.length > 80, String(series.length));
      assert.ok(series.every(({ labels }) => labels.server === answer.server));
      assert.equal(
        series.find(({ name }) => name === 'mongosh_tune_cache_max_bytes')?.value,
        256 * 2 ** 20,
      );
      assert.equal(series.find(({ name }) => name === 'mongosh_tune_last_run_success')?.value, 1);
      const promtool = findPromtool();
      skipIf(this, promtool === null ? NO_PROMTOOL : null);
      assert.deepEqual(runPromtool(promtool, ['check', 'metrics'], answer.text), {
        code: 0,
        said: '',
      });
    });
    it('is called as it was told', async () => {
      const { text, file } = await metrics(contextOf(server.client), {
        seconds: 0.2,
        serverName: 'shop',
        includeHost: false,
      });
      assert.match(text, /^mongosh_tune_last_run_success\{server="shop"\} 1$/m);
      assert.equal(file, null);
    });
  });

  describe('tune.fleet', () => {
    const KINDS = /** @type {const} */ ([
      'well',
      'busy',
      'dead',
      'refusing',
      'slow',
      'well',
      'busy',
      'well',
      'dead',
      'well',
    ]);
    let simulated;
    before(async () => {
      simulated = await startFleet(server.client, { servers: KINDS.length, kinds: KINDS });
    });
    after(() => simulated?.stop());

    it('sees a real server as tune.advise does, without a connection of its own', async () => {
      const {
        rows: [row],
        exitCode,
      } = await fleet(contextOf(null), [{ uri: server.uri, name: 'real', tags: { env: 'test' } }], {
        seconds: 0.5,
        serverTimeoutSeconds: 60,
      });
      assert.deepEqual(
        [row.name, row.tags, row.state, row.version, row.role],
        ['real', { env: 'test' }, 'examined', server.version, 'standalone'],
      );
      assert.equal(row.cache?.maxBytes, 256 * 2 ** 20);
      assert.ok(exitCode < 3);
    });
    it('puts those in trouble first, then those out of reach, and loses none', async () => {
      const file = path.join(folder.path, 'servers.txt');
      fs.writeFileSync(
        file,
        simulated.servers.map(({ uri, kind }) => `${uri}  # ${kind}`).join('\n'),
        { mode: 0o600 },
      );
      const ctx = contextOf(null);
      const answer = await fleet(ctx, file, {
        seconds: 3,
        serverTimeoutSeconds: 10,
        concurrency: 10,
      });
      const kindOf = Object.fromEntries(
        simulated.servers.map(({ uri, kind }) => [/127[^/]+/.exec(uri)?.[0], kind]),
      );
      const kinds = answer.rows.map(({ name }) => kindOf[name]);
      assert.deepEqual(kinds.slice(0, 2), ['busy', 'busy'], String(answer));
      assert.deepEqual(kinds.slice(2, 6).sort(), ['dead', 'dead', 'refusing', 'slow']);
      assert.deepEqual(kinds.slice(6), ['well', 'well', 'well', 'well']);
      const stateOf = (kind) =>
        answer.rows.filter(({ name }) => kindOf[name] === kind).map(({ state }) => state);
      assert.deepEqual(
        [stateOf('dead'), stateOf('refusing')],
        [['unreachable', 'unreachable'], ['refused']],
      );
      assert.match(stateOf('slow').join(), /^(late|unreachable)$/);
      const [worst] = answer.rows;
      assert.equal(worst.bottleneck === null || worst.findings.length === 0, false);
      assert.ok(
        worst.findings.some(({ rule, status }) => rule === 'cache-wait' && status === 'critical'),
        JSON.stringify(worst.findings),
      );
      assert.equal(answer.exitCode, 2);
      assert.ok(!`${JSON.stringify(answer)}${answer}${ctx.progressed.join()}`.includes(PASSWORD));
    });
    it('ends by Ctrl-C with what is there, also in the middle of a sample', async () => {
      const stop = new AbortController();
      const ctx = contextOf(null, { signal: stop.signal });
      const well = simulated.servers.filter(({ kind }) => kind === 'well').map(({ uri }) => uri);
      const looking = fleet(
        {
          ...ctx,
          reach: async (...call) => {
            const one = await ctx.reach(...call);
            setTimeout(() => stop.abort(), 1500);
            return one;
          },
        },
        well,
        { seconds: 600, serverTimeoutSeconds: 60 },
      );
      const answer = await looking;
      assert.equal(answer.examined + (answer.states['skipped'] ?? 0), well.length, String(answer));
      assert.ok(answer.examined > 0, String(answer));
      assert.match(answer.notes.join(), /^Interrupted: /);
      assert.match(answer.rows[0].notes.join(), /Interrupted/);
    });
  });
});
