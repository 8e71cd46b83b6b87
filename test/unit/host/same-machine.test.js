'use strict';

const assert = require('node:assert/strict');
const { findPlace } = require('../../../lib/host/same-machine');
const { recordedSnapshots } = require('../../../lib/host/host-file');

const BOOT = 1_700_000_000;
const STARTED_MS = (BOOT + 1000) * 1000;
const MACHINE = {
  '/proc/sys/kernel/hostname': 'db1\n',
  '/proc/stat': `cpu 1 2 3\nbtime ${BOOT}\n`,
  '/proc/meminfo': 'MemTotal:       65970697 kB\n',
};
const HEAD =
  '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  ' +
  'timeout inode\n';
// What the kernel writes of a listening socket on 27017, and of one that 127.0.0.1:54050 has
// opened.
const LISTENS =
  '   0: 0100007F:6989 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        ' +
  '0 570650 1 0000000070a6eb09 100 0 0 10 1024\n';
const FROM_54050 =
  '  46: 0100007F:6989 0100007F:D322 01 0000003F:00000000 01:00000013 00000000     0        ' +
  '0 571550 4 0000000084f7d675 20 5 29 11 -1\n';
const MAPPED =
  '   1: 0000000000000000FFFF00000100007F:6989 0000000000000000FFFF00000100007F:D322 01 ' +
  '00000000:00000000 00:00000000 00000000   999        0 5715 1 0000000084f7d675 20 5 29 11 -1\n';
const V6 =
  '   1: 00000000000000000000000001000000:6989 00000000000000000000000001000000:D322 01 ' +
  '00000000:00000000 00:00000000 00000000   999        0 5715 1 0000000084f7d675 20 5 29 11 -1\n';
const BIG_ENDIAN = FROM_54050.replaceAll('0100007F', '7F000001');

/**
 * @param {number} pid
 * @param {{ comm?: string, ticks?: number, tcp?: string, tcp6?: string, inside?: number }} [what]
 */
const running = (
  pid,
  { comm = 'mongod', ticks = 100_000, tcp = HEAD + LISTENS + FROM_54050, tcp6 = HEAD, inside } = {},
) => ({
  [`/proc/${pid}/comm`]: `${comm}\n`,
  [`/proc/${pid}/stat`]: `${pid} (mon) (god) S 1 ${'0 '.repeat(17)}${ticks} 0 0\n`,
  [`/proc/${pid}/net/tcp`]: tcp,
  [`/proc/${pid}/net/tcp6`]: tcp6,
  [`/proc/${pid}/status`]: `Name:\t${comm}\nPid:\t${pid}\nNSpid:\t${pid}${inside === undefined ? '' : `\t${inside}`}\n`,
});
const SERVER = Object.freeze({
  host: 'db1',
  hostname: 'db1',
  version: '8.0.4',
  pid: 77,
  startedAtMs: STARTED_MS + 300,
  memorySizeMB: Math.floor(65970697 / 1024),
  bootAtSeconds: BOOT,
  port: 27017,
  dbPath: '/data/db',
  cacheBytes: null,
  client: '127.0.0.1:54050',
});
const machine = (/** @type {Record<string, string>} */ files, links = {}) =>
  recordedSnapshots({
    format: 'mongosh-tune host',
    version: 1,
    pid: null,
    dbPath: null,
    port: null,
    snapshots: [{ atMs: 0, files: { ...MACHINE, ...files } }],
    links,
    commands: {},
  })[0];

/** @type {[string, Record<string, string>, object, string, RegExp, Record<string, string>?][]} */
const CASES = [
  [
    'the connection ends at the process the server names',
    running(77),
    {},
    'here',
    /process 77 on this machine: .*this connection ends at it/,
  ],
  [
    'the same through IPv6, as an IPv4 address',
    running(77, { tcp: HEAD, tcp6: HEAD + MAPPED }),
    {},
    'here',
    /./,
  ],
  [
    'through IPv6',
    running(77, { tcp: HEAD, tcp6: HEAD + V6 }),
    { client: '[::1]:54050' },
    'here',
    /./,
  ],
  [
    'on s390x, where the kernel writes addresses the other way round',
    running(77, { tcp: HEAD + BIG_ENDIAN }),
    {},
    'here',
    /./,
  ],
  [
    'it holds the listening socket',
    running(77),
    {},
    'here',
    /./,
    { '/proc/77/fd/10': 'socket:[570650]' },
  ],
  [
    'it does not',
    running(77),
    {},
    'elsewhere',
    /does not listen on port 27017/,
    { '/proc/77/fd/10': 'socket:[1]' },
  ],
  ['no such process', running(78), {}, 'elsewhere', /No process on this machine has the id 77/],
  [
    'another program by that number',
    running(77, { comm: 'nginx' }),
    {},
    'elsewhere',
    /process 77; here that is "nginx"/,
  ],
  [
    'a mongod by that number, started at another time',
    running(77, { ticks: 100_600 }),
    {},
    'elsewhere',
    /with another start time/,
  ],
  [
    'a twin machine through a tunnel: all agrees but the connection',
    running(77),
    { client: '127.0.0.1:40000' },
    'elsewhere',
    /connection come from 127\.0\.0\.1:40000.*as with a tunnel/,
  ],
  ['a twin that listens on another port', running(77), { port: 27018 }, 'elsewhere', /./],
  [
    'in a container',
    running(4242, { inside: 1 }),
    { pid: 1 },
    'here-container',
    /process 4242 on this machine in a container, as process 1 there/,
  ],
  [
    'in one of two containers',
    { ...running(4141, { inside: 1, tcp: HEAD }), ...running(4242, { inside: 1 }) },
    { pid: 1 },
    'here-container',
    /process 4242/,
  ],
  [
    'in a container elsewhere',
    running(4242, { inside: 1, ticks: 9 }),
    { pid: 1 },
    'elsewhere',
    /No process on this machine has the id 1/,
  ],
  [
    'through a Unix socket: name, memory and boot agree',
    running(77),
    { client: 'anonymous unix socket' },
    'here',
    /name, RAM and boot time match/,
  ],
  [
    'through a Unix socket: another name',
    running(77),
    { client: 'anonymous unix socket', hostname: 'db2' },
    'elsewhere',
    /host name db2, this machine is db1/,
  ],
  [
    'through a Unix socket: another size',
    running(77),
    { client: null, memorySizeMB: 1000 },
    'elsewhere',
    /has 1000 MiB of memory, this one 64424/,
  ],
  [
    'through a Unix socket: another boot',
    running(77),
    { client: null, bootAtSeconds: BOOT + 3 },
    'elsewhere',
    /but another boot time/,
  ],
  [
    'through a Unix socket: the boot is not reported',
    running(77),
    { client: null, bootAtSeconds: null },
    'elsewhere',
    /is not reported/,
  ],
  [
    'through a Unix socket: nothing is told',
    running(77),
    { client: null, hostname: null, memorySizeMB: null },
    'elsewhere',
    /reports host name none/,
  ],
  [
    'sockets that cannot be read: the rest decides',
    Object.fromEntries(Object.entries(running(77)).filter(([name]) => !name.includes('/net/'))),
    {},
    'here',
    /name, RAM and boot time match/,
  ],
  [
    'the server does not report its process',
    {},
    { pid: null },
    'elsewhere',
    /does not report its process/,
  ],
  [
    'garbage in its stat',
    { ...running(77), '/proc/77/stat': 'x' },
    {},
    'elsewhere',
    /with another start time/,
  ],
  [
    "garbage in the machine's stat",
    { ...running(77), '/proc/stat': 'x' },
    {},
    'elsewhere',
    /with another start time/,
  ],
];

describe('host/same-machine', () => {
  for (const [title, files, server, kind, say, links] of CASES) {
    it(title, async () => {
      const place = await findPlace(machine(files, links), { ...SERVER, ...server }, 'linux');
      assert.equal(place.kind, kind, place.say);
      assert.match(place.say, say);
      assert.match(place.say, /^[A-Zm].*\.$/);
      assert.equal(place.pid === null, kind === 'elsewhere');
    });
  }
  for (const [platform, name] of [
    ['darwin', 'macOS'],
    ['win32', 'Windows'],
    ['freebsd', 'freebsd'],
  ]) {
    it(`on ${name} a clear sentence`, async () => {
      const place = await findPlace(machine(running(77)), SERVER, platform);
      assert.equal(place.kind, 'elsewhere');
      assert.match(
        place.say,
        new RegExp(`mongosh runs on ${name}, .*only values reported by the server are known\\.$`),
      );
    });
  }
  for (const client of ['256.0.0.1:5', '1.2.3:5', '[1:2]:5', 'nonsense', '']) {
    it(`${JSON.stringify(client)} is no address`, async () =>
      assert.equal(
        (await findPlace(machine(running(77)), { ...SERVER, client }, 'linux')).kind,
        'here',
      ));
  }
});
