'use strict';

const assert = require('node:assert/strict');
const { parseCpuList } = require('../../../lib/host/pure/host');

describe('host/pure/host', () => {
  for (const [list, cpus] of [
    ['0-3,8', [0, 1, 2, 3, 8]],
    ['5\n', [5]],
    ['0-1,4-5', [0, 1, 4, 5]],
    ['', []],
    ['none', null],
    ['0-', null],
    ['1,,2', null],
    ['65535', [65535]],
    ['0-65536', null],
    ['0-99999999999999999999', null],
  ]) {
    it(`reads ${JSON.stringify(list)}`, () => assert.deepEqual(parseCpuList(list), cpus));
  }
});
