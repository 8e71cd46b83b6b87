'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { spawnSync } = require('node:child_process');
const fc = require('fast-check');
const { run: host } = require('../../../lib/commands/host');
const { temporaryFolder } = require('../../support/cleanup');
const { orTuneError, quietContext } = require('../answered');
const { bends, bendAll, leaves, weirdJson } = require('../weird');
const { soundText } = require('../sound');

/**
 * What the collecting script wrote, from a stranger: judged or refused, and a script made of it is
 * one that a shell can read.
 */

const FILES = {
  '/proc/stat':
    'cpu  10 0 10 80 0 0 0 0 0 0\ncpu0 5 0 5 40 0 0 0 0 0 0\ncpu1 5 0 5 40 0 0 0 0 0 ' +
    '0\nbtime 1700000000\n',
  '/proc/meminfo':
    'MemTotal:       66060288 kB\nMemFree:        60000000 kB\nMemAvailable:   62000000 ' +
    'kB\nDirty:  12 kB\nSwapTotal: 0 kB\nSwapFree: 0 kB\n',
  '/proc/sys/vm/dirty_bytes': '0\n',
  '/proc/sys/vm/dirty_background_bytes': '0\n',
  '/proc/sys/vm/dirty_ratio': '20\n',
  '/proc/sys/vm/dirty_background_ratio': '10\n',
  '/proc/sys/vm/swappiness': '60\n',
  '/proc/sys/vm/max_map_count': '65530\n',
  '/sys/kernel/mm/transparent_hugepage/enabled': '[always] madvise never\n',
  '/proc/sys/kernel/osrelease': '6.1.0\n',
  '/proc/sys/kernel/hostname': 'db1\n',
  '/proc/sys/net/core/somaxconn': '128\n',
  '/proc/sys/net/ipv4/tcp_keepalive_time': '7200\n',
  '/proc/77/limits':
    'Limit                     Soft Limit           Hard Limit           Units     \nMax ' +
    'open files            1024                 4096                 files     \n',
  '/proc/77/status': 'Name:\tmongod\nCpus_allowed_list:\t0-1\n',
  '/proc/77/mountinfo': '22 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw\n',
  '/proc/diskstats': '   8       0 sda 100 0 200 10 50 0 100 20 0 15 30\n',
  '/sys/block/sda/queue/read_ahead_kb': '4096\n',
  '/sys/block/sda/queue/scheduler': 'none [bfq]\n',
  '/sys/block/sda/queue/rotational': '0\n',
};
const DOCUMENT = {
  format: 'mongosh-tune host',
  version: 1,
  pid: 77,
  port: 27017,
  cacheBytes: 2 ** 30,
  dbPath: '/data',
  serverVersion: '7.0.4',
  host: 'db1',
  snapshots: [
    { atMs: 1_700_000_500_000, files: FILES },
    { atMs: 1_700_000_501_000, files: FILES },
  ],
  links: {
    '/sys/dev/block/8:1': '../../devices/pci/block/sda/sda1',
    '/sys/block/sda': '../devices/pci/block/sda',
  },
  commands: { df: '/dev/sda1 1000 500 500 50% /\n' },
};
const TEXTS = leaves(DOCUMENT).filter((at) => at.length > 1);
const ALL = leaves(DOCUMENT);
/** A shell is asked about so many of the scripts: it costs a process. */
const ASKED_SHARE = 40;

const hostile = fc.oneof(
  fc.constantFrom(
    '$(touch /tmp/pwned)',
    '`id`',
    "'; rm -rf x; '",
    'a\nreboot\n',
    '\u001b[31m',
    '-n',
    '${IFS}',
    '\\',
    '"',
    '[always',
    '99999999999999999999',
    '-1',
    '\0',
    '0-99999999999',
    '../../x',
    '/sys/../etc',
    'x'.repeat(5000),
  ),
  fc.string({ maxLength: 40 }),
  fc.nat().map((n) => `${n}\n`),
);

/** @param {string} folder @param {any} document @param {boolean} asked */
async function holds(folder, document, asked) {
  const from = path.join(folder, 'host.json');
  fs.writeFileSync(from, JSON.stringify(document));
  const seen = await orTuneError(() => host(quietContext(), { file: from }));
  if (seen === null) return;
  soundText(String(seen), { values: true });
  assert.deepEqual(
    seen.findings.filter(({ status }) => status === 'error').map(({ say }) => say),
    [],
  );
  const script = String(seen.script());
  soundText(script.replaceAll('\t', ' '), { values: true });
  if (!asked) return;
  const { status, stderr } = spawnSync('sh', ['-n'], { input: script, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
}

module.exports = {
  name: 'host-file',
  what: 'host files of strangers, and the scripts made of them',
  share: 0.1,
  async open() {
    const folder = temporaryFolder('fuzz');
    let count = 0;
    const given = fc.oneof(
      fc.record({ all: bends(weirdJson, 4) }),
      fc.record({ texts: bends(hostile, 6) }),
    );
    const property = fc.asyncProperty(given, (/** @type {any} */ one) =>
      holds(
        folder.path,
        bendAll(
          [DOCUMENT],
          one.all ? ALL : TEXTS,
          one.all ?? one.texts.map((/** @type {any} */ bend) => ({ ...bend, up: 0, gone: false })),
        )[0],
        (count += 1) % ASKED_SHARE === 0,
      ),
    );
    return { property, close: folder.remove };
  },
};
