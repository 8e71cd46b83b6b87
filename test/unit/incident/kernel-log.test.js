'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { readKernelLog } = require('../../../lib/incident/read-kernel-log');
const { kernelLine } = require('../../../lib/incident/pure/kernel-time');
const { KernelEvents } = require('../../../lib/incident/pure/kernel-events');
const {
  placeKernelEvents,
  memberOffsets,
  corrected,
} = require('../../../lib/incident/pure/clocks');
const { codeOf } = require('../../../lib/incident/pure/event-codes');
const { temporaryFolder } = require('../../support/cleanup');
const { NIGHT_MS, event } = require('../../support/incident-events');

const NOW = Date.UTC(2026, 10, 25, 12);
const GROUP =
  'oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=/,mems_allowed=0,' +
  'oom_memcg=/system.slice/mongod.service,task_memcg=/system.slice/mongod.service,task=mongod,' +
  'pid=22012,uid=999';
const KILL =
  'Memory cgroup out of memory: Killed process 22012 (mongod) total-vm:2949296kB, ' +
  'anon-rss:186036kB, file-rss:964kB, shmem-rss:0kB, UID:0 pgtables:1024kB oom_score_adj:0';
const AT = Date.UTC(2026, 10, 25, 3, 10, 4);
const signal = new AbortController().signal;

describe('the time of a line of a kernel', () => {
  for (const [
    what,
    line,
    atMs,
    isLocal,
  ] of /** @type {[string, string, number | null, boolean][]} */ ([
    ['dmesg', `[21670.899193] ${KILL}`, null, false],
    ['dmesg with a level', `<4>[21670.899193] ${KILL}`, null, false],
    ['dmesg -T', `[Wed Nov 25 03:10:04 2026] ${KILL}`, AT, true],
    ['syslog', `Nov 25 03:10:04 db1 kernel: [21670.899193] ${KILL}`, AT, true],
    [
      'syslog of the last year',
      `Dec  5 03:10:04 db1 kernel: ${KILL}`,
      Date.UTC(2025, 11, 5, 3, 10, 4),
      true,
    ],
    ['journalctl -o short-iso', `2026-11-25T05:10:04+0200 db1 kernel: ${KILL}`, AT, false],
    ['RFC 5424', `2026-11-25T03:10:04.000000+00:00 db1 kernel - - - ${KILL}`, AT, false],
    ['an ISO date without zone', `2026-11-25T03:10:04 db1 kernel: ${KILL}`, AT, true],
    [
      'journalctl -o json',
      JSON.stringify({
        __REALTIME_TIMESTAMP: String(AT * 1000),
        _TRANSPORT: 'kernel',
        _HOSTNAME: 'db1',
        MESSAGE: KILL,
      }),
      AT,
      false,
    ],
  ]))
    it(what, () => {
      const found = kernelLine(line, NOW);
      assert.deepEqual([found?.atMs, found?.isLocal, found?.text], [atMs, isLocal, KILL]);
      if (atMs === null) assert.ok(Math.abs(Number(found?.sinceBootMs) - 21_670_899.193) < 1);
    });
  for (const [what, line] of [
    ['another program', 'Nov 25 03:10:04 db1 sshd[12]: Accepted'],
    [
      'another program in JSON',
      JSON.stringify({ __REALTIME_TIMESTAMP: '1', MESSAGE: 'x', SYSLOG_IDENTIFIER: 'sshd' }),
    ],
    ['JSON without a time', JSON.stringify({ MESSAGE: 'x', _TRANSPORT: 'kernel' })],
    ['half of JSON', '{"MESSAGE":"x'],
    ['a day that is none', '2026-99-25T03:10:04Z db1 kernel: x'],
    ['anything', 'hello world'],
  ])
    it(`${what}: no line of a kernel`, () => assert.equal(kernelLine(line, NOW), null));
});

describe('what a kernel reports', () => {
  for (const [text, code, values] of /** @type {[string, string | null, object?][]} */ ([
    [
      KILL,
      'kernel-oom-kill',
      { process: 'mongod', pid: 22012, cgroup: null, rssBytes: 186036 * 1024 },
    ],
    [
      'Out of memory: Kill process 12 (java) score 900 or sacrifice child',
      'kernel-oom-kill',
      { process: 'java', pid: 12, cgroup: null, rssBytes: null },
    ],
    [
      'mongod[4711]: segfault at 0 ip 000 sp 000 error 4 in mongod',
      'kernel-segfault',
      { process: 'mongod', pid: 4711 },
    ],
    [
      'blk_update_request: I/O error, dev sda, sector 123456 op 0x0',
      'kernel-io-error',
      { device: 'sda' },
    ],
    ['Buffer I/O error on dev sdb1, logical block 1', 'kernel-io-error', { device: 'sdb1' }],
    ['nvme nvme0: I/O 123 QID 4 timeout, aborting', 'kernel-io-error', { device: 'nvme0' }],
    [
      'EXT4-fs error (device sda1): ext4_find_entry:1455: inode #2',
      'kernel-fs-error',
      { device: 'sda1' },
    ],
    ['EXT4-fs (sda1): Remounting filesystem read-only', 'kernel-read-only', { device: 'sda1' }],
    ['XFS (sdc): log I/O error -5', 'kernel-fs-error', { device: 'sdc' }],
    [
      'XFS (sdc): Filesystem has been shut down due to log error (0x2).',
      'kernel-read-only',
      { device: 'sdc' },
    ],
    ['BTRFS error (device sdd: state EA): bdev', 'kernel-fs-error', { device: 'sdd' }],
    [
      'INFO: task mongod:4711 blocked for more than 120 seconds.',
      'kernel-task-blocked',
      { process: 'mongod', seconds: 120 },
    ],
    [
      'CPU3: Core temperature above threshold, cpu clock throttled (total events = 1)',
      'kernel-cpu-throttled',
      {},
    ],
    [
      'TCP: request_sock_TCP: Possible SYN flooding on port 27017. Sending cookies.',
      'kernel-syn-flood',
      { port: 27017 },
    ],
    ['nf_conntrack: nf_conntrack: table full, dropping packet', 'kernel-conntrack-full', {}],
    ['Linux version 6.1.0 (gcc)', 'kernel-boot', {}],
    ['EXT4-fs (loop0): unmounting filesystem fbccc976.', null],
    ['loop0: detected capacity change from 0 to 409600', null],
    ['audit: error in something else', null],
  ]))
    it(`${text.slice(0, 50)}: ${code}`, () => {
      const meaning = new KernelEvents().meaningOf(text);
      assert.deepEqual(meaning, code === null ? null : { code, values });
      if (meaning !== null) assert.match(String(codeOf(meaning.code)?.say(meaning.values)), /\.$/);
    });
  it('the control group is that of the line before, for the same process', () => {
    const kernel = new KernelEvents();
    assert.equal(kernel.meaningOf(GROUP), null);
    assert.equal(kernel.meaningOf(KILL)?.values.cgroup, '/system.slice/mongod.service');
    assert.equal(kernel.meaningOf(KILL.replace('22012', '1'))?.values.cgroup, null);
  });
});

describe('a kernel log as a file', () => {
  const folder = temporaryFolder('kernel');
  after(() => folder.remove());
  const read = (/** @type {string} */ text) => {
    const file = path.join(folder.path, 'kernel.log');
    fs.writeFileSync(file, text);
    return readKernelLog(file, { signal, nowMs: NOW });
  };
  it('journalctl -o export', async () => {
    const entry = (/** @type {string} */ program, /** @type {string} */ message) =>
      `__CURSOR=x\n__REALTIME_TIMESTAMP=${AT * 1000}\n_HOSTNAME=db1\nSYSLOG_IDENTIFIER=${program}\nPRIORITY=4\nMESSAGE=${message}\n\n`;
    const { events, source } = await read(
      entry('kernel', GROUP) + entry('sshd', KILL) + entry('kernel', KILL),
    );
    assert.deepEqual(
      events.map(({ event: { code, fromMs } }) => [code, fromMs]),
      [['kernel-oom-kill', AT]],
    );
    assert.deepEqual([source.host, source.garbled], ['db1', 0]);
  });
  it('a file of something else is garbled as a whole', async () => {
    const { events, source } = await read('hello\nworld\n');
    assert.deepEqual([events, source.read, source.garbled], [[], 2, 2]);
  });
});

describe('clocks that disagree', () => {
  const died = event('process-died', 600, { seconds: 20, values: { downSeconds: 20 } });
  const started = event('process-started', 620, { values: { pid: 22012, version: null } });
  const kill = (/** @type {object} */ more) => ({
    event: event('kernel-oom-kill', 600, {
      source: 'kernel',
      values: { process: 'mongod', pid: 22012 },
    }),
    sinceBootMs: null,
    isLocal: true,
    ...more,
  });
  const about = { file: 'dmesg', bootedAtMs: null };
  it('a log of another zone is moved by a kill that both show', () => {
    const inBerlin = kill({});
    inBerlin.event = {
      ...inBerlin.event,
      fromMs: inBerlin.event.fromMs + 3_600_000,
      toMs: NIGHT_MS + 4_300_000,
    };
    const { events, clocks, notes } = placeKernelEvents([inBerlin], [died, started], about);
    assert.equal(events[0].fromMs, NIGHT_MS + 600_000);
    assert.deepEqual([clocks[0].aheadSeconds, notes], [3600, []]);
  });
  it('the kill of another mongod, and a quarter of an hour, show no zone', () => {
    const ofOther = (/** @type {number} */ seconds) => {
      const made = kill({});
      made.event = event('kernel-oom-kill', seconds, {
        source: 'kernel',
        values: { process: 'mongod', pid: 4711 },
      });
      return made;
    };
    for (const events of [
      [ofOther(600 + 3600)],
      [ofOther(600 + 3600), kill({})],
      [{ ...kill({}), event: { ...kill({}).event, fromMs: NIGHT_MS + 1_500_000 } }],
    ]) {
      const { clocks } = placeKernelEvents(events, [died, started], about);
      assert.deepEqual(clocks, []);
    }
    assert.deepEqual(placeKernelEvents([kill({})], [died, started], about).notes, []);
    // Where no log says which process it was, the name has to do.
    assert.equal(placeKernelEvents([ofOther(4200)], [died], about).clocks[0].aheadSeconds, 3600);
  });
  it('without such a kill it is UTC, and that is noted', () => {
    const { events, notes } = placeKernelEvents([kill({})], [], about);
    assert.equal(events[0].fromMs, NIGHT_MS + 600_000);
    assert.match(notes[0], /names no time zone/);
  });
  it('what has a zone is taken as it is', () =>
    assert.deepEqual(placeKernelEvents([kill({ isLocal: false })], [], about).notes, []));
  it('what counts from the boot is placed by the boot, by a kill, or not at all', () => {
    const since = [kill({ sinceBootMs: 5000, isLocal: false })];
    const at = (/** @type {any[]} */ ofServer, /** @type {number | null} */ bootedAtMs) =>
      placeKernelEvents(since, ofServer, { file: 'dmesg', bootedAtMs });
    assert.equal(at([], NIGHT_MS).events[0].fromMs, NIGHT_MS + 5000);
    assert.equal(at([died, started], null).events[0].fromMs, died.fromMs);
    assert.deepEqual(at([], null).events, []);
    assert.match(at([], null).notes[0], /no place on the timeline/);
  });
  const became = (/** @type {string} */ host, /** @type {number} */ seconds) =>
    event('state-changed', seconds, { host, values: { from: 'SECONDARY', to: 'PRIMARY' } });
  const seen = (
    /** @type {string} */ host,
    /** @type {string} */ member,
    /** @type {number} */ seconds,
  ) => event('member-state', seconds, { host, values: { member, state: 'PRIMARY' } });
  const hosts = ['a:27017', 'b:27018'];
  it('two members, by an election that both recorded', () => {
    const events = [became('a:27017', 100), seen('b:27018', '10.0.0.1:27017', 161)];
    const [offset] = memberOffsets(events, hosts);
    assert.deepEqual([offset.of, offset.aheadSeconds], ['b:27018', 61]);
    assert.equal(corrected(events, [offset])[1].fromMs, NIGHT_MS + 100_000);
    assert.equal(corrected(events, [offset])[0].fromMs, NIGHT_MS + 100_000);
  });
  it('a heartbeat later is no offset, and nothing shared is none', () => {
    assert.deepEqual(
      memberOffsets([became('a:27017', 100), seen('b:27018', 'a:27017', 102)], hosts),
      [],
    );
    assert.deepEqual(
      memberOffsets([became('b:27018', 100), seen('a:27017', 'b:27018', 20)], hosts)[0]
        .aheadSeconds,
      80,
    );
    assert.deepEqual(memberOffsets([became('a:27017', 100)], hosts), []);
  });
});
