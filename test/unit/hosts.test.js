'use strict';

const assert = require('node:assert/strict');
const { openHost, hostNames } = require('../support/host-fixture');
const { readAreas } = require('../../lib/host/examine-host');
const { judgeHost } = require('../../lib/rules/runner');
const { loadHostRules } = require('../../lib/rules/registry');

/**
 * What is to be said of each host by the rules on kernel, file system and disk; the others are
 * `ok`.
 */
const EXPECTED = {
  'rhel10-s390x': {
    'host-wakeup-preemption': 'info',
    'host-inode-lock': 'warning',
    'host-blocked-threads': 'info',
  },
  'debian-xfs': {},
  'ubuntu-zfs': {
    'host-wakeup-preemption': 'info',
    'host-file-system': 'info',
    'host-zfs-properties': 'info',
    'host-zfs-memory': 'unknown',
    'device-latency': 'unknown',
    'host-disk-saturation': 'unknown',
    'host-disk-bursts': 'unknown',
    'host-read-ahead': 'unknown',
    'host-io-scheduler': 'unknown',
  },
  'container-cgroup2': {
    'host-disk-space': 'warning',
    'device-latency': 'warning',
    'host-disk-saturation': 'warning',
  },
  'centos7-kernel310': {
    'host-kernel-release': 'info',
    'host-mount-options': 'critical',
    'device-latency': 'warning',
    'host-disk-saturation': 'warning',
    'host-disk-bursts': 'warning',
    'host-read-ahead': 'warning',
    'host-io-scheduler': 'warning',
  },
};
const RULES = [
  'host-wakeup-preemption',
  'host-kernel-release',
  'host-file-system',
  'host-mount-options',
  'host-disk-space',
  'host-inode-lock',
  'host-blocked-threads',
  'host-zfs-properties',
  'host-zfs-memory',
  'device-latency',
  'host-disk-saturation',
  'host-disk-bursts',
  'host-read-ahead',
  'host-io-scheduler',
  'host-writeback-timing',
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
      for (const { rule, status, message, advice, fixes } of await findingsOf(name)) {
        assert.notEqual(status, 'error', message);
        assert.doesNotMatch(`${message} ${advice}`, /undefined|NaN|null,|\? /, rule);
        for (const { set, back } of fixes) assert.notDeepEqual(set, back, rule);
      }
    });
  }
});
