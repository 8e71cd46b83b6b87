'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const zlib = require('node:zlib');
const { run: incident } = require('../../../lib/commands/incident');
const { run: bundle } = require('../../../lib/commands/incident-bundle');
const { run: writeReport } = require('../../../lib/commands/report');
const { tuneEvents } = require('../../../lib/incident/pure/recorded-events');
const { attachedSeries } = require('../../../lib/series/chart-data');
const { temporaryFolder } = require('../../support/cleanup');
const { bundleOf } = require('../../../lib/incident/pure/bundle');
const { readOf } = require('../../support/incident-events');
const { chunkFile } = require('../../support/incident-data');

const NIGHT_MS = Date.UTC(2026, 10, 25, 3);
const ctx = () => ({ signal: new AbortController().signal, progress() {}, home: '/nonexistent' });
const run = (/** @type {any[]} */ ...args) => incident(ctx(), ...args);

/** @param {number} second @param {number} id @param {object} [attr] @param {string} [zone] */
function line(second, id, attr = {}, zone = '+00:00') {
  const hours = Number(zone.slice(0, 3));
  const date = new Date(NIGHT_MS + second * 1000 + hours * 3_600_000).toISOString().slice(0, -1);
  return `{"t":{"$date":"${date}${zone}"},"s":"I",  "c":"X",  "id":${id},   "ctx":"conn7","msg":"x","attr":${JSON.stringify(attr)}}`;
}
const STARTED = { pid: 5, port: 27017, host: 'db1', dbPath: '/d' };
const killed = (zone = '+00:00') => [
  line(0, 20721, { host: 'db1', port: 27017 }, zone),
  line(0, 23403, { buildInfo: { version: '6.0.5' } }, zone),
  line(5, 23435, { parameterName: 'syncdelay', oldValue: '60.0', newValue: '5' }, zone),
  line(
    6,
    20438,
    { namespace: 'shop.orders', firstIndex: { name: 's_1' }, buildUUID: { uuid: { $uuid: 'u' } } },
    zone,
  ),
  line(9, 20663, { namespace: 'shop.orders', buildUUID: { uuid: { $uuid: 'u' } } }, zone),
  line(20, 51803, { ns: 'shop.orders', durationMillis: 120 }, zone),
  line(30, 20698, {}, zone),
  line(31, 4615611, STARTED, zone),
  line(31, 22271, { lockFile: 'x' }, zone),
];

describe('reading a night', () => {
  const folder = temporaryFolder('night');
  after(() => folder.remove());
  let number = 0;
  /** @param {string[]} lines @param {string} [name] */
  const write = (lines, name = `mongod${number++}.txt`) => {
    const file = path.join(folder.path, name);
    fs.writeFileSync(file, `${lines.join('\n')}\n`);
    return file;
  };
  const firstOf = (/** @type {any} */ answer) =>
    answer.events.find((/** @type {any} */ { id }) => id === answer.firstCause)?.code;

  it('a log whose run stops in the middle: the process died, and for how long it was down', async () => {
    const answer = await run(undefined, { log: write(killed()) });
    assert.deepEqual(
      [answer.verdict, firstOf(answer), answer.host, answer.version],
      ['incident', 'process-died', 'db1:27017', '6.0.5'],
    );
    const died = answer.events.find(({ code }) => code === 'process-died');
    assert.deepEqual([died?.at.getTime(), died?.values.downSeconds], [NIGHT_MS + 20_000, 11]);
    const build = answer.events.find(({ code }) => code === 'index-build');
    assert.deepEqual([build?.values.durationMs, build?.values.index], [3000, 's_1']);
    assert.match(String(answer.all()), /syncdelay was set from 60\.0 to 5/);
  });
  it('a run that exits is a restart, by the signal and its sender', async () => {
    const answer = await run(undefined, {
      log: write([
        ...killed().slice(0, 2),
        line(9, 23377, { signal: 15 }),
        line(9, 23378, { pid: 77, uid: 0 }),
        line(10, 23138, { exitCode: 0 }),
        ...killed().slice(6, 8),
      ]),
    });
    assert.equal(firstOf(answer), 'process-signal');
    assert.match(answer.because, /from process 77/);
  });
  it('a recovery is one only behind an unclean start', async () => {
    const opened = line(40, 4795906, { durationMillis: 9000 });
    const [dirty, clean] = [
      [...killed(), opened],
      [...killed().slice(0, 8), opened],
    ];
    const codes = async (/** @type {string[]} */ lines) =>
      (await run(undefined, { log: write(lines) })).events.map(({ code }) => code);
    assert.ok((await codes(dirty)).includes('recovery-long'));
    assert.ok((await codes(clean)).includes('process-recovered'));
  });
  it('another zone is the same moment', async () => {
    const answer = await run(undefined, { log: write(killed('+05:00')) });
    assert.equal(
      answer.events.find(({ code }) => code === 'process-died')?.at.getTime(),
      NIGHT_MS + 20_000,
    );
  });
  it('rotated in the middle, and gzipped: one log', async () => {
    const lines = killed();
    const file = write(lines.slice(6), 'rotated.log');
    fs.writeFileSync(
      `${file}.2026-11-25T03-00-25.gz`,
      zlib.gzipSync(`${lines.slice(0, 6).join('\n')}\n`),
    );
    const answer = await run(undefined, { log: file });
    assert.equal(firstOf(answer), 'process-died');
    assert.equal(answer.sources.length, 2);
  });
  it('cut off in a line, and with lines of something else: counted', async () => {
    const file = write(killed());
    fs.appendFileSync(file, `not a line\n${killed()[2].slice(0, 120)}`);
    const answer = await run(undefined, { log: file });
    assert.equal(firstOf(answer), 'process-died');
    assert.match(answer.notes.join(), /2 lines could not be read/);
  });
  it('a gzip that is cut is read as far as it goes', async () => {
    const packed = zlib.gzipSync(
      `${Array.from({ length: 400 }, () => killed().join('\n')).join('\n')}\n`,
    );
    const file = path.join(folder.path, 'cut.log.gz');
    fs.writeFileSync(file, packed.subarray(0, packed.length - 200));
    const answer = await run(undefined, { log: file });
    assert.equal(answer.verdict, 'incident');
  });
  it('a log of 4.2, or of anything, is none', async () => {
    const answer = await run(undefined, { log: write(['2019-01-01T00:00:00 I NETWORK [x] y']) });
    assert.equal(answer.verdict, 'unknown');
    assert.match(answer.notes.join(), /no line of a log of mongod/);
  });
  it('a folder of logs, and only the time that is wanted', async () => {
    const place = path.join(folder.path, 'logs');
    fs.mkdirSync(place);
    fs.writeFileSync(path.join(place, 'a.log'), `${killed().join('\n')}\n`);
    const all = await run(undefined, { log: place });
    assert.equal(all.verdict, 'incident');
    const before = await run(undefined, { log: place, to: new Date(NIGHT_MS + 15_000) });
    assert.equal(before.verdict, 'nothing-unusual');
    const around = await run(undefined, { log: place, at: new Date(NIGHT_MS + 864e5) });
    assert.equal(around.verdict, 'unknown');
  });
  it('a line without an end is bounded', async () => {
    const file = write(killed());
    fs.appendFileSync(file, 'x'.repeat(3 * 2 ** 20));
    fs.appendFileSync(file, `\n${line(40, 23166)}\n`);
    const answer = await run(undefined, { log: file });
    assert.equal(answer.events.at(-1)?.code, 'log-rotated');
  });
  it('a long transaction is that of the client of its connection, where the log has it', async () => {
    const began = killed().slice(0, 4);
    const name = (/** @type {string} */ client) =>
      line(7, 51800, { client, doc: { application: { name: 'billing' } } });
    const ended = line(20, 51802, { durationMillis: 6000, terminationCause: 'aborted' });
    const of = async (/** @type {string[]} */ lines, /** @type {object} */ more = {}) => {
      const { events } = await run(undefined, { log: write([...began, ...lines]), ...more });
      return events.find(({ code }) => code === 'transaction-long');
    };
    const found = await of([name('conn7'), ended]);
    assert.equal(found?.values.application, 'billing');
    assert.match(String(found?.message), /^A transaction of billing was open for 6 s and aborted/);
    // The connection is older than what is asked for.
    const later = await of([name('conn7'), ended], { from: new Date(NIGHT_MS + 15_000) });
    assert.equal(later?.values.application, 'billing');
    // Another connection, one that had ended, and one of a run before.
    for (const lines of [
      [name('conn8'), ended],
      [name('conn7'), line(8, 22944), ended],
      [name('conn7'), line(9, 4615611, STARTED), ended],
    ])
      assert.equal((await of(lines))?.values.application, null);
  });
  it('what is open when the log ends says so', async () => {
    const answer = await run(undefined, {
      log: write([
        ...killed().slice(0, 4),
        line(8, 20461, { lock: true }),
        line(9, 51800, { client: 'conn7', doc: { application: { name: 'mongodump' } } }),
        line(12, 22944),
        line(13, 20466, { lockCount: 0 }),
        line(20, 51802, { durationMillis: 6000, terminationCause: 'aborted' }),
      ]),
    });
    const of = (/** @type {string} */ code) => answer.events.find((one) => one.code === code);
    assert.match(String(of('index-build')?.message), /did not end in this log/);
    assert.equal(of('fsync-locked')?.values.durationMs, 5000);
    assert.equal(of('dump-client')?.values.durationMs, 3000);
    // Logged at its end.
    assert.equal(of('transaction-long')?.at.getTime(), NIGHT_MS + 14_000);
  });
  it('a kernel log of the same night', async () => {
    const kernelLog = write(
      [
        '[Wed Nov 25 03:00:20 2026] Out of memory: Killed process 5 (mongod) total-vm:1kB, anon-rss:2kB',
      ],
      'dmesg',
    );
    const answer = await run(undefined, { log: write(killed()), kernelLog });
    assert.equal(firstOf(answer), 'kernel-oom-kill');
    assert.equal(answer.confidence, 'high');
    const none = await run(undefined, { log: write(killed()), kernelLog: write(['hello']) });
    assert.match(none.notes.join(), /no line of a kernel/);
  });
  describe('with diagnostic data', () => {
    const data = path.join(folder.path, 'data');
    before(() => {
      fs.mkdirSync(data);
      fs.writeFileSync(
        path.join(data, 'metrics.2026-11-25T03-00-00Z-00000'),
        chunkFile({ atMs: NIGHT_MS, samples: 60, host: 'db1' }),
      );
    });
    it('a log of another server is left out, and that is said', async () => {
      const lines = killed().map((text) => text.replaceAll('"db1"', '"db9"'));
      const answer = await run(undefined, { ftdc: data, log: write(lines) });
      assert.match(
        answer.notes.join(),
        /is a log of db9:27017, and the diagnostic data is of db1:27017/,
      );
      assert.equal(answer.verdict, 'nothing-unusual');
    });
    it('a log that does not say whose it is belongs to the one there is', async () => {
      const answer = await run(undefined, { ftdc: data, log: write(killed().slice(2, 6)) });
      assert.match(answer.notes.join(), /taken for db1:27017/);
      assert.equal(answer.events[0].host, 'db1:27017');
    });
    it('a clock that was set back is the first cause of the election behind it', async () => {
      const place = path.join(folder.path, 'clock');
      fs.mkdirSync(place);
      const FIVE_MINUTES_MS = 300_000;
      fs.writeFileSync(
        path.join(place, 'metrics.2026-11-25T03-00-00Z-00000'),
        Buffer.concat([
          chunkFile({ atMs: NIGHT_MS, samples: 60, host: 'db1' }),
          chunkFile({
            atMs: NIGHT_MS + 60_000 - FIVE_MINUTES_MS,
            samples: 60,
            host: 'db1',
            first: 60,
          }),
        ]),
      );
      const log = write([
        line(-300, 20721, { host: 'db1', port: 27017 }),
        line(-230, 21450, { term: 1 }),
        line(-228, 4615652, { electionTimeoutPeriodMillis: 10_000 }),
      ]);
      const answer = await run(undefined, { ftdc: place, log });
      const jump = answer.events.find(({ code }) => code === 'clock-jump');
      assert.equal(Math.round(Number(jump?.values.seconds)), 299);
      assert.equal(firstOf(answer), 'clock-jump');
      assert.match(String(answer), /set back by 4 min 59 s/);
    });
    it('a time of which there is no sample', async () => {
      const answer = await run(undefined, { dbpath: data, at: '2026-01-01T00:00Z' });
      assert.equal(answer.verdict, 'unknown');
      assert.match(answer.notes.join(), /no sample is of that time/);
    });
    it('charts carry the chain, and a page has it all; the same hour of another day beside it', async () => {
      const answer = await run(undefined, {
        ftdc: data,
        log: write(killed()),
        from: new Date(NIGHT_MS),
        to: new Date(NIGHT_MS + 60_000),
        compareTo: new Date(NIGHT_MS),
      });
      const drawn = attachedSeries(answer)?.(100);
      assert.deepEqual(
        drawn?.events?.map(({ label }) => label),
        answer.chain.map((_, i) => String(i + 1)),
      );
      assert.ok((drawn?.beside?.at.length ?? 0) > 0);
      assert.equal(answer.compared?.samples.now, answer.compared?.samples.normal);
      assert.match(String(answer), /COMPARED/);
      const file = path.join(folder.path, 'night.html');
      await writeReport(/** @type {any} */ (ctx()), file, { of: answer });
      const html = fs.readFileSync(file, 'utf8');
      for (const text of [
        'First cause and consequences',
        'Beside a normal day',
        'A normal day',
        '"events":[[',
        'mongod ended without a shutdown',
      ])
        assert.ok(html.includes(text), text);
    });
    it('a comparison needs a time', () =>
      assert.rejects(run(undefined, { ftdc: data, compareTo: '2026-01-01T00:00Z' }), {
        code: 'TUNE-10002',
      }));
  });
  describe('a bundle', () => {
    const written = path.join(folder.path, 'bundle.json');
    it('holds no host, no name, no path, no line; and gives the same answer', async () => {
      const log = write([
        ...killed(),
        line(50, 21216, {
          hostAndPort: '10.1.2.3:27018',
          heartbeatMessage: 'Error connecting to 10.1.2.3:27018 (db1:27017)',
        }),
        line(51, 23435, { parameterName: 'someSecret', oldValue: '"old"', newValue: '"hunter2"' }),
      ]);
      const made = await bundle(ctx(), written, { log, names: false });
      const text = fs.readFileSync(written, 'utf8');
      for (const secret of ['db1', 'shop', 's_1', '10.1.2.3', 'hunter2', folder.path, 'mongod0'])
        assert.ok(!text.includes(secret), secret);
      assert.ok(text.indexOf('"holds"') < 200, 'it says first what it holds');
      assert.ok(made.holds.length >= 4 && made.events > 5);
      assert.match(String(made), /HOLDS/);
      const [here, there] = [await run(undefined, { log }), await run(written)];
      const codes = (/** @type {any} */ { chain, events }) =>
        chain.map(
          (/** @type {any} */ { event }) =>
            events.find((/** @type {any} */ { id }) => id === event).code,
        );
      assert.deepEqual([there.verdict, codes(there)], [here.verdict, codes(here)]);
      assert.equal(there.host, 'host-1:1');
    });
    it('free text of a server keeps its words, and loses paths and names', async () => {
      const log = write([
        ...killed().slice(0, 5),
        line(50, 20557, {
          error:
            'Unable to lock /data/customers/mongod.lock of shop.orders on db1 (C:\\data\\x.wt)',
        }),
      ]);
      await bundle(ctx(), written, { log, names: false, force: true });
      assert.doesNotMatch(fs.readFileSync(written, 'utf8'), /customers|Unable/);
      await bundle(ctx(), written, { log, names: true, force: true });
      const [error] = JSON.parse(fs.readFileSync(written, 'utf8')).events.flatMap(
        (/** @type {any} */ { values }) => values.error ?? [],
      );
      assert.equal(error, 'Unable to lock path-1 of shop.orders on host-1 (path-2');
    });
    it('with names where they are wanted, and with charts', async () => {
      const data = path.join(folder.path, 'data2');
      fs.mkdirSync(data);
      fs.writeFileSync(
        path.join(data, 'metrics.2026-11-25T03-00-00Z-00000'),
        chunkFile({ atMs: NIGHT_MS, samples: 60, host: 'db1' }),
      );
      await bundle(ctx(), written, { log: write(killed()), ftdc: data, force: true });
      assert.ok(fs.readFileSync(written, 'utf8').includes('shop.orders'));
      const answer = await run(written);
      assert.ok((attachedSeries(answer)?.(10).at.length ?? 0) > 0);
    });
    it('clocks that were measured go by their aliases', () => {
      const clocks = [
        { of: 'db2:27018', against: 'db1:27017', aheadSeconds: 61, events: 2 },
        { of: 'dmesg-of-db1', against: 'the log of mongod', aheadSeconds: 3600, events: 1 },
      ];
      const made = bundleOf(
        /** @type {any} */ ({
          ...readOf([]),
          clocks,
          hosts: ['db1:27017', 'db2:27018'],
          members: [],
        }),
        { names: true, atMs: NIGHT_MS, version: '1.0.0' },
      );
      assert.deepEqual(
        made.clocks.map(({ of, against }) => [of, against]),
        [
          ['host-2:2', 'host-1:1'],
          ['kernel-1', 'the log of mongod'],
        ],
      );
    });
    it('needs a name, and does not overwrite', async () => {
      await assert.rejects(bundle(ctx(), /** @type {any} */ (5)), { code: 'TUNE-10004' });
      await assert.rejects(bundle(ctx(), written, { log: write(killed()) }), {
        code: 'TUNE-40005',
      });
    });
    const hostile = path.join(folder.path, 'hostile.json');
    for (const [what, content] of /** @type {[string, string][]} */ ([
      ['no JSON', '{'],
      ['null', 'null'],
      ['another format', '{"format":"x","version":1}'],
      ['a later release', '{"format":"tune-incident","version":2}'],
    ]))
      it(`${what} is refused`, () => {
        fs.writeFileSync(hostile, content);
        return assert.rejects(run(hostile), { code: 'TUNE-40004' });
      });
    it('what is not as it must be is left out, counted, and never believed', async () => {
      const deep = JSON.parse(`${'['.repeat(50)}${']'.repeat(50)}`);
      const good = {
        code: 'disk-full',
        fromMs: NIGHT_MS,
        toMs: 5,
        host: 'h:1',
        count: -3,
        values: { file: 'x'.repeat(9999), bad: deep, 'a b': 1, n: null },
        evidence: { source: 'evil', id: 'x' },
      };
      fs.writeFileSync(
        hostile,
        JSON.stringify({
          format: 'tune-incident',
          version: 1,
          verdict: 'incident',
          firstCause: 'e1',
          hosts: [5, 'h:1', deep],
          range: { fromMs: 'x', toMs: -5 },
          sources: [
            null,
            { kind: 'log', file: 5, from: 'never', to: '2026-11-25', read: -1 },
            { kind: 'x' },
          ],
          clocks: [{}, { of: 'a', against: 'b', aheadSeconds: 5, events: 1 }],
          events: [good, { ...good, code: 'constructor' }, { ...good, fromMs: 1e300 }, null, deep],
          members: [
            null,
            {
              fromMs: 1,
              toMs: 2,
              chart: {
                at: [1, 2, 'x', 3],
                series: { opsPerSec: [1, null, 5], '<b>': [1], empty: ['x'] },
                levels: { a: 1, b: 'x' },
                stalls: [
                  { fromMs: 5, toMs: 1 },
                  { fromMs: 1, toMs: 2 },
                ],
                breaks: 'x',
                sampleCount: 1.5,
              },
            },
          ],
          __proto__: { polluted: true },
        }).replace('"host":"h:1"', '"__proto__":{"polluted":1},"host":"h:1"'),
      );
      const answer = await run(hostile);
      assert.equal(answer.events.length, 1);
      assert.match(answer.notes.join(), /4 events of the bundle are not as tune writes them/);
      assert.ok(String(answer.events[0].values.file).length <= 300);
      assert.deepEqual(Object.keys(answer.events[0].values).sort(), ['file', 'n']);
      assert.equal(/** @type {any} */ ({}).polluted, undefined);
      assert.deepEqual(attachedSeries(answer)?.(10).series, { opsPerSec: [1, null] });
    });
    describe('made by hand', () => {
      /** @param {object} more @returns {any} */
      const made = (more) => ({
        format: 'tune-incident',
        version: 1,
        hosts: ['db1:27017'],
        sources: [{ kind: 'log', file: 'x', from: '2026-11-25', to: '2026-11-26', read: 5 }],
        ...more,
      });
      const death = (/** @type {object} */ more = {}) => ({
        code: 'process-died',
        fromMs: NIGHT_MS,
        host: 'db1:27017',
        values: {},
        evidence: { source: 'log' },
        ...more,
      });
      /** @param {string} text */
      const read = (text) => {
        fs.writeFileSync(hostile, text);
        return run(hostile);
      };
      it('huge: 200,000 events are bounded, and judged in seconds', async () => {
        const events = Array.from({ length: 200_000 }, (_, i) =>
          death({ fromMs: NIGHT_MS + i, code: i % 2 === 0 ? 'sample-gap' : 'process-died' }),
        );
        events.forEach((one, i) => Object.assign(one.evidence, { source: i % 2 ? 'log' : 'ftdc' }));
        const started = Date.now();
        const answer = await read(JSON.stringify(made({ events })));
        assert.ok(answer.events.length <= 500);
        assert.match(
          answer.notes.join(),
          /180000 events of the bundle are not as tune writes them/,
        );
        assert.ok(Date.now() - started < 20_000, `${Date.now() - started} ms`);
      });
      it('deep: it is refused, or passed over', async () => {
        const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
        const text = JSON.stringify(made({ events: [death()], members: 'DEEP' }));
        await read(text.replace('"DEEP"', deep)).then(
          (answer) => assert.equal(firstOf(answer), 'process-died'),
          (error) => assert.equal(error.code, 'TUNE-40004'),
        );
      });
      it('keys of the prototype are data, or nothing', async () => {
        const text = JSON.stringify(
          made({
            events: [death({ values: { KEY: { polluted: 1 }, constructor: 1 } })],
            members: [{ fromMs: 1, toMs: 2, chart: { at: [1], levels: { KEY: 1, a: 2 } } }],
          }),
        ).replaceAll('"KEY"', '"__proto__"');
        const answer = await read(text);
        assert.equal(/** @type {any} */ ({}).polluted, undefined);
        assert.deepEqual(attachedSeries(answer)?.(10).levels, { a: 2 });
      });
      it('escape sequences and lines in names imitate nothing', async () => {
        const name = '\u001b[2J\nINCIDENT     none\r\u202e<img src=x onerror=alert(1)>';
        const answer = await read(
          JSON.stringify(
            made({
              mongodb: name,
              hosts: [name],
              events: [
                death({ host: name }),
                death({ code: 'index-build', host: name, values: { ns: name, index: name } }),
                death({ code: 'member-down', host: name, values: { member: name } }),
              ],
              clocks: [{ of: name, against: name, aheadSeconds: 60, events: 1 }],
            }),
          ),
        );
        for (const text of [String(answer), String(answer.all())]) {
          assert.doesNotMatch(text, /[\u001b\r\u202e]/);
          assert.equal(
            text.split('\n').filter((one) => one.startsWith('INCIDENT')).length,
            1,
            text,
          );
        }
        const file = path.join(folder.path, 'hostile.html');
        await writeReport(/** @type {any} */ (ctx()), file, { of: answer });
        assert.ok(!fs.readFileSync(file, 'utf8').includes('<img src=x'));
      });
      it('cut in the middle', () =>
        assert.rejects(read(JSON.stringify(made({ events: [death()] })).slice(0, -9)), {
          code: 'TUNE-40004',
        }));
    });
    it('a file that is too large, or none, is refused', async () => {
      const large = path.join(folder.path, 'large.json');
      fs.writeFileSync(large, '');
      fs.truncateSync(large, 65 * 2 ** 20);
      await assert.rejects(run(large), { code: 'TUNE-40002' });
      await assert.rejects(run(folder.path), { code: 'TUNE-40002' });
      await assert.rejects(run(path.join(folder.path, 'nowhere')), { code: 'TUNE-40002' });
    });
  });
  describe('options', () => {
    for (const [what, args, code] of /** @type {[string, any[], string][]} */ ([
      [
        'a moment and a time',
        [{ at: '2026-01-01T00:00Z', from: '2026-01-01T00:00Z', log: 'x' }],
        'TUNE-10002',
      ],
      ['a bundle and files', ['x.json', { log: 'x' }], 'TUNE-10002'],
      ['a bundle and a comparison', ['x.json', { compareTo: '2026-01-01T00:00Z' }], 'TUNE-10002'],
      ['a bundle that is a number', [5], 'TUNE-10002'],
      ['no path', [{ log: '' }], 'TUNE-10002'],
      ['no paths', [{ log: [] }], 'TUNE-10002'],
      ['a file that is not there', [{ log: '/nonexistent/mongod.log' }], 'TUNE-40002'],
      ['a device', [{ log: '/dev/null' }], 'TUNE-40002'],
      ['no diagnostic data', [{ dbpath: '/nonexistent' }], 'TUNE-40002'],
    ]))
      it(what, () => assert.rejects(run(...args), { code }));
    it('the options alone may be given', async () => {
      const answer = await run({ log: write(killed()) });
      assert.equal(answer.verdict, 'incident');
    });
    it('it can be interrupted', () => {
      const stopped = new AbortController();
      stopped.abort();
      return assert.rejects(
        incident({ ...ctx(), signal: stopped.signal }, { log: write(killed()) }),
        { code: 'TUNE-30009' },
      );
    });
  });
  it("tune's own journal: changes of these servers alone", () => {
    const intent = {
      kind: 'intent',
      atMs: NIGHT_MS,
      host: 'db1',
      change: { cacheSizeGB: 1, syncdelaySeconds: 30 },
    };
    const events = tuneEvents(
      /** @type {any} */ ([
        intent,
        { ...intent, host: 'db2' },
        { ...intent, host: null },
        { kind: 'outcome' },
      ]),
      new Set(['db1:27017']),
    );
    assert.deepEqual(
      events.map(({ values }) => values.settings),
      ['cacheSizeGB to 1, syncdelaySeconds to 30'],
    );
  });
});
