'use strict';

const assert = require('node:assert/strict');
const { parseCpuList, cpuMask, isEmptyMask } = require('../../../lib/model/cpu-list');

const upTo = (n) => Array.from({ length: n }, (_, i) => i);

describe('model/cpu-list', () => {
  for (const [list, cpus] of [['0-3,8', [0, 1, 2, 3, 8]], ['5\n', [5]], ['0-1,4-5', [0, 1, 4, 5]], ['', []], ['none', null], ['0-', null], ['1,,2', null]]) {
    it(`reads ${JSON.stringify(list)}`, () => assert.deepEqual(parseCpuList(list), cpus));
  }

  for (const [cpus, mask] of [[[], '0'], [[0], '1'], [upTo(4), 'f'], [upTo(24), 'ffffff'], [upTo(32), 'ffffffff'], [upTo(33), '1,ffffffff'], [[64], '1,00000000,00000000'], [[3, 40], '100,00000008']]) {
    it(`the mask of ${cpus.length} processors up to ${cpus.at(-1)} is ${mask}`, () => assert.equal(cpuMask(cpus), mask));
  }

  it('knows an empty mask in every length', () => assert.deepEqual(['0', '00,00000000', '000000\n', '00,00000001', 'f'].map(isEmptyMask), [true, true, true, false, false]));
});
