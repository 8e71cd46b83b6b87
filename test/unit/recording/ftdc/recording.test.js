'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { chunkOfSamples, chunkOf, metadata, update } = require('../../../support/ftdc');
const { Recording } = require('../../../../lib/recording/ftdc/recording');

const T0 = Date.UTC(2026, 0, 1);
const second = (/** @type {number} */ i, more = {}) => ({
  start: new Date(T0 + i * 1000),
  serverStatus: {
    host: 'db1:27017',
    version: '6.0.5',
    process: 'mongod',
    localTime: new Date(T0 + i * 1000),
    uptimeMillis: 60_000 + i * 1000,
    connections: { current: i },
    ...more,
  },
});
/** @param {number} from @param {number} to @param {object} [more] */
const seconds = (from, to, more) =>
  chunkOfSamples(Array.from({ length: to - from }, (_, i) => second(from + i, more)));
const broken = (/** @type {number} */ i) => chunkOf(T0 + i * 1000, Buffer.from([9, 9, 9, 9, 9]));

describe('recording/ftdc/recording', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), `mongosh-tune-${process.pid}-recording-`));
  after(() => fs.rmSync(folder, { recursive: true }));
  let files = 0;
  const write = (/** @type {Buffer[]} */ ...parts) => {
    const file = path.join(folder, `metrics.${files++}`);
    fs.writeFileSync(file, Buffer.concat(parts));
    return file;
  };

  /** @param {Recording} recording */
  async function read(recording) {
    const pieces = [];
    for await (const piece of recording.pieces()) pieces.push(piece);
    return {
      pieces,
      seen: pieces.flatMap(({ block }) => Array.from(block.columns['connections.current'] ?? [])),
    };
  }
  const range = (/** @type {number} */ from, /** @type {number} */ to) =>
    Array.from({ length: to - from }, (_, i) => from + i);

  it('hands over one chunk after the other with what is known of the server', async () => {
    const { pieces, seen } = await read(
      new Recording([
        write(
          metadata(T0, { hostInfo: { system: { numCores: 4 } } }),
          seconds(0, 5),
          seconds(5, 8),
        ),
      ]),
    );
    assert.deepEqual(seen, range(0, 8));
    assert.deepEqual(
      pieces.map(({ block }) => block.length),
      [5, 3],
    );
    assert.deepEqual(pieces[0].server.identity, {
      host: 'db1:27017',
      version: '6.0.5',
      process: 'mongod',
      engine: null,
    });
    assert.equal(pieces[1].server.metadata.docs.hostInfo.system.numCores, 4);
    assert.equal(pieces[0].block.atMs[4], T0 + 4000);
    assert.equal(pieces[0].block.uptimeMs[4], 64_000);
  });

  it('survives a change of what is told in the middle of a file', async () => {
    const { pieces } = await read(
      new Recording([write(seconds(0, 3), seconds(3, 6, { mem: { resident: 1 } }), seconds(6, 9))]),
    );
    assert.deepEqual(
      pieces.map(({ block }) => block.columns['process.residentBytes']?.length),
      [undefined, 3, undefined],
    );
  });

  it('passes over broken chunks and says which', async () => {
    const recording = new Recording([
      write(seconds(0, 3), broken(3), seconds(6, 9), Buffer.from('rubbish')),
    ]);
    assert.deepEqual((await read(recording)).seen, [...range(0, 3), ...range(6, 9)]);
    assert.equal(recording.account.chunks, 2);
    const { why, ...skipped } = recording.account.skipped;
    assert.deepEqual(skipped, { count: 1, fromMs: T0 + 3000, toMs: T0 + 3000 });
    assert.match(String(why), /zlib|bytes/);
    assert.equal(recording.account.damagedBytes, 7);
  });

  it('takes what two files both have only once', async () => {
    const recording = new Recording([
      write(seconds(0, 5)),
      write(seconds(3, 8)),
      write(seconds(0, 5)),
      write(seconds(8, 9)),
    ]);
    assert.deepEqual((await read(recording)).seen, range(0, 9));
    assert.equal(recording.account.repeated, 2 + 5);
  });

  it('takes nothing for seen that a clock set back between two runs only dates earlier', async () => {
    const restarted = chunkOfSamples(
      [second(1), second(2)].map((sample) => ({
        ...sample,
        serverStatus: { ...sample.serverStatus, uptimeMillis: 1000 },
      })),
    );
    assert.deepEqual((await read(new Recording([write(seconds(0, 5)), write(restarted)]))).seen, [
      ...range(0, 5),
      1,
      2,
    ]);
  });

  it('takes nothing of another server for seen', async () => {
    const other = chunkOfSamples(
      [second(1), second(2)].map((sample) => ({
        ...sample,
        serverStatus: { ...sample.serverStatus, host: 'db2:27017' },
      })),
    );
    const recording = new Recording([write(seconds(0, 5)), write(other)]);
    assert.deepEqual((await read(recording)).seen, [...range(0, 5), 1, 2]);
    assert.deepEqual(recording.account.hosts, ['db1:27017', 'db2:27017']);
  });

  it('goes on where a running server has removed a file, and says so', async () => {
    const gone = write(seconds(5, 8));
    fs.rmSync(gone);
    const recording = new Recording([write(seconds(0, 5)), gone, write(seconds(8, 9))]);
    assert.deepEqual((await read(recording)).seen, [...range(0, 5), 8]);
    assert.equal(recording.account.gone, 1);
  });

  it('says which file cannot be read', async () => {
    const place = fs.mkdtempSync(path.join(os.tmpdir(), `mongosh-tune-${process.pid}-folder-`));
    await assert.rejects(
      read(new Recording([place])),
      (/** @type {any} */ error) => error.code === 'TUNE-40002' && error.value === place,
    );
    fs.rmdirSync(place);
  });

  it('keeps a clock that is set back inside of a file', async () => {
    const back = chunkOfSamples(
      [second(1), second(2)].map((sample) => ({
        ...sample,
        serverStatus: { ...sample.serverStatus, uptimeMillis: 99_000 },
      })),
    );
    assert.deepEqual((await read(new Recording([write(seconds(5, 7), back)]))).seen, [5, 6, 1, 2]);
  });

  for (const [
    name,
    span,
    expected,
    chunks,
  ] of /** @type {[string, { fromMs?: number, toMs?: number }, number[], number][]} */ ([
    ['all of it', {}, range(0, 12), 4],
    ['from a moment on', { fromMs: T0 + 4000 }, range(4, 12), 3],
    ['from between two samples on', { fromMs: T0 + 4001 }, range(5, 12), 3],
    ['up to a moment', { toMs: T0 + 4000 }, range(0, 5), 2],
    ['from the first of a chunk on', { fromMs: T0 + 6000 }, range(6, 12), 3],
    ['one second', { fromMs: T0 + 7000, toMs: T0 + 7000 }, [7], 1],
    ['what is inside of one chunk', { fromMs: T0 + 7000, toMs: T0 + 8000 }, [7, 8], 1],
    ['nothing', { fromMs: T0 + 99_000 }, [], 1],
    ['nothing before', { toMs: T0 - 1 }, [], 0],
  ])) {
    it(`gives ${name}, and inflates no chunk without need`, async () => {
      const recording = new Recording(
        [write(seconds(0, 3), seconds(3, 6), seconds(6, 9), seconds(9, 12))],
        span,
      );
      assert.deepEqual((await read(recording)).seen, expected);
      assert.equal(recording.account.chunks, chunks);
    });
  }

  it('keeps the settings that were set at run time, as servers since 8.0 tell them', async () => {
    const reported = (/** @type {string} */ text) => ({
      getParameter: { wiredTigerEngineRuntimeConfig: text, syncdelay: 60 },
    });
    const { pieces } = await read(
      new Recording([
        write(
          metadata(T0, {}),
          update(T0, reported('')),
          seconds(0, 2),
          update(T0, reported('cache_size=1G'), 1),
          update(T0, { getParameter: { other: 1 } }, 2),
          seconds(2, 4),
        ),
      ]),
    );
    assert.deepEqual(
      pieces.map(({ server }) => server.metadata.engineStrings),
      [[''], ['', 'cache_size=1G']],
    );
    assert.deepEqual(
      { ...pieces[1].server.metadata.parameters },
      { wiredTigerEngineRuntimeConfig: 'cache_size=1G', syncdelay: 60, other: 1 },
    );
  });

  it('carries metadata into the interim file, which has none, until a file has its own', async () => {
    const reported = (/** @type {string} */ version) => metadata(T0, { buildInfo: { version } });
    const { pieces } = await read(
      new Recording([
        write(reported('6.0.5')),
        write(seconds(0, 2)),
        write(reported('6.0.6'), seconds(2, 4)),
      ]),
    );
    assert.deepEqual(
      pieces.map(({ server }) => server.metadata.docs.buildInfo?.version),
      ['6.0.5', '6.0.6'],
    );
  });

  it('tells identity and metadata of a sharded server without its roles', async () => {
    const { pieces } = await read(
      new Recording([
        write(
          metadata(T0, {
            common: { buildInfo: { version: '8.0.4' } },
            shard: { getCmdLineOpts: { parsed: { storage: { dbPath: '/d' } } } },
          }),
          chunkOfSamples([
            {
              start: new Date(T0),
              common: { serverStatus: { host: 'h', version: '8.0.4', process: 'mongod' } },
              shard: { replSetGetStatus: { myState: 1 } },
            },
          ]),
        ),
      ]),
    );
    const [{ server }] = pieces;
    assert.deepEqual(
      [
        server.identity.version,
        server.state,
        server.metadata.docs.buildInfo.version,
        server.metadata.docs.getCmdLineOpts.parsed.storage.dbPath,
      ],
      ['8.0.4', 1, '8.0.4', '/d'],
    );
  });

  it('takes the time of the sample where the server told none, and knows no uptime then', async () => {
    const { pieces } = await read(
      new Recording([
        write(
          chunkOfSamples([
            { start: new Date(T0), x: 1 },
            { start: new Date(T0 + 5), x: 2 },
          ]),
        ),
      ]),
    );
    assert.deepEqual(Array.from(pieces[0].block.atMs), [T0, T0 + 5]);
    assert.ok(Number.isNaN(pieces[0].block.uptimeMs[0]));
  });
});
