'use strict';

const assert = require('node:assert/strict');
const { areaOfHost, areaOfFiles } = require('../../support/host-areas');

const FOLDER = '/sys/kernel/mm/transparent_hugepage';

describe('host/areas/thp', () => {
  it('reads what is chosen', async () => {
    assert.deepEqual((await areaOfHost('thp', 'container-cgroup2')).values, {
      'thp.enabled': 'always',
      'thp.defrag': 'defer+madvise',
      'thp.maxPtesNone': 0,
      'process.isThpAllowed': true,
      'process.rseqTunable': '0',
    });
  });

  it('Linux 3.10 does not report whether the process opted out', async () => {
    const { values, unknown } = await areaOfHost('thp', 'centos7-kernel310');
    assert.equal(values['thp.defrag'], 'always');
    assert.equal(unknown['process.isThpAllowed'], 'not reported');
  });

  it('a kernel without huge pages never uses them', async () => {
    const { values } = await areaOfFiles('thp', [{ '/sys/kernel/mm/ksm/run': '0\n' }]);
    assert.deepEqual([values['thp.enabled'], values['thp.defrag']], ['never', 'never']);
  });

  for (const [environ, tunable] of [
    ['A=b\0', ''],
    ['GLIBC_TUNABLES=glibc.pthread.rseq=0\0', '0'],
    ['GLIBC_TUNABLES=glibc.malloc.arena_max=1:glibc.pthread.rseq=1\0B=c\0', '1'],
    ['GLIBC_TUNABLES=\0', ''],
    ['X_GLIBC_TUNABLES=glibc.pthread.rseq=0\0', ''],
  ]) {
    it(`rseq of ${JSON.stringify(environ)} is "${tunable}"`, async () =>
      assert.equal(
        (await areaOfFiles('thp', [{ '/proc/7/environ': environ }])).values['process.rseqTunable'],
        tunable,
      ));
  }

  it('garbage, missing and unreadable files are unknown', async () => {
    const { values, unknown } = await areaOfFiles(
      'thp',
      [
        {
          [`${FOLDER}/enabled`]: 'sometimes\n',
          [`${FOLDER}/khugepaged/max_ptes_none`]: 'x',
          '/proc/7/status': 'THP_enabled:\t0\n',
        },
      ],
      { failed: { '/proc/7/environ': 'not readable by this user' } },
    );
    assert.deepEqual(values, { 'process.isThpAllowed': false, 'thp.defrag': 'never' });
    assert.match(unknown['thp.enabled'], /has no selected value: "sometimes/);
    assert.match(unknown['thp.maxPtesNone'], /contains no number/);
    assert.match(unknown['process.rseqTunable'], /\/proc\/7\/environ is not readable by this user/);
    assert.match((await areaOfFiles('thp', [{}])).unknown['thp.enabled'], /enabled is not there/);
  });
});
