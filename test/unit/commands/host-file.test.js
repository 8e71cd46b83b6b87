'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { run: host } = require('../../../lib/commands/host');
const { temporaryFolder } = require('../../support/cleanup');

/** The file that the collecting script writes may come from anybody, cut, edited or made up. */

const ctx = /** @type {any} */ ({ signal: new AbortController().signal, progress() {} });
const ESCAPES = '\u001b[31mred\u009b31m\u202e';
const ACTED_UPON = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/;
const FILES = {
  '/proc/stat':
    'cpu  10 0 10 80 0 0 0 0 0 0\ncpu0 5 0 5 40 0 0 0 0 0 0\ncpu1 5 0 5 40 0 0 0 0 0 ' +
    '0\nbtime 1700000000\n',
  '/proc/meminfo':
    'MemTotal:       66060288 kB\nMemFree:        60000000 kB\nMemAvailable:   62000000 ' +
    'kB\nDirty:  12 kB\nMapped: 400 kB\nSwapTotal: 0 kB\nSwapFree: 0 kB\n',
  '/proc/sys/vm/dirty_bytes': '0\n',
  '/proc/sys/vm/dirty_background_bytes': '0\n',
  '/proc/sys/vm/dirty_ratio': '20\n',
  '/proc/sys/vm/dirty_background_ratio': '10\n',
  '/proc/sys/vm/swappiness': '60\n',
  '/sys/kernel/mm/transparent_hugepage/enabled': '[always] madvise never\n',
  '/proc/sys/kernel/osrelease': '6.1.0\n',
  '/proc/sys/kernel/hostname': 'db1\n',
};
const DOCUMENT = Object.freeze({
  format: 'mongosh-tune host',
  version: 1,
  pid: 77,
  port: 27017,
  cacheBytes: null,
  dbPath: '/data',
  serverVersion: '7.0.4',
  host: 'db1',
  snapshots: [{ atMs: 1_700_000_500_000, files: FILES }],
  links: {},
  commands: {},
});
const [LOOK] = DOCUMENT.snapshots;

describe('tune.host({ file })', () => {
  /** @type {{ path: string, remove(): void }} */ let folder;
  before(() => {
    folder = temporaryFolder('host-file');
  });
  after(() => folder?.remove());

  /**
   * @param {unknown} document text as it is, or what is to be written as JSON
   * @param {object} [options]
   */
  function read(document, options = {}) {
    const from = path.join(folder.path, 'host.json');
    fs.writeFileSync(from, typeof document === 'string' ? document : JSON.stringify(document));
    return host(ctx, { file: from, ...options });
  }

  it('a whole one: judged, with what one sample cannot tell', async () => {
    const seen = await read(DOCUMENT);
    assert.deepEqual(
      [seen.host, seen.version, seen.place.kind, seen.place.pid],
      ['db1', '7.0.4', 'file', 77],
    );
    assert.match(`${seen}`, /1\s+sample\s+of\s+db1\s+at\s+2023-[^]*Transparent huge pages: always/);
    assert.deepEqual(seen.notes, ['Only one sample: rates are not known.']);
    assert.match(String(seen.unknown['cpu.busyRatio']), /two samples are needed/);
    assert.match(
      seen.script().script,
      /^ {2}one sys \/sys\/kernel\/mm\/transparent_hugepage\/enabled never sys \/sys\/kernel\/mm\/transparent_hugepage\/enabled always$/m,
    );
  });

  /** @type {[string, unknown, RegExp][]} */
  const refused = [
    ['nothing in it', '', /it is empty/],
    ['cut', JSON.stringify(DOCUMENT).slice(0, 200), /not a complete JSON document/],
    ['another format', '{"format":"x"}', /it lacks "format": "mongosh-tune host"/],
    ['a number', '7', /it lacks/],
    ['null', 'null', /it lacks/],
    ['a later version', { ...DOCUMENT, version: 2 }, /"version": 1/],
    ['a process that is none', { ...DOCUMENT, pid: '77' }, /its "pid" has an unexpected format/],
    ['a negative one', { ...DOCUMENT, pid: -1 }, /"pid"/],
    ['half of one', { ...DOCUMENT, pid: 1.5 }, /"pid"/],
    ['a port that is none', { ...DOCUMENT, port: {} }, /"port"/],
    ['a path that is none', { ...DOCUMENT, dbPath: ['/'] }, /"dbPath"/],
    ['a path without end', { ...DOCUMENT, dbPath: '/'.repeat(5000) }, /"dbPath"/],
    ['a version that is none', { ...DOCUMENT, serverVersion: 7 }, /"serverVersion"/],
    ['a name that is none', { ...DOCUMENT, host: { a: 1 } }, /"host"/],
    ['a cache that is none', { ...DOCUMENT, cacheBytes: 'much' }, /"cacheBytes"/],
    ['no samples', { ...DOCUMENT, snapshots: [] }, /"snapshots"/],
    ['looks that are none', { ...DOCUMENT, snapshots: { length: 1 } }, /"snapshots"/],
    ['a sample that is none', { ...DOCUMENT, snapshots: [null] }, /"snapshots"/],
    ['a sample without a time', { ...DOCUMENT, snapshots: [{ files: {} }] }, /"snapshots"/],
    [
      'a time that is no date',
      { ...DOCUMENT, snapshots: [{ ...LOOK, atMs: 1e300 }] },
      /"snapshots"/,
    ],
    ['looks out of order', { ...DOCUMENT, snapshots: [LOOK, { ...LOOK, atMs: 1 }] }, /"snapshots"/],
    [
      'too many of them',
      { ...DOCUMENT, snapshots: Array(3602).fill({ atMs: 1, files: {} }) },
      /"snapshots"/,
    ],
    [
      'files that are no texts',
      { ...DOCUMENT, snapshots: [{ atMs: 1, files: { '/proc/stat': 7 } }] },
      /"snapshots"/,
    ],
    ['files in a list', { ...DOCUMENT, snapshots: [{ atMs: 1, files: ['x'] }] }, /"snapshots"/],
    [
      'reasons that are none',
      { ...DOCUMENT, snapshots: [{ ...LOOK, failed: { a: 1 } }] },
      /"snapshots"/,
    ],
    ['links that are none', { ...DOCUMENT, links: null }, /"links"/],
    ['commands that are none', { ...DOCUMENT, commands: 'df' }, /"commands"/],
    ['a command that is none', { ...DOCUMENT, commands: { df: [] } }, /"commands"/],
    ['why, without words', { ...DOCUMENT, failed: { df: null } }, /"failed"/],
    [
      'a file with a name without end',
      { ...DOCUMENT, links: { ['/'.repeat(5000)]: 'x' } },
      /"links"/,
    ],
  ];
  for (const [title, document, message] of refused) {
    it(`refuses ${title}`, () =>
      assert.rejects(
        read(document),
        (/** @type {any} */ error) => error.code === 'TUNE-40006' && message.test(error.message),
      ));
  }

  it('refuses what is too large to be one, before it is read', async () => {
    const from = path.join(folder.path, 'large.json');
    fs.writeFileSync(from, '');
    fs.truncateSync(from, 128 * 2 ** 20 + 1);
    await assert.rejects(
      host(ctx, { file: from }),
      (/** @type {any} */ error) =>
        error.code === 'TUNE-40006' &&
        /has 128 MiB, more than the maximum of 128 MiB/.test(error.message),
    );
  });
  it('refuses what is not there, or a folder', async () => {
    await assert.rejects(host(ctx, { file: path.join(folder.path, 'none') }), {
      code: 'TUNE-40002',
    });
    await assert.rejects(host(ctx, { file: folder.path }), { code: 'TUNE-40002' });
  });

  it('garbage in its files: unknown, and why', async () => {
    const files = Object.fromEntries(Object.keys(FILES).map((name) => [name, 'garbage']));
    const seen = await read({ ...DOCUMENT, snapshots: [{ atMs: 1, files }] });
    assert.deepEqual(
      seen.findings.filter(({ status }) => status === 'error'),
      [],
    );
    assert.equal(
      seen.unknown['writeback.dirtyBytes'],
      '/proc/sys/vm/dirty_bytes contains no number: "garbage"',
    );
    assert.equal(seen.unknown['cpu.logical'], '/proc/stat has an unexpected format');
  });

  it('names that move the cursor are written out, in what prints and in the scripts', async () => {
    const thp = '/sys/kernel/mm/transparent_hugepage/enabled';
    const files = {
      ...FILES,
      [thp]: `always [${ESCAPES}] never`,
      '/proc/sys/kernel/osrelease': `3.10 ${ESCAPES}`,
    };
    const snapshots = [
      { atMs: 1_700_000_500_000, files },
      { atMs: 1_700_000_501_000, files: {} },
    ];
    const seen = await read(
      { ...DOCUMENT, host: ESCAPES, serverVersion: `7.0${ESCAPES}`, dbPath: ESCAPES, snapshots },
      { interface: ESCAPES },
    );
    assert.match(`${seen}`, /\\u001b\[31mred\\u009b31m\\u202e/);
    assert.doesNotMatch(`${seen}`, ACTED_UPON);
    assert.doesNotMatch(`${seen.script()}`, ACTED_UPON);
    for (const line of `${seen}`.split('\n')) assert.ok(line.length <= 80, line);
  });

  it('a list of CPUs without end is none', async () => {
    const seen = await read({
      ...DOCUMENT,
      snapshots: [
        {
          atMs: 1,
          files: {
            ...FILES,
            '/proc/77/status': 'Name:\tmongod\nCpus_allowed_list:\t0-99999999999\n',
          },
        },
      ],
    });
    assert.match(String(seen.unknown['cpu.allowed']), /lists no CPUs/);
  });
  it('a line of df without end is read at once', async () => {
    const mountinfo = '22 1 8:1 / / rw - ext4 /dev/sda1 rw\n';
    const seen = await read({
      ...DOCUMENT,
      commands: { df: '1 '.repeat(200_000) },
      snapshots: [{ atMs: 1, files: { ...FILES, '/proc/77/mountinfo': mountinfo } }],
    });
    assert.equal(seen.unknown['files.freeBytes'], 'df has no line for /');
  });
});
