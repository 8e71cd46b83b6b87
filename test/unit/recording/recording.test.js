'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const zlib = require('node:zlib');
const { Long, Int32, Double, Timestamp, ObjectId } = require('bson');
const { RecordingFile } = require('../../../lib/recording/recording-file');
const { StatusRecording } = require('../../../lib/recording/recording');
const { sampleAt } = require('../../../lib/series/columns');
const { skipIf } = require('../../support/skip');
const { NO_FACTS } = require('../../../lib/server/pure/facts');

const T0 = Date.UTC(2026, 0, 1);
const status = (/** @type {number} */ i, more = {}) => ({
  host: 'h',
  version: '6.0.5',
  process: 'mongod',
  localTime: new Date(T0 + i * 1000),
  uptimeMillis: 5000 + i * 1000,
  connections: { current: i },
  storageEngine: { name: 'wiredTiger' },
  ...more,
});

describe('a recording', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), `mongosh-tune-${process.pid}-lines-`));
  after(() => fs.rmSync(folder, { recursive: true }));
  let files = 0;
  const fresh = (ending = '.jsonl') => path.join(folder, `r${files++}${ending}`);
  /** @param {string | Buffer} content @param {string} [ending] */
  const put = (content, ending) => {
    const file = fresh(ending);
    fs.writeFileSync(file, content);
    return file;
  };

  /** @param {string | string[]} file */
  async function read(file) {
    const recording = new StatusRecording([file].flat());
    const samples = [];
    for await (const { block } of recording.pieces())
      for (let i = 0; i < block.length; i++) samples.push(sampleAt(block, i));
    return {
      samples,
      seen: samples.map(({ counters }) => counters['connections.current']),
      account: recording.account,
      ...recording.known,
    };
  }
  const lines = (/** @type {object[]} */ ...docs) =>
    docs.map((doc) => JSON.stringify(doc)).join('\n');

  for (const ending of ['.jsonl', '.jsonl.gz', '.GZ']) {
    it(`comes back as it was written, ${ending}`, async () => {
      const file = new RecordingFile(fresh(ending));
      await file.writeFacts({ ...NO_FACTS, host: 'h', cores: 3 });
      for (let i = 0; i < 700; i++) await file.writeLine(status(i));
      await file.close();
      await file.close();
      const { seen, facts, account, identity, samples } = await read(file.file);
      assert.deepEqual(
        [seen.length, seen[699], facts.cores, account],
        [
          700,
          699,
          3,
          {
            lines: 701,
            garbled: 0,
            damage: null,
            newer: null,
            repeated: 0,
            others: { hosts: [], lines: 0 },
            fromMs: T0,
            toMs: T0 + 699_000,
          },
        ],
      );
      assert.deepEqual(identity, {
        host: 'h',
        version: '6.0.5',
        process: 'mongod',
        engine: 'wiredTiger',
      });
      assert.deepEqual([samples[1].atMs, samples[1].uptimeMs], [T0 + 1000, 6000]);
      assert.equal(file.bytes, fs.statSync(file.file).size);
      assert.equal(fs.readFileSync(file.file)[0] === 0x1f, ending !== '.jsonl');
    });
  }

  for (const ending of ['.jsonl', '.gz']) {
    it(`can be read while it is being written, or after its writer was killed, ${ending}`, async () => {
      const file = new RecordingFile(fresh(ending));
      await file.writeLine(status(0));
      await file.writeLine(status(1));
      assert.deepEqual((await read(file.file)).seen, [0, 1]);
      await file.close();
    });
  }

  it('never writes over a file, nor where it may not', () => {
    for (const place of [put('precious'), path.join(folder, 'no', 'folder.jsonl')]) {
      assert.throws(
        () => new RecordingFile(place),
        (/** @type {any} */ error) => error.code === 'TUNE-40005' && error.value === place,
      );
    }
    assert.equal(fs.readFileSync(path.join(folder, `r${files - 1}.jsonl`), 'utf8'), 'precious');
  });

  it('can only be read by its owner: a server status has names of hosts and users', async () => {
    const file = new RecordingFile(fresh());
    await file.close();
    assert.equal(fs.statSync(file.file).mode & 0o077, 0);
  });

  for (const ending of ['.jsonl', '.gz']) {
    it(`says when the disk is full, ${ending}`, async function () {
      skipIf(this, fs.existsSync('/dev/full') ? null : 'this system has no /dev/full');
      const file = new RecordingFile(fresh(ending));
      fs.closeSync(file.handle);
      file.handle = fs.openSync('/dev/full', 'w');
      await assert.rejects(
        file.writeLine(status(0)),
        (/** @type {any} */ error) =>
          error.code === 'TUNE-40005' &&
          /cannot be written: .*no space.*can be replayed/i.test(error.message),
      );
      await file.close();
    });
  }

  it('keeps the numbers of every driver and shell', async () => {
    const file = new RecordingFile(fresh());
    const big = Long.fromString('9007199254740995');
    const forms = {
      a: Long.fromNumber(5),
      b: big,
      c: new Int32(7),
      d: new Double(1.5),
      e: 8n,
      f: 2n ** 62n,
      g: NaN,
      h: Infinity,
      i: Timestamp.fromBits(3, 4),
      j: new Date(0),
      k: null,
      l: 'text',
      m: [Long.fromNumber(1)],
      n: true,
    };
    await file.writeLine({ forms, id: new ObjectId('0123456789abcdef01234567') });
    await file.close();
    assert.deepEqual(JSON.parse(fs.readFileSync(file.file, 'utf8')), {
      forms: {
        a: 5,
        b: { $numberLong: '9007199254740995' },
        c: 7,
        d: 1.5,
        e: 8,
        f: { $numberLong: String(2n ** 62n) },
        g: { $numberDouble: 'NaN' },
        h: { $numberDouble: 'Infinity' },
        i: { $timestamp: { t: 4, i: 3 } },
        j: { $date: '1970-01-01T00:00:00.000Z' },
        k: null,
        l: 'text',
        m: [1],
        n: true,
      },
      id: '0123456789abcdef01234567',
    });
  });

  const high = { connections: { current: { high: 1, low: -1, unsigned: false } } };
  for (const [name, doc, current, atMs] of /** @type {[string, any, number, number | null][]} */ ([
    [
      'relaxed extended JSON',
      { ...status(3), localTime: { $date: '2026-01-01T00:00:03Z' } },
      3,
      T0 + 3000,
    ],
    [
      'canonical extended JSON',
      {
        localTime: { $date: { $numberLong: String(T0) } },
        connections: { current: { $numberInt: '4' } },
      },
      4,
      T0,
    ],
    ['what JSON.stringify makes of a Long', { ...status(0), ...high }, 2 ** 33 - 1, T0],
    ['an ISO text', { ...status(5), localTime: '2026-01-01T00:00:05.000Z' }, 5, T0 + 5000],
    ['epoch seconds', { t: T0 / 1000 + 0.5, uptime: 9, connections: { current: 6 } }, 6, T0 + 500],
    [
      'a reply of getDiagnosticData',
      { data: { start: 1, serverStatus: status(7) }, ok: 1 },
      7,
      T0 + 7000,
    ],
    [
      'a document that has it inside',
      { serverStatus: { ...status(8), localTime: undefined }, t: T0 / 1000 },
      8,
      T0,
    ],
    ['no time but the uptime', { uptime: 90, connections: { current: 9 } }, 9, 90_000],
    ['a list of them', [status(1), status(10)], 10, T0 + 10_000],
  ])) {
    it(`reads ${name}`, async () => {
      const { samples, account } = await read(put(lines(doc)));
      assert.deepEqual(
        [samples.at(-1)?.counters['connections.current'], samples.at(-1)?.atMs, account.garbled],
        [current, atMs, 0],
      );
    });
  }

  it('counts garbage and goes on', async () => {
    const { seen, account } = await read(
      put(
        [
          '﻿' + lines(status(0)),
          '',
          '  ',
          'garbage',
          '{"half":',
          '[]',
          '7',
          'null',
          '"text"',
          '{}',
          lines({ localTime: new Date(), x: 1 }),
          `${lines(status(1))}\r`,
          lines(status(2)).slice(0, 40),
        ].join('\n'),
      ),
    );
    assert.deepEqual([seen, account.garbled, account.lines], [[0, 1], 9, 11]);
  });

  it('knows gzip by its first bytes, not by its name', async () =>
    assert.deepEqual(
      (await read(put(zlib.gzipSync(lines(status(0), status(1))), '.log'))).seen,
      [0, 1],
    ));

  it('reads a gzip that was cut off as far as it goes', async () => {
    const whole = zlib.gzipSync(
      Array.from({ length: 2000 }, (_, i) => lines(status(i, { r: Math.sin(i) }))).join('\n'),
    );
    const { seen, account } = await read(put(whole.subarray(0, whole.length / 2), '.gz'));
    assert.ok(seen.length > 500 && seen.length < 1500 && account.garbled <= 1, `${seen.length}`);
  });

  it('says when a gzip is broken in the middle', async () => {
    const whole = zlib.gzipSync(
      Array.from({ length: 2000 }, (_, i) => lines(status(i, { r: Math.sin(i) }))).join('\n'),
    );
    whole.fill(0xff, whole.length >> 1, (whole.length >> 1) + 200);
    const { seen, account } = await read(put(whole, '.gz'));
    assert.ok(seen.length > 300 && seen.length < 1500, `${seen.length}`);
    assert.match(String(account.damage), /\w/);
  });

  it('tells a file of a later release', async () =>
    assert.equal(
      (await read(put(lines({ tuneRecording: 2, facts: {} }, status(0))))).account.newer,
      2,
    ));
  it('is nothing in an empty file', async () => assert.deepEqual((await read(put(''))).seen, []));
  it('says which file is not there', () =>
    assert.rejects(read(path.join(folder, 'nowhere')), { code: 'TUNE-40002' }));
  it('keeps characters that lie across two blocks', async () => {
    const { identity, seen } = await read(
      put(
        lines(
          ...Array.from({ length: 9 }, (_, i) => status(i, { host: `hö${'ß'.repeat(20_008)}` })),
        ),
      ),
    );
    assert.deepEqual([seen.length, identity.host], [9, `hö${'ß'.repeat(20_008)}`]);
  });
  it('reads what stands beside the status of the machine', async () => {
    const { samples } = await read(
      put(lines({ ...status(0), systemMetrics: { disks: { a: { reads: 3 }, b: { reads: 4 } } } })),
    );
    assert.deepEqual(
      [samples[0].counters['disk.reads@a'], samples[0].counters['disk.reads@b']],
      [3, 4],
    );
  });
});
