'use strict';

const assert = require('node:assert/strict');
const { readEvictionState } = require('../../../lib/server/pure/metric-reads');
const units = require('../../../lib/base/pure/units');
const {
  parseVersion,
  compareVersions,
  versionNumber,
  kernelNumber,
  kernelText,
} = require('../../../lib/base/pure/version');
const { settingsOf, byGroup, pick, showChange } = require('../../../lib/config/change');
const { SETTINGS, SETTING_NAMES, GROUPS, toRatio } = require('../../../lib/config/setting-table');

describe('releases of a kernel', () => {
  it('are one number that orders them, and can be read again', () => {
    assert.equal(kernelNumber('6.19.3-generic'), 6_019_003);
    assert.ok(kernelNumber('7.0.14') > kernelNumber('6.19.200'));
    assert.equal(kernelText(6_019_003), '6.19.3');
  });
});

describe('server/pure/metric-reads: the state of eviction', () => {
  const none = {
    clean: false,
    cleanHard: false,
    dirty: false,
    dirtyHard: false,
    updates: false,
    updatesHard: false,
  };
  // Seen on 6.0.5: 24 under write pressure, 64 (NOKEEP/SCRUB) idle.
  it('reads the bits of 6.0 and older', () => {
    assert.deepEqual(readEvictionState({ 'eviction.state': 24 }), {
      ...none,
      dirty: true,
      dirtyHard: true,
    });
    assert.deepEqual(readEvictionState({ 'eviction.state': 64 }), none);
    assert.deepEqual(readEvictionState({ 'eviction.state': 2 + 256 }), {
      ...none,
      cleanHard: true,
      updatesHard: true,
    });
  });
  it('reads the shifted bits of 7.0 and later by their mark, not by a version', () => {
    assert.deepEqual(readEvictionState({ 'eviction.state': 12, 'eviction.stateMark': 0 }), {
      ...none,
      dirty: true,
      dirtyHard: true,
    });
    assert.deepEqual(readEvictionState({ 'eviction.state': 128 + 64, 'eviction.stateMark': 5 }), {
      ...none,
      updates: true,
      updatesHard: true,
    });
  });
  it('knows nothing without the counter', () => assert.equal(readEvictionState({}), null));
});

describe('base/pure/units', () => {
  it('figures for sentences', () =>
    assert.deepEqual(
      [
        15.532154990329804,
        0.25,
        80,
        0,
        0.001,
        0.00099,
        0.0009765625,
        -0.0001234,
        300 / 1024,
        301 / 1024,
      ].map(units.figure),
      ['15.532', '0.25', '80', '0', '0.001', '0.00099', '0.00098', '-0.00012', '0.293', '0.294'],
    ));
  for (const [call, wanted] of [
    [() => units.bytes(0), '0 B'],
    [() => units.bytes(1023), '1023 B'],
    [() => units.bytes(1024), '1 KiB'],
    [() => units.bytes(1.5 * 2 ** 30), '1.5 GiB'],
    [() => units.bytes(-2048), '-2 KiB'],
    [() => units.bytes(2 ** 41), '2 TiB'],
    [() => units.bytes(null), '?'],
    [() => units.percent(0.123), '12.3%'],
    [() => units.percent(undefined), '?'],
    [() => units.count(12345.6), '12,346'],
    [() => units.count(0.123), '0.12'],
    [() => units.count(null), '?'],
    [() => units.duration(999), '999 ms'],
    [() => units.duration(1000), '1 s'],
    [() => units.duration(119_000), '119 s'],
    [() => units.duration(125_000), '2 min 5 s'],
    [() => units.duration(7_260_000), '2 h 1 min'],
    [() => units.duration(undefined), '?'],
    [() => units.secondsText(125), '2 min 5 s'],
    [() => units.secondsText(0.25), '250 ms'],
    [() => units.secondsText(null), '?'],
    [() => units.duration(48 * 3_600_000 - 60_000), '47 h 59 min'],
    [() => units.duration(48 * 3_600_000), '2 d'],
    [() => units.duration(60 * 3_600_000), '2 d 12 h'],
    [() => units.duration(30 * 86_400_000), '30 d'],
    [() => units.duration(729.4 * 86_400_000), '729 d'],
    [() => units.duration(2_147_483_647_000), '68 years'],
    [() => units.duration(3 * 86_400_000 - 60_000), '3 d'],
    [() => units.roughly(99_999), '99,999'],
    [() => units.roughly(123_456), '123 k'],
    [() => units.roughly(999_499), '999 k'],
    [() => units.roughly(999_500), '1 M'],
    [() => units.roughly(12_345_678), '12.3 M'],
    [() => units.roughly(4.2e9), '4.2 G'],
    [() => units.roughly(null), '?'],
  ])
    it(`${String(call).slice(12)} is ${wanted}`, () => assert.equal(call(), wanted));
  it('never says 60 s beside a minute', () => {
    assert.equal(units.duration(179_999), '3 min');
    assert.equal(units.duration(3 * 3_600_000 - 1), '3 h');
  });
});

describe('base/pure/version', () => {
  it('parses what servers call themselves', () => {
    assert.deepEqual(parseVersion('8.0.0-rc18'), [8, 0, 0]);
    assert.deepEqual(parseVersion('6.0'), [6, 0, 0]);
  });
  it('compares by number, not by letter', () => {
    assert.ok(compareVersions('6.0.24', '6.0.5') > 0);
    assert.ok(compareVersions('5.0.31', '6.0.0') < 0);
    assert.equal(compareVersions('7.0.5', '7.0.5'), 0);
    assert.ok(compareVersions('7.1.0', '7.0.9') > 0);
    assert.deepEqual(
      ['6.0.24', '8.0.0-rc18', '10.1.2'].map(versionNumber),
      [60_024, 80_000, 100_102],
    );
  });
});

describe('model/change and model/knobs', () => {
  const change = { evictionThreadsMax: 8, cacheSizeGB: 2, evictionDirtyTrigger: 25 };
  it('names its knobs in the order of the table', () =>
    assert.deepEqual(settingsOf(change), [
      'cacheSizeGB',
      'evictionThreadsMax',
      'evictionDirtyTrigger',
    ]));
  it('splits into groups, one call each', () => {
    assert.deepEqual(byGroup(change), [
      { group: 'cache', change: { cacheSizeGB: 2 } },
      { group: 'dirty', change: { evictionDirtyTrigger: 25 } },
      { group: 'threads', change: { evictionThreadsMax: 8 } },
    ]);
  });
  it('picks and shows', () => {
    assert.deepEqual(pick(change, ['cacheSizeGB', 'evictionTarget']), { cacheSizeGB: 2 });
    assert.equal(
      showChange(change),
      '{ cacheSizeGB: 2, evictionThreadsMax: 8, evictionDirtyTrigger: 25 }',
    );
  });
  it('every knob belongs to a group that is sent', () => {
    for (const setting of SETTING_NAMES)
      assert.ok(GROUPS.includes(SETTINGS[setting].group), setting);
  });
  it('percent up to 100, bytes above', () => {
    assert.equal(toRatio(100, 1000), 1);
    assert.equal(toRatio(500, 1000), 0.5);
  });
});
