'use strict';

const assert = require('node:assert/strict');
const { areaOfFiles } = require('../../support/host-areas');

// A pod of Kubernetes with control groups of version 2 (systemd driver), as its node shows it.
const POD = '/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod1f0c.slice';
const CONTAINER = `${POD}/cri-containerd-9d2e.scope`;
const ROOT = '/sys/fs/cgroup';
const GIB = 2 ** 30;

const files = Object.freeze({
  '/proc/7/cgroup': `0::${CONTAINER}\n`,
  '/proc/self/mountinfo': `29 23 0:26 / ${ROOT} rw - cgroup2 cgroup2 rw\n`,
  [`${ROOT}${CONTAINER}/memory.max`]: `${4 * GIB}\n`,
  [`${ROOT}${CONTAINER}/memory.high`]: 'max\n',
  [`${ROOT}${CONTAINER}/memory.current`]: `${3 * GIB}\n`,
  [`${ROOT}${POD}/memory.max`]: `${6 * GIB}\n`,
  [`${ROOT}${POD}/memory.high`]: 'max\n',
  [`${ROOT}${CONTAINER}/cpu.max`]: '200000 100000\n',
  [`${ROOT}${CONTAINER}/cpu.stat`]: 'usage_usec 5\nnr_periods 100\nnr_throttled 10\n',
  [`${ROOT}${POD}/cpu.max`]: 'max 100000\n',
});

describe('a pod, seen from its node', () => {
  it('has the memory limit of its container', async () => {
    const { values } = await areaOfFiles('memory', [files]);
    assert.deepEqual(
      [
        values['memory.cgroupVersion'],
        values['memory.limitBytes'],
        values['memory.limitUsedBytes'],
      ],
      [2, 4 * GIB, 3 * GIB],
    );
  });

  it('has the limit of the pod where that is the tighter one', async () => {
    const { values } = await areaOfFiles('memory', [
      { ...files, [`${ROOT}${CONTAINER}/memory.max`]: 'max\n' },
    ]);
    assert.equal(values['memory.limitBytes'], 6 * GIB);
  });

  it('has the quota of its container, and what was throttled between two samples', async () => {
    const { values } = await areaOfFiles('cpu', [
      files,
      {
        ...files,
        [`${ROOT}${CONTAINER}/cpu.stat`]: 'usage_usec 9\nnr_periods 110\nnr_throttled 15\n',
      },
    ]);
    assert.deepEqual(
      [values['cpu.hasQuota'], values['cpu.quotaCores'], values['cpu.throttledRatio']],
      [true, 2, 0.5],
    );
  });

  it('without limits has none', async () => {
    const free = {
      ...files,
      [`${ROOT}${CONTAINER}/cpu.max`]: 'max 100000\n',
      [`${ROOT}${CONTAINER}/memory.max`]: 'max\n',
      [`${ROOT}${POD}/memory.max`]: 'max\n',
    };
    const { values: cpu } = await areaOfFiles('cpu', [free]);
    const { values: memory } = await areaOfFiles('memory', [free]);
    assert.deepEqual([cpu['cpu.hasQuota'], memory['memory.isLimited']], [false, false]);
  });

  it('whose group cannot be read is unknown, not unlimited', async () => {
    const { values, unknown } = await areaOfFiles('memory', [
      { '/proc/7/cgroup': files['/proc/7/cgroup'] },
    ]);
    assert.equal(values['memory.limitBytes'], undefined);
    assert.ok(unknown['memory.limitBytes']);
  });
});
