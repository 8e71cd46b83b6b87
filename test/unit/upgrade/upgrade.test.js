'use strict';

const assert = require('node:assert/strict');
const {
  changesBetween,
  defectsBetween,
  goneBetween,
  orderOf,
  pathOf,
} = require('../../../lib/upgrade/pure/upgrade');

/** @import { UpgradedServer } from '../../../lib/upgrade/pure/release-changes' */

/** @type {UpgradedServer} */
const SERVER = {
  version: '4.4.2',
  isReplicated: true,
  isWriteConcernSet: false,
  architecture: 'x86_64',
  hasAvx: true,
  kernelNumber: 6_001_000,
  libcNumber: 2036,
  ticketsSet: false,
  parameters: [],
  isMajorityReadOff: false,
};
/** @param {string} from @param {string} to @param {Partial<UpgradedServer> | null} [more] */
const ids = (from, to, more = {}) =>
  changesBetween(from, to, more && { ...SERVER, ...more }).map(({ id, level }) => `${level} ${id}`);

describe('the path of an upgrade', () => {
  const cases = /** @type {const} */ ([
    ['6.0.5', '6.0.27', ['6.0.27']],
    ['6.0.5', '7.0.14', ['7.0.14']],
    ['4.4.2', '6.0.5', ['5.0, newest patch release', '6.0.5']],
    ['5.0.4', '8.0.17', ['6.0, newest patch release', '7.0, newest patch release', '8.0.17']],
    ['8.0.10', '8.2.6', ['8.2.6']],
  ]);
  for (const [from, to, stops] of cases)
    it(`${from} to ${to}`, () =>
      assert.deepEqual(
        pathOf(from, to).map((step) => step.to),
        stops,
      ));
  it('sets the compatibility version of each series, and none within one', () => {
    assert.deepEqual(
      pathOf('4.4.2', '6.0.5').map(({ compatibility }) => compatibility),
      ['5.0', '6.0'],
    );
    assert.deepEqual(pathOf('6.0.5', '6.0.27')[0].compatibility, null);
  });
});

describe('what changes between releases', () => {
  it('within a series: nothing of the list', () => assert.deepEqual(ids('6.0.5', '6.0.27'), []));
  it('4.4 to 5.0: the write concern, and indexes to check', () =>
    assert.deepEqual(ids('4.4.2', '5.0.31'), ['change write-concern', 'check ttl-nan']));
  it('the write concern does not change where it is set, or there is no set', () => {
    assert.deepEqual(ids('4.4.2', '5.0.31', { isWriteConcernSet: true }), ['check ttl-nan']);
    assert.deepEqual(ids('4.4.2', '5.0.31', { isReplicated: false }), ['check ttl-nan']);
  });
  it('what is not known is to be checked', () =>
    assert.deepEqual(ids('4.4.2', '5.0.31', { isWriteConcernSet: null, hasAvx: null }), [
      'check write-concern',
      'check avx',
      'check ttl-nan',
    ]));
  it('a CPU without AVX stops it, on x86-64 alone', () => {
    assert.ok(ids('4.4.2', '5.0.31', { hasAvx: false }).includes('blocker avx'));
    const arm = { hasAvx: false, architecture: 'aarch64' };
    assert.ok(!ids('4.4.2', '5.0.31', arm).some((one) => one.endsWith('avx')));
  });
  it('from 4.4.3 and 4.4.4 some releases are a trap, their neighbours none', () => {
    const trap = (/** @type {string} */ from, /** @type {string} */ to) =>
      ids(from, to).some((one) => one.startsWith('blocker stale-checkpoints'));
    for (const to of ['4.4.8', '4.4.10', '5.0.2', '5.0.5'])
      assert.deepEqual([trap('4.4.3', to), trap('4.4.4', to)], [true, true], to);
    for (const to of ['4.4.7', '4.4.11', '5.0.6', '6.0.5']) assert.ok(!trap('4.4.4', to), to);
    for (const from of ['4.4.2', '4.4.5']) assert.ok(!trap(from, '4.4.8'), from);
  });
  it('7.0 to 8.0: huge pages, restartable sequences, slow operations', () => {
    assert.deepEqual(ids('7.0.14', '8.0.17'), [
      'change slow-operations',
      'change huge-pages',
      'change rseq',
    ]);
    assert.deepEqual(ids('7.0.14', '8.0.17', { architecture: 's390x' }), [
      'change slow-operations',
    ]);
    assert.ok(!ids('7.0.14', '8.0.17', { libcNumber: 2034 }).some((one) => one.endsWith('rseq')));
    assert.ok(ids('7.0.14', '8.0.17', { libcNumber: null }).includes('check rseq'));
  });
  it('a kernel that mongod crashes on stops it', () => {
    for (const [kernelNumber, level] of /** @type {const} */ ([
      [6_018_999, null],
      [6_019_000, 'blocker'],
      [7_000_013, 'blocker'],
      [7_000_014, null],
    ]))
      assert.equal(
        ids('7.0.14', '8.0.17', { kernelNumber }).includes('blocker kernel'),
        level === 'blocker',
        String(kernelNumber),
      );
  });
  it('tickets follow probing but where they were set', () => {
    assert.ok(ids('6.0.27', '7.0.14').includes('change ticket-probing'));
    assert.ok(!ids('6.0.27', '7.0.14', { ticketsSet: true }).includes('change ticket-probing'));
  });
  it('renamed parameters count where one is in use', () => {
    const parameters = ['storageEngineConcurrentReadTransactions'];
    assert.ok(ids('8.0.17', '8.3.4', { parameters }).includes('change execution-control'));
    assert.ok(!ids('8.0.17', '8.3.4').some((one) => one.endsWith('execution-control')));
  });
  it('majority reads that were switched off', () =>
    assert.ok(
      ids('4.4.2', '5.0.4', { isMajorityReadOff: true }).includes('change majority-reads'),
    ));
  it('of no server in particular, all with a condition are to be checked', () =>
    assert.ok(ids('7.0.14', '8.0.17', null).includes('check kernel')));
});

describe('defects of an upgrade', () => {
  it('6.0.5 to 6.0.27 loses some and gains none', () => {
    const { gained, lost } = defectsBetween('6.0.5', '6.0.27');
    const tickets = lost.map(({ ticket }) => ticket);
    for (const ticket of ['SERVER-115508', 'SERVER-74551', 'WT-13283'])
      assert.ok(tickets.includes(ticket), ticket);
    assert.deepEqual(gained, []);
  });
  it('6.0.27 to 8.0.3 gains what 6.0.27 does not have', () => {
    const tickets = defectsBetween('6.0.27', '8.0.3').gained.map(({ ticket }) => ticket);
    for (const ticket of ['SERVER-115508', 'SERVER-95067', 'WT-14140'])
      assert.ok(tickets.includes(ticket), ticket);
  });
});

describe('options that an upgrade ends', () => {
  const none = { options: null, startString: null, runtimeString: null };
  it('journal.enabled ends with 6.0, and is named once', () => {
    const options = { storage: { journal: { enabled: true } } };
    assert.deepEqual(
      goneBetween('6.0.5', '7.0.14', { ...none, options }).map(({ where, name }) => [where, name]),
      [['option', 'storage.journal.enabled']],
    );
    assert.deepEqual(goneBetween('5.0.4', '6.0.5', { ...none, options }), []);
  });
  it('keys of the engine that the target does not know, where they are in use', () => {
    const startString = 'async=(enabled=false)';
    const options = {
      storage: { wiredTiger: { engineConfig: { configString: startString, cacheSizeGB: 1 } } },
    };
    const gone = goneBetween('4.4.0', '5.0.4', {
      options,
      startString,
      runtimeString: startString,
    });
    assert.deepEqual([...new Set(gone.map(({ where }) => where))], ['configString', 'runtime']);
  });
  it('none where nothing is known or used', () =>
    assert.deepEqual(goneBetween('4.4.2', '8.0.17', none), []));
});

describe('the order of members', () => {
  it('the primary is last, and steps down first', () => {
    assert.deepEqual(
      orderOf([
        { host: 'a', state: 'PRIMARY' },
        { host: 'b', state: 'ARBITER' },
        { host: 'c', state: 'SECONDARY' },
        { host: 'd', state: null },
      ]),
      ['c', 'b', 'd', 'a (step down first)'],
    );
    assert.deepEqual(orderOf([]), []);
  });
});
