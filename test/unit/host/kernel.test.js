'use strict';

const assert = require('node:assert/strict');
const { openHost, snapshotsOf } = require('../../support/host-fixture');
const { collectPart } = require('../../../lib/host/snapshot');
const area = require('../../../lib/host/areas/kernel');

const of = (name) => collectPart(area.values(openHost(name).snapshots, openHost(name).subject));
const from = (files, more) =>
  collectPart(
    area.values(snapshotsOf([files], more), {
      pid: null,
      dbPath: null,
      port: null,
      interface: null,
    }),
  );
const FEATURES = '/sys/kernel/debug/sched/features';

describe('host/areas/kernel', () => {
  it('EEVDF with its features, as root sees it', async () => {
    assert.deepEqual(await of('rhel10-s390x'), {
      values: {
        'os.name': 'Red Hat Enterprise Linux 10.0 (Coughlan)',
        'os.architecture': 's390x',
        'os.hostname': 'db-z1',
        'kernel.release': '6.12.0-55.9.1.el10_0.s390x',
        'kernel.number': 6012,
        'kernel.isEevdf': true,
        'kernel.wakeupPreemption': true,
        'kernel.features': 'readable',
      },
      unknown: {},
    });
  });

  it('EEVDF by its number, where no debugfs is mounted', async () => {
    const { values, unknown } = await of('ubuntu-zfs');
    assert.deepEqual(
      [values['kernel.isEevdf'], values['kernel.features'], values['kernel.wakeupPreemption']],
      [true, 'not mounted', undefined],
    );
    assert.equal(unknown['kernel.wakeupPreemption'], `${FEATURES} is not there`);
  });

  it('an old kernel tells its architecture by a command', async () => {
    const { values } = await of('centos7-kernel310');
    assert.deepEqual(
      [values['kernel.number'], values['kernel.isEevdf'], values['os.architecture']],
      [3010, false, 'x86_64'],
    );
  });

  const release = (text) => ({ '/proc/sys/kernel/osrelease': `${text}\n` });

  it('who is not root is not permitted to see the features', async () => {
    const { values, unknown } = await from(release('6.12.1'), {
      failed: { [FEATURES]: 'not readable by this user' },
    });
    assert.equal(values['kernel.features'], 'not permitted');
    assert.equal(unknown['kernel.wakeupPreemption'], `${FEATURES} is not readable by this user`);
  });

  it('6.6 is the first by number, an older one may have it by its features', async () => {
    const isEevdf = async (...all) => (await from(...all)).values['kernel.isEevdf'];
    assert.equal(await isEevdf(release('6.6.0')), true);
    assert.equal(await isEevdf(release('6.5.13')), false);
    assert.equal(
      await isEevdf({
        ...release('5.14.0-600.el9'),
        [FEATURES]: 'PLACE_LAG RUN_TO_PARITY WAKEUP_PREEMPTION',
      }),
      true,
    );
    assert.equal(
      await isEevdf({ ...release('5.14.0'), [FEATURES]: 'GENTLE_FAIR_SLEEPERS WAKEUP_PREEMPTION' }),
      false,
    );
  });

  it('off, and at the place before Linux 5.13', async () => {
    const { values } = await from({
      ...release('5.4.0'),
      '/sys/kernel/debug/sched_features': 'GENTLE_FAIR_SLEEPERS NO_WAKEUP_PREEMPTION NO_HRTICK',
    });
    assert.deepEqual(
      [values['kernel.wakeupPreemption'], values['kernel.features']],
      [false, 'readable'],
    );
  });

  it('garbage is unknown, with the reason', async () => {
    const { values, unknown } = await from({
      ...release('next'),
      [FEATURES]: 'HRTICK',
      '/etc/os-release': 'ID=x\n',
    });
    assert.match(String(unknown['kernel.number']), /osrelease contains no version: "next"/);
    assert.match(String(unknown['kernel.isEevdf']), /contains no version/);
    assert.match(String(unknown['kernel.wakeupPreemption']), /does not list WAKEUP_PREEMPTION/);
    assert.match(String(unknown['os.name']), /has no system name/);
    assert.match(String(unknown['os.architecture']), /uname is not in the file/);
    assert.equal(values['kernel.release'], 'next');
  });
});
