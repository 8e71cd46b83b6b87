'use strict';

const assert = require('node:assert/strict');
const { openHost, hostNames } = require('../support/host-fixture');
const { readAreas } = require('../../lib/host/areas-registry');
const { judgeHost } = require('../../lib/rules/run-host');
const { loadHostRules } = require('../../lib/observe/load-rules');

/**
 * What is to be said of each host by the rules on kernel, file system and disk; the others are
 * `ok`.
 */
const EXPECTED = {
  'rhel10-s390x': {
    'wakeup-preemption': 'info',
    'inode-lock': 'warning',
    'blocked-threads': 'info',
  },
  'debian-xfs': {},
  'ubuntu-zfs': {
    'wakeup-preemption': 'info',
    'file-system': 'info',
    'zfs-properties': 'info',
    'zfs-memory': 'unknown',
    'device-latency': 'unknown',
    'disk-saturation': 'unknown',
    'disk-bursts': 'unknown',
    'read-ahead': 'unknown',
    'io-scheduler': 'unknown',
  },
  'container-cgroup2': {
    'disk-space': 'warning',
    'device-latency': 'warning',
    'disk-saturation': 'warning',
  },
  'centos7-kernel310': {
    'kernel-release': 'info',
    'mount-options': 'critical',
    'device-latency': 'warning',
    'disk-saturation': 'warning',
    'disk-bursts': 'warning',
    'read-ahead': 'warning',
    'io-scheduler': 'warning',
  },
};
const RULES = [
  'wakeup-preemption',
  'kernel-release',
  'file-system',
  'mount-options',
  'disk-space',
  'inode-lock',
  'blocked-threads',
  'zfs-properties',
  'zfs-memory',
  'device-latency',
  'disk-saturation',
  'disk-bursts',
  'read-ahead',
  'io-scheduler',
  'writeback-timing',
];

/** @param {string} name */
async function findingsOf(name) {
  const { snapshots, subject } = openHost(name);
  return judgeHost(loadHostRules(), await readAreas(snapshots, subject));
}

describe('whole hosts', () => {
  for (const name of hostNames()) {
    it(`${name}: kernel, file system and disk`, async () => {
      const findings = await findingsOf(name);
      const said = Object.fromEntries(
        findings
          .filter(({ rule, status }) => RULES.includes(rule) && status !== 'ok')
          .map(({ rule, status }) => [rule, status]),
      );
      assert.deepEqual(said, EXPECTED[name]);
    });

    it(`${name}: every rule has a sentence of known figures, and each fix a way back`, async () => {
      for (const { rule, status, say, advice, fixes } of await findingsOf(name)) {
        assert.notEqual(status, 'error', say);
        assert.doesNotMatch(`${say} ${advice}`, /undefined|NaN|null,|\? /, rule);
        for (const { set, back } of fixes) assert.notDeepEqual(set, back, rule);
      }
    });
  }
});
