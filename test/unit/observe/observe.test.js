'use strict';

const assert = require('node:assert/strict');
const { completeFacts } = require('../../../lib/observe/observe');
const { NO_FACTS } = require('../../../lib/server/pure/facts');

/**
 * @import { HostValues } from '../../../lib/host/pure/host'
 */

/** @param {Partial<HostValues>} values @param {number | null} [cores] */
const facts = (values, cores = 4) =>
  completeFacts(
    { ...NO_FACTS, cores },
    { settings: null, dataBytes: 7, machine: { values, unknown: {} } },
  );

describe('observe/observe: the facts of a server', () => {
  it('without settings and machine: only what the server says', () =>
    assert.deepEqual(
      completeFacts(NO_FACTS, { settings: null, dataBytes: null, machine: null }),
      NO_FACTS,
    ));
  it('the limit of sessions is that of the opening, else the option', () => {
    const maxOf = (/** @type {string | null} */ opened, /** @type {number | null} */ sessionMax) =>
      completeFacts(NO_FACTS, {
        settings: /** @type {any} */ ({
          config: null,
          timeline: [],
          history: { opened, engineConfig: { sessionMax }, journalCommitMs: null },
        }),
        dataBytes: null,
        machine: null,
      }).sessionMax;
    assert.equal(maxOf('create,session_max=20000,eviction=(threads_min=4)', 500), 20_000);
    assert.equal(maxOf(null, 500), 500);
    assert.equal(maxOf('create', null), null);
  });
  it('the tolerance of triggers is that of the last string that has it, in steps of ten', () => {
    const toleranceOf = (/** @type {string[]} */ ...strings) =>
      completeFacts(NO_FACTS, {
        settings: /** @type {any} */ ({
          config: null,
          timeline: strings.map((config) => ({ kind: 'set', config })),
          history: {
            opened: 'create,cache_eviction_controls=(cache_tolerance_for_app_eviction=50)',
            engineConfig: null,
            journalCommitMs: null,
          },
        }),
        dataBytes: null,
        machine: null,
      }).toleranceRatio;
    assert.equal(toleranceOf(), 0.5);
    assert.equal(
      toleranceOf('cache_eviction_controls=(cache_tolerance_for_app_eviction=29)', 'cache_size=1G'),
      0.2,
    );
    assert.equal(toleranceOf('eviction=(cache_tolerance_for_app_eviction=0)'), 0);
  });
  it('a quota counts where it allows fewer CPUs than hostInfo', () => {
    assert.equal(facts({ 'cpu.quotaCores': 1.5 }).coresAllowed, 1.5);
    assert.equal(facts({ 'cpu.quotaCores': 4 }).coresAllowed, null);
    assert.equal(facts({ 'cpu.allowed': 2, 'cpu.quotaCores': 3 }).coresAllowed, 2);
    assert.equal(facts({ 'cpu.quotaCores': 1.5 }, null).coresAllowed, 1.5);
  });
  it('the CPUs of the machine count where there are more than hostInfo shows', () => {
    assert.equal(facts({ 'cpu.logical': 8 }).machineCores, 8);
    assert.equal(facts({ 'cpu.logical': 4 }).machineCores, null);
    assert.equal(facts({}).machineCores, null);
  });
  for (const [device, disks] of /** @type {[string, string[] | null][]} */ ([
    ['/dev/sda1', ['sda1', 'sda']],
    ['/dev/nvme0n1p2', ['nvme0n1p2', 'nvme0n1']],
    ['/dev/mapper/vg-data', null],
    ['tank/data', null],
  ]))
    it(`the disk under ${device}`, () =>
      assert.deepEqual(facts({ 'files.device': device }).disks, disks));
  it('the members of a disk, where they are known', () =>
    assert.deepEqual(facts({ 'files.device': '/dev/md0', 'disk.members': ['sda', 'sdb'] }).disks, [
      'sda',
      'sdb',
    ]));
});
