'use strict';

const assert = require('node:assert/strict');
const { areaOfHost, areaOfFiles } = require('../../support/host-areas');

describe('host/areas/process', () => {
  it('limits, and what is used of them', async () => {
    const { values, unknown } = await areaOfHost('process', 'rhel10-s390x');
    assert.deepEqual(values, {
      'process.files': { soft: 64000, hard: 64000 },
      'process.processes': { soft: 64000, hard: 64000 },
      'process.openFiles': 12,
      'process.threads': 640,
      'process.maps': 20,
      'process.unit': 'mongod.service',
    });
    assert.deepEqual(unknown, {});
  });

  it('no limit, and no unit in a container', async () => {
    const { values, unknown } = await areaOfHost('process', 'container-cgroup2');
    assert.deepEqual(values['process.processes'], { soft: null, hard: null });
    assert.equal(unknown['process.unit'], 'not reported');
  });

  it('soft and hard differ; a session of a user is no unit', async () => {
    const { values, unknown } = await areaOfHost('process', 'ubuntu-zfs');
    assert.deepEqual(values['process.files'], { soft: 1024, hard: 1048576 });
    assert.equal(unknown['process.unit'], 'not reported');
  });

  for (const [cgroup, unit] of [
    ['1:name=systemd:/system.slice/mongod.service\n', 'mongod.service'],
    [
      '0::/user.slice/user-1000.slice/user@1000.service/app.slice/my-mongo.service\n',
      'my-mongo.service',
    ],
    ['0::/user.slice/user-1000.slice/user@1000.service/app.slice/x.scope\n', undefined],
    ['0::/system.slice/mongod.service/inner\n', 'mongod.service'],
  ]) {
    it(`the unit of ${cgroup.trim()}`, async () =>
      assert.equal(
        (await areaOfFiles('process', [{ '/proc/7/cgroup': cgroup }])).values['process.unit'],
        unit,
      ));
  }

  it('another user may see less', async () => {
    const { values, unknown } = await areaOfFiles(
      'process',
      [{ '/proc/7/limits': 'garbage', '/proc/7/status': 'Name:\tmongod\n' }],
      {
        failed: {
          '/proc/7/fd': 'not readable by this user',
          '/proc/7/maps': 'not readable by this user',
        },
      },
    );
    assert.deepEqual(values, {});
    assert.match(unknown['process.files'], /do not list "Max open files"/);
    assert.match(unknown['process.maps'], /not readable by this user/);
    assert.match(unknown['process.openFiles'], /\/proc\/7\/fd/);
    assert.equal(unknown['process.threads'], 'not reported');
  });
});
