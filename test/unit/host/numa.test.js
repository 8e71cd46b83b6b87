'use strict';

const assert = require('node:assert/strict');
const { areaOfHost, areaOfFiles } = require('../../support/host-areas');

const host = (nodes, maps) => [
  {
    ...Object.fromEntries(
      Array.from({ length: nodes }, (_, i) => [`/sys/devices/system/node/node${i}/cpulist`, '0\n']),
    ),
    '/sys/devices/system/node/possible': '0\n',
    ...(maps === undefined ? {} : { '/proc/7/numa_maps': maps }),
  },
];

describe('host/areas/numa', () => {
  it('one node, and nothing more is asked', async () => {
    const { values, unknown } = await areaOfFiles('numa', host(1, 'garbage'));
    assert.deepEqual(
      [values, unknown],
      [{ 'numa.nodes': 1 }, { 'numa.isInterleaved': 'not reported' }],
    );
  });

  for (const [maps, isInterleaved] of [
    ['00400000 interleave:0-1 file=/usr/bin/mongod\n', true],
    ['00400000 weighted interleave:0-1 file=a\n', true],
    ['00400000 default file=/usr/bin/mongod mapped=6 N4=6\n', false],
    ['00400000 bind:0 anon=1\n', false],
  ]) {
    it(`${maps.split(' ')[1]} is ${isInterleaved ? '' : 'not '}interleaved`, async () =>
      assert.equal(
        (await areaOfFiles('numa', host(2, maps))).values['numa.isInterleaved'],
        isInterleaved,
      ));
  }

  it('a host of two nodes whose mongod was started without numactl', async () => {
    assert.deepEqual((await areaOfHost('numa', 'debian-xfs')).values, {
      'numa.nodes': 2,
      'numa.isInterleaved': false,
    });
  });

  it('garbage and files of another user are unknown', async () => {
    assert.match(
      (await areaOfFiles('numa', host(2, '\n'))).unknown['numa.isInterleaved'],
      /numa_maps has an unexpected format/,
    );
    assert.match(
      (
        await areaOfFiles('numa', host(2), {
          failed: { '/proc/7/numa_maps': 'not readable by this user' },
        })
      ).unknown['numa.isInterleaved'],
      /not readable by this user/,
    );
    assert.match(
      (await areaOfFiles('numa', [{}])).unknown['numa.nodes'],
      /\/sys\/devices\/system\/node is not in the file/,
    );
  });
});
