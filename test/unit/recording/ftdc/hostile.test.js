'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const zlib = require('node:zlib');
const { spawnSync } = require('node:child_process');
const { as, bsonOf, chunkData, chunkOf, chunkOfSamples } = require('../../../support/ftdc');

const T0 = Date.UTC(2026, 0, 1);
const MIB = 2 ** 20;
/**
 * Each of these asks for gigabytes. 240 to 304 were seen: on a busy machine garbage stays longer.
 */
const MAX_MB = 600;

const uint32 = (/** @type {number[]} */ ...list) => {
  const bytes = Buffer.alloc(4 * list.length);
  list.forEach((n, i) => bytes.writeUInt32LE(n, 4 * i));
  return bytes;
};
const reference = bsonOf([
  ['start', as.date(T0)],
  ['n', as.long(1)],
]);
const good = (/** @type {number} */ second) =>
  chunkOfSamples(
    [0, 1].map((i) => ({
      start: new Date(T0 + (second + i) * 1000),
      serverStatus: {
        localTime: new Date(T0 + (second + i) * 1000),
        uptimeMillis: 5000 + (second + i) * 1000,
        connections: { current: 3 },
      },
    })),
  );
/** @param {Buffer} data */
const bad = (data) => chunkOf(T0 + 60_000, data);
/**
 * Elements without end, in a document that says how long it is.
 * @param {Buffer} element
 * @param {number} bytes
 */
const stuffed = (element, bytes) => {
  const body = Buffer.alloc(Math.floor(bytes / element.length) * element.length, element);
  return Buffer.concat([uint32(body.length + 5), body, Buffer.from([0])]);
};
/**
 * @param {Buffer} document
 * @param {number} metrics
 * @param {number} deltas
 * @param {Buffer} [numbers]
 */
const body = (document, metrics, deltas, numbers = Buffer.alloc(0)) =>
  Buffer.concat([document, uint32(metrics, deltas), numbers]);
const BOOL = Buffer.from('\x08a\0\x01', 'latin1');

/** @type {[string, () => Buffer[]][]} */
const CASES = [
  [
    '4 billion metrics',
    () => [bad(chunkData(body(reference, 0xffffffff, 1, Buffer.from([0, 1]))))],
  ],
  [
    '4 billion samples',
    () => [
      bad(
        chunkData(body(reference, 2, 0xffffffff, Buffer.from([0, 0xff, 0xff, 0xff, 0xff, 0x1f]))),
      ),
    ],
  ],
  [
    '4 billion metrics of 4 billion samples',
    () => [bad(chunkData(body(reference, 0xffffffff, 0xffffffff)))],
  ],
  [
    '4 billion zeros',
    () => [bad(chunkData(body(reference, 2, 2, Buffer.from([0, 0xff, 0xff, 0xff, 0xff, 0x0f]))))],
  ],
  [
    'numbers without end',
    () => [bad(chunkData(body(reference, 2, 30_000, Buffer.alloc(5 * MIB, 0xff))))],
  ],
  ['numbers that are missing', () => [bad(chunkData(body(reference, 2, 30_000)))]],
  [
    '4 GB when unpacked',
    () => [bad(Buffer.concat([uint32(0xffffffff), zlib.deflateSync(Buffer.alloc(10))]))],
  ],
  [
    'more when unpacked than it says',
    () => [bad(Buffer.concat([uint32(100), zlib.deflateSync(Buffer.alloc(30 * MIB))]))],
  ],
  ['30 MB of nothing', () => [bad(chunkData(Buffer.alloc(30 * MIB)))]],
  [
    '7 million metrics in a document',
    () => [bad(chunkData(body(stuffed(BOOL, 30 * MIB), 7.5 * MIB, 0)))],
  ],
  [
    'names of megabytes',
    () => [
      bad(
        chunkData(
          body(
            stuffed(
              Buffer.concat([Buffer.from([8]), Buffer.alloc(2 * MIB, 'k'), Buffer.from([0, 1])]),
              30 * MIB,
            ),
            30,
            0,
          ),
        ),
      ),
    ],
  ],
  [
    'as many samples as there may be, again and again',
    () =>
      Array.from({ length: 40 }, () =>
        bad(chunkData(body(reference, 2, 2 ** 15 - 1, Buffer.from([0, 0xfd, 0xff, 0x03])))),
      ),
  ],
  [
    'a document that says it is 16 MB long',
    () => [
      Buffer.concat([
        uint32(16 * MIB),
        Buffer.from('\x09_id\0', 'latin1'),
        Buffer.alloc(8),
        Buffer.alloc(100_000, 1),
      ]),
    ],
  ],
  [
    '100,000 beginnings of documents',
    () => [
      Buffer.alloc(
        18 * 100_000,
        Buffer.concat([uint32(16 * MIB), Buffer.from('\x09_id\0', 'latin1'), Buffer.alloc(9, 1)]),
      ),
    ],
  ],
];

describe('collect/ftdc, made to do harm', function () {
  this.timeout(120_000);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), `mongosh-tune-${process.pid}-hostile-`));
  after(() => fs.rmSync(folder, { recursive: true }));
  const script = `
    const { run: ftdc } = require(${JSON.stringify(require.resolve('../../../../lib/commands/ftdc'))});
    (async () => {
      const told = [];
      for (const file of process.argv.slice(1)) {
        const advice = await ftdc({ signal: new AbortController().signal, progress() {} }, file);
        told.push([advice.window.samples, advice.notes.join(' '), process.resourceUsage().maxRSS]);
      }
      console.log(JSON.stringify(told));
    })();`;

  it('is passed over in little memory, and what is before and behind it is read', () => {
    const files = CASES.map(([, make], i) => {
      const file = path.join(folder, `metrics.${i}`);
      fs.writeFileSync(file, Buffer.concat([good(0), ...make(), good(120)]));
      return file;
    });
    const { stdout, stderr } = spawnSync(process.execPath, ['-e', script, ...files], {
      encoding: 'utf8',
      timeout: 100_000,
      env: { ...process.env, NODE_V8_COVERAGE: '' },
    });
    assert.equal(stderr, '');
    /** @type {[number, string, number][]} */
    const reported = JSON.parse(stdout);
    reported.forEach(([samples, notes, maxRssKiB], i) => {
      const [name] = CASES[i];
      const isRead = name.startsWith('as many');
      assert.equal(samples, isRead ? 4 + 2 ** 15 : 4, `${name}: ${notes}`);
      assert.match(notes, isRead ? /duplicate/ : /skipped|damaged or truncated/, name);
      assert.ok(
        (maxRssKiB * 1024) / 1e6 < MAX_MB,
        `${Math.round((maxRssKiB * 1024) / 1e6)} MB at ${name}`,
      );
    });
  });
});
