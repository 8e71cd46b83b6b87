'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const zlib = require('node:zlib');
const { once } = require('node:events');
const { spawn } = require('node:child_process');
const { startServer } = require('../support/server');
const { contextOf } = require('../support/context');
const { startLoad } = require('../support/load');
const { run: advise } = require('../../lib/commands/advise');
const { run: record } = require('../../lib/commands/record');
const { run: replay } = require('../../lib/commands/replay');
const { run: ftdc } = require('../../lib/commands/ftdc');
const { READ_ROLE } = require('../../lib/server/pure/commands');

/**
 * @import { Server } from '../support/server'
 */

// Often, small, and soon written, so that a few seconds make many chunks.
const QUICK = ['PeriodMillis=100', 'SamplesPerChunk=10', 'SamplesPerInterimUpdate=2'].flatMap(
  (setting) => ['--setParameter', `diagnosticDataCollection${setting}`],
);

describe('recording a real server', function () {
  this.timeout(60_000);
  /** @type {Server} */ let server;
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), `mongosh-tune-${process.pid}-record-`));
  before(async () => {
    server = await startServer({ auth: true, args: QUICK });
  });
  after(async () => {
    await server?.stop();
    fs.rmSync(folder, { recursive: true });
  });
  /** Of each test, and of each try of it: what is there already is not written over. @type {string} */ let own;
  beforeEach(() => {
    own = fs.mkdtempSync(path.join(folder, 'try-'));
  });
  const fresh = (/** @type {string} */ name) => path.join(own, name);
  const work = () =>
    startLoad(async (loop) => {
      await server
        .db('test')
        .collection('c')
        .insertOne({ loop, text: 'x'.repeat(500) });
    });

  it('writes facts and a server status a line, and the replay says what is so', async () => {
    const load = work();
    const done = await record(contextOf(server.client), fresh('a.jsonl'), {
      seconds: 4,
      everySeconds: 0.5,
    });
    await load.stop();
    assert.deepEqual(
      [done.samples, done.ended, done.notes, done.version],
      [9, 'complete', [], server.version],
    );
    assert.equal(done.bytes, fs.statSync(done.file).size);
    assert.match(String(done), /9 samples .* {2}Diagnose\s+tune\.replay/s);
    const lines = fs
      .readFileSync(done.file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.deepEqual(
      [lines.length, lines[0].tuneRecording, lines[0].facts.config.cacheSizeGB.value],
      [10, 1, 0.25],
    );
    assert.ok(
      lines
        .slice(1)
        .every(
          (line) =>
            line.wiredTiger.cache['maximum bytes configured'] === 256 * 2 ** 20 && line.ok === 1,
        ),
    );
    assert.ok(lines.some((line) => line.systemMetrics?.cpu.user_ms > 0)); // one that is late is not waited for
    const advice = await replay(contextOf(server.client), done.file);
    assert.deepEqual(
      [advice.host, advice.version, advice.window.samples, advice.source],
      [done.host, server.version, 9, 'recording'],
    );
    assert.deepEqual(advice.notes, []);
    assert.ok(!['idle', 'unknown'].includes(advice.bottleneck), advice.because);
    const { opsPerSec } = advice.timeline().series;
    assert.ok(
      opsPerSec.length === 8 &&
        opsPerSec.every((perSec) => perSec !== null) &&
        Math.max(...opsPerSec.map(Number)) > 20,
      String(opsPerSec),
    );
  });

  it('gives the verdict that advise gave in the same time', async () => {
    const load = work();
    const file = fresh('same.jsonl');
    const [live] = await Promise.all([
      advise(contextOf(server.client), { seconds: 12 }),
      record(contextOf(server.client), file, { seconds: 12 }),
    ]);
    await load.stop();
    const later = await replay(contextOf(server.client), file);
    assert.deepEqual(
      [later.bottleneck, later.change],
      [live.bottleneck, live.change],
      `${later.because} / ${live.because}`,
    );
    const judgedBy = (/** @type {any} */ { findings }) =>
      findings
        .map((/** @type {any} */ { rule, status }) => [
          rule,
          status === 'unknown' ? 'unknown' : 'known',
        ])
        .sort();
    assert.deepEqual(judgedBy(later), judgedBy(live));
  });

  it('takes a name with ~, and stays readable when its writer is killed', async () => {
    const home = process.env.HOME;
    process.env.HOME = own;
    try {
      const done = await record(contextOf(server.client), '~/home.jsonl.gz', { seconds: 1 });
      assert.equal(done.file, fresh('home.jsonl.gz'));
    } finally {
      process.env.HOME = home;
    }
    const file = fresh('killed.jsonl.gz');
    const script = `
      const { MongoClient } = require('mongodb');
      const { contextOf } = require(${JSON.stringify(require.resolve('../support/context'))});
      const { run: record } = require(${JSON.stringify(require.resolve('../../lib/commands/record'))});
      MongoClient.connect(process.argv[1]).then((client) => record(contextOf(client), process.argv[2], { seconds: 600, everySeconds: 0.2 }));`;
    const child = spawn(process.execPath, ['-e', script, server.uri, file], {
      cwd: path.join(__dirname, '..', '..'),
      stdio: 'inherit',
    });
    const linesIn = () =>
      replay(contextOf(server.client), file).then(
        ({ window }) => window.samples,
        () => 0,
      );
    while ((await linesIn()) < 5) await new Promise((resolve) => setTimeout(resolve, 200));
    child.kill('SIGKILL');
    await once(child, 'exit');
    const { window, notes, host } = await replay(contextOf(server.client), file);
    assert.ok(window.samples >= 5 && host !== null, `${window.samples}`);
    assert.doesNotMatch(notes.join(), /cannot be unpacked/);
  });

  it('packs it when the name says so', async () => {
    const done = await record(contextOf(server.client), fresh('b.jsonl.gz'), {
      seconds: 1,
      everySeconds: 0.5,
    });
    assert.equal(
      zlib.gunzipSync(fs.readFileSync(done.file)).toString().trim().split('\n').length,
      4,
    );
    assert.equal((await replay(contextOf(server.client), done.file)).window.samples, 3);
  });

  for (const name of ['c.jsonl', 'c.jsonl.gz']) {
    it(`Ctrl-C ends it, and the file is whole, ${name}`, async () => {
      const stop = new AbortController();
      setTimeout(() => stop.abort(), 1300);
      const started = performance.now();
      const done = await record(contextOf(server.client, { signal: stop.signal }), fresh(name), {
        seconds: 60,
        everySeconds: 0.5,
      });
      assert.ok(performance.now() - started < 30_000); // of 60 s; how fast it is, is a matter of the machine
      assert.equal(done.ended, 'interrupted');
      const bytes = fs.readFileSync(done.file);
      const lines = (name.endsWith('.gz') ? zlib.gunzipSync(bytes) : bytes)
        .toString()
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      assert.ok(lines.length >= 3 && lines.length === done.samples + 1, `${lines.length}`);
    });
  }

  it('keeps what it has when the connection is lost', async () => {
    const client = await server.connect(server.uri);
    setTimeout(() => client.close(), 1300);
    const done = await record(contextOf(client), fresh('d.jsonl.gz'), {
      seconds: 60,
      everySeconds: 0.5,
    });
    assert.equal(done.ended, 'lost');
    assert.match(done.notes.join(), /connection was lost/);
    assert.equal((await replay(contextOf(server.client), done.file)).window.samples, done.samples);
  });

  it('does with the smallest role, and with the figures of the machine', async () => {
    await server.addRole('tuneRead', READ_ROLE.privileges);
    const client = await server.connect(await server.addUser('recorder', ['tuneRead']));
    const done = await record(contextOf(client), fresh('e.jsonl'), { seconds: 1 });
    assert.equal(done.samples, 2);
    assert.match(fs.readFileSync(done.file, 'utf8'), /"systemMetrics":\{.*"user_ms":/);
  });

  it('does without them where they are refused', async () => {
    await server.addRole('tuneStatus', [
      { resource: { cluster: true }, actions: ['serverStatus'] },
    ]);
    const client = await server.connect(await server.addUser('modest', ['tuneStatus']));
    const done = await record(contextOf(client), fresh('e2.jsonl'), { seconds: 1 });
    assert.equal(done.samples, 2);
    assert.equal(
      JSON.parse(fs.readFileSync(done.file, 'utf8').split('\n')[1]).systemMetrics,
      undefined,
    );
  });

  it('writes over nothing, and makes no file for a server it may not look at', async () => {
    fs.writeFileSync(fresh('f.jsonl'), 'precious');
    await assert.rejects(record(contextOf(server.client), fresh('f.jsonl'), { seconds: 1 }), {
      code: 'TUNE-40005',
    });
    assert.equal(fs.readFileSync(fresh('f.jsonl'), 'utf8'), 'precious');
    const client = await server.connect(await server.addUser('nobody', []));
    await assert.rejects(record(contextOf(client), fresh('g.jsonl'), { seconds: 1 }));
    assert.ok(!fs.existsSync(fresh('g.jsonl')));
  });

  it('asks for a name', async () => {
    await assert.rejects(record(contextOf(server.client), /** @type {any} */ (undefined)), {
      code: 'TUNE-10004',
    });
    await assert.rejects(
      record(contextOf(server.client), fresh('h'), /** @type {any} */ ({ everySeconds: 0 })),
      { code: 'TUNE-10002' },
    );
  });

  it('reads the diagnostic data of the same server while it is being written', async () => {
    const load = work();
    const before = await server.adminCommand({ serverStatus: 1 });
    await new Promise((resolve) => setTimeout(resolve, 4000));
    await load.stop();
    const after = await server.adminCommand({ serverStatus: 1 });
    const advice = await ftdc(contextOf(server.client), server.dbPath, {
      from: before.localTime,
      to: after.localTime,
    });
    assert.deepEqual(
      [advice.host, advice.version, advice.source],
      [after.host, server.version, 'ftdc'],
    );
    assert.ok(advice.window.samples > 20, `${advice.window.samples} samples`);
    const insertsPerSec =
      (after.opcounters.insert - before.opcounters.insert) /
      ((after.localTime - before.localTime) / 1000);
    const { opsPerSec } = advice.timeline().series;
    const mean =
      opsPerSec.reduce((/** @type {number} */ sum, /** @type {any} */ n) => sum + n, 0) /
      opsPerSec.length;
    assert.ok(
      Math.abs(mean - insertsPerSec) < 0.4 * insertsPerSec,
      `${mean} against ${insertsPerSec}`,
    );
    assert.ok(!['idle', 'unknown'].includes(advice.bottleneck), advice.because);
  });
});
