'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { temporaryFolder } = require('../../support/cleanup');
const { findThrottle } = require('../../support/throttle');

describe('limits of a block device, as files of control groups', () => {
  /** @type {{ path: string, remove: () => void }} */ let root;
  beforeEach(() => {
    root = temporaryFolder('groups');
  });
  afterEach(() => root.remove());
  const reported = (/** @type {string[]} */ ...names) =>
    fs.readFileSync(path.join(root.path, ...names), 'utf8');

  it('version 1: four files of the root group; 0 is none', () => {
    fs.mkdirSync(path.join(root.path, 'blkio'));
    for (const name of ['read_iops', 'write_iops', 'read_bps', 'write_bps'])
      fs.writeFileSync(path.join(root.path, 'blkio', `blkio.throttle.${name}_device`), '');
    const throttle = findThrottle(root.path);
    throttle?.limit('7:3', { readOps: 600, writeBytes: 1000 }, 1);
    assert.equal(reported('blkio', 'blkio.throttle.read_iops_device'), '7:3 600');
    assert.equal(reported('blkio', 'blkio.throttle.write_bps_device'), '7:3 1000');
    assert.equal(reported('blkio', 'blkio.throttle.write_iops_device'), '7:3 0');
    throttle?.release('7:3');
    assert.equal(reported('blkio', 'blkio.throttle.read_iops_device'), '7:3 0');
  });

  it('version 2: io.max of a group that the server moves into', () => {
    fs.writeFileSync(path.join(root.path, 'cgroup.controllers'), 'cpuset cpu io memory pids\n');
    const throttle = findThrottle(root.path);
    throttle?.release('7:3'); // nothing was limited yet
    throttle?.limit('7:3', { readOps: 600, writeBytes: 1000 }, 4711);
    assert.equal(reported('cgroup.subtree_control'), '+io +memory');
    assert.equal(reported('mongosh-tune-disk', 'cgroup.procs'), '4711');
    assert.equal(
      reported('mongosh-tune-disk', 'io.max'),
      '7:3 riops=600 wiops=max rbps=max wbps=1000',
    );
    throttle?.release('7:3'); // the group stays as long as a server is in it
    assert.equal(
      reported('mongosh-tune-disk', 'io.max'),
      '7:3 riops=max wiops=max rbps=max wbps=max',
    );
  });

  it('none where neither limits disks', () => {
    assert.equal(findThrottle(root.path), null);
    fs.writeFileSync(path.join(root.path, 'cgroup.controllers'), 'cpuset cpu pids radio\n');
    assert.equal(findThrottle(root.path), null);
  });
});
