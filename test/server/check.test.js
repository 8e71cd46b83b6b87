'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { startServer } = require('../support/server');
const { contextOf } = require('../support/context');
const { temporaryFolder } = require('../support/cleanup');
const { run: check } = require('../../lib/commands/check');

/**
 * @import { Server } from '../support/server'
 * @import { MongoClient } from 'mongodb'
 */

/**
 * A server has a handful of sessions open at any time: with such a limit that is trouble, whatever
 * else the machine is at.
 */
const WARNING = { sessions: { nearRatio: 1e-9 } };
const CRITICAL = { sessions: { nearRatio: 1e-9, atLimitRatio: 1e-9 } };
const SECONDS = 0.2;

describe('tune.check() on a real server', function () {
  this.timeout(60_000);
  /** @type {Server} */ let server;
  /** @type {MongoClient} as a user with the role clusterMonitor and no other */ let monitor;
  /** @type {ReturnType<typeof temporaryFolder>} */ let folder;
  before(async () => {
    server = await startServer({ auth: true });
    monitor = await server.connect(await server.addUser('monitor', ['clusterMonitor']));
    folder = temporaryFolder('check');
  });
  after(async () => {
    await server?.stop();
    folder?.remove();
  });
  /** @param {any} [options] */
  const sample = (options) => check(contextOf(monitor), { seconds: SECONDS, ...options });
  /** @param {string} name @param {string} text */
  const file = (name, text) => {
    const place = path.join(folder.path, name);
    fs.writeFileSync(place, text);
    return place;
  };

  it('needs clusterMonitor alone, and knows all that the figures tell', async () => {
    const { status, exitCode, perfdata, findings, notes, host, version } = await sample({
      seconds: 1,
    });
    assert.equal(exitCode, { ok: 0, warning: 1, critical: 2, unknown: 3 }[status]);
    assert.deepEqual(
      findings.filter((one) => one.status === 'error'),
      [],
    );
    assert.deepEqual(notes, []);
    assert.equal(version, server.version);
    assert.match(String(host), new RegExp(`:${server.port}$`));
    // Without an operation there is no latency, and without a checkpoint none took any time.
    assert.deepEqual(
      perfdata
        .filter(({ value }) => value === null)
        .map(({ label }) => label)
        .filter((label) => !/latency|checkpoint/.test(label)),
      [],
    );
    assert.deepEqual(
      perfdata
        .filter(({ label }) => /^(cache_dirty|tickets_read)$/.test(label))
        .map(({ warn, crit, max }) => [warn, crit, max]),
      [
        [15, 20, 100],
        [null, null, 128],
      ],
    );
  });

  it("is a warning or critical by thresholds of one's own, and then by how bad it must be", async () => {
    const [warning, critical, bad] = [
      await sample({ thresholds: WARNING, failOn: 'warning' }),
      await sample({ thresholds: CRITICAL, failOn: 'critical' }),
      await sample({ thresholds: WARNING, failOn: 'critical' }),
    ];
    assert.ok(
      warning.findings.some(({ key, status }) => key === 'sessions' && status === 'warning'),
    );
    assert.notEqual(warning.exitCode, 0);
    assert.deepEqual([critical.status, critical.exitCode], ['critical', 2]);
    assert.match(String(critical), /^CRITICAL {5}\S+ {2}MongoDB [^]*\n {2}CRIT {2}sessions /);
    assert.ok(
      bad.findings.some(({ key, status }) => key === 'sessions' && status === 'warning'),
      'told all the same',
    );
    assert.notEqual(bad.status, 'warning');
  });

  it('takes suppressions and thresholds from one file of YAML, or two of JSON', async () => {
    const both = file(
      'check.yaml',
      '# ours\nthresholds:\n  sessions:\n    nearRatio: 0.000000001\nsuppress:\n  - key: ' +
        'sessions\n    reason: known\n    until: 2999-12-31\n  - key: tickets\n    reason: ' +
        'import\n    until: 2999-12-31\n',
    );
    const json = {
      suppress: file(
        'suppress.json',
        JSON.stringify([
          { key: 'sessions', reason: 'known', until: '2999-12-31' },
          { key: 'tickets', reason: 'import', until: '2999-12-31' },
        ]),
      ),
      thresholds: file('thresholds.json', JSON.stringify(WARNING)),
    };
    for (const options of [{ suppress: both, thresholds: both }, json]) {
      const { findings, suppressed, notes } = await sample(options);
      assert.deepEqual(
        suppressed.map(({ key, reason, until }) => [key, reason, until]),
        [['sessions', 'known', '2999-12-31']],
      );
      assert.ok(!findings.some(({ key }) => key === 'sessions'));
      assert.deepEqual(notes, ['tickets is suppressed, but was not found.']);
    }
  });

  it('tells a suppression that is over, and what it suppressed', async () => {
    const answer = await sample({
      thresholds: WARNING,
      suppress: [{ key: 'sessions', reason: 'import', until: '2020-01-01' }],
    });
    assert.deepEqual(
      answer.findings.map(({ key }) => key).filter((key) => /session/.test(key)),
      ['sessions', 'suppression:sessions'],
    );
    assert.notEqual(answer.exitCode, 0);
    assert.match(
      String(answer),
      / {2}WARN {2}suppression {2}The suppression of sessions \("import"\) ended on\s+2020-01-01\./,
    );
  });

  it('with a baseline only what is worse counts', async () => {
    const baseline = path.join(folder.path, 'baseline.json');
    await sample({ thresholds: WARNING, saveBaseline: baseline });
    const [same, worse, gone] = [
      await sample({ thresholds: WARNING, baseline }),
      await sample({ thresholds: CRITICAL, baseline }),
      await sample({ baseline }),
    ];
    assert.ok(
      same.inBaseline.some(({ key }) => key === 'sessions') &&
        !same.findings.some(({ key }) => key === 'sessions'),
    );
    assert.ok(
      worse.findings.some(({ key, status }) => key === 'sessions' && status === 'critical'),
    );
    const suppressed = await sample({
      thresholds: WARNING,
      baseline,
      suppress: ['sessions', 'tickets'].map((key) => ({
        key,
        reason: 'import',
        until: '2999-12-31',
      })),
    });
    assert.deepEqual(
      suppressed.notes.filter((note) => note.includes('suppressed')),
      ['tickets is suppressed, but was not found.'],
      'what is known was found',
    );
    assert.match(gone.notes.join(), /No longer found since the baseline: .*sessions/);
    fs.writeFileSync(
      baseline,
      JSON.stringify({ ...JSON.parse(fs.readFileSync(baseline, 'utf8')), host: 'other:1' }),
    );
    assert.match(
      (await sample({ baseline })).notes.join(),
      /The baseline was saved for another server, other:1\./,
    );
    await sample({ saveBaseline: baseline });
    assert.deepEqual(
      fs.readdirSync(folder.path).filter((name) => name.endsWith('.new')),
      [],
    );
    assert.notEqual(JSON.parse(fs.readFileSync(baseline, 'utf8')).host, 'other:1');
  });

  it('what was cut short is not ok', async () => {
    const stop = new AbortController();
    const ctx = contextOf(monitor, { signal: stop.signal });
    const answer = check(ctx, { seconds: 60, failOn: 'critical' });
    setTimeout(() => stop.abort(), 2000);
    const { status, notes } = await answer;
    assert.equal(status, 'unknown');
    assert.match(notes.join(), /Interrupted/);
  });

  it('costs the server no more with many collections: nothing is asked of them', async () => {
    const ctx = contextOf(monitor);
    /** @type {string[]} */ const asked = [];
    await check(
      {
        ...ctx,
        port: {
          ...ctx.port,
          adminCommand: (spec) => {
            asked.push(spec.pipeline?.[0].$currentOp ? '$currentOp' : Object.keys(spec)[0]);
            return ctx.port.adminCommand(spec);
          },
          command: (database, spec) => {
            asked.push(`${database} ${Object.keys(spec)[0]}`);
            return ctx.port.command(database, spec);
          },
        },
      },
      { seconds: SECONDS },
    );
    // One small collection of its own: moves that are unfinished.
    assert.deepEqual(
      asked.filter((name) =>
        /^(listDatabases|listCollections|collStats|dbStats|aggregate|\w+ )/.test(name),
      ),
      ['tune find'],
    );
    assert.ok(asked.length <= 12, asked.join());
  });
});
