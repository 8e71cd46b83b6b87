'use strict';

const assert = require('node:assert/strict');
const { areaOfHost, areaOfFiles } = require('../../support/host-areas');

const near = (actual, expected) =>
  assert.ok(Math.abs(actual - expected) < 0.001, `${actual} is not ${expected}`);
const tcp = (...rows) =>
  '  sl  local_address rem_address   ' +
  `st\n${rows.map(([local, state = '01'], i) => `   ${i}: ${local} 0300000A:A001 ${state} 00000000:00000000 00:00000000 00000000   998        0 5 1\n`).join('')}`;
const route = (...rows) =>
  `Iface\tDestination\tGateway\n${rows.map(([name, network, mask]) => `${name}\t${network}\t00000000\t0001\t0\t0\t0\t${mask}\t0\t0\t0\n`).join('')}`;
const host = (files) => [
  {
    '/proc/cpuinfo': 'model name\t: x\n',
    '/proc/7/net/tcp': tcp(),
    '/proc/7/net/route': route(
      ['eth0', '00000000', '00000000'],
      ['eth1', '0000000A', '000000FF'],
      ['eth2', '0001000A', '00FFFFFF'],
    ),
    ...files,
  },
];
const interfaceOf = async (files, more) => await areaOfFiles('network', host(files), more);

describe('host/areas/network', () => {
  it('IBM Z: addresses are big-endian, 5 queues, softirqs on 8 of 24 processors', async () => {
    const { values, unknown } = await areaOfHost('network', 'rhel10-s390x');
    assert.deepEqual(
      [
        values['network.interface'],
        values['network.isPhysical'],
        values['network.driver'],
        values['network.speedMbitPerSec'],
      ],
      ['enc1000', true, 'qeth', 25000],
    );
    assert.deepEqual(
      values['network.queues'].map(
        ({ name, rpsFlowCnt, rpsCpus }) => `${name} ${rpsFlowCnt} ${rpsCpus}`,
      ),
      [0, 1, 2, 3, 4].map((i) => `rx-${i} 0 000000`),
    );
    assert.deepEqual(
      [
        values['network.rpsSockFlowEntries'],
        values['network.packetsPerSec'],
        values['network.interrupts'],
      ],
      [0, 96000, []],
    );
    assert.deepEqual(
      values['network.receivedOfEach'],
      Array.from({ length: 24 }, (_, i) => (i < 8 ? 12000 : 40)),
    );
    near(values['network.softirqOfEach'][7], 0.16);
    near(values['network.softirqOfEach'][8], 0);
    assert.deepEqual(unknown, {});
  });

  it('the interrupts of each queue, and where they go', async () => {
    const { values } = await areaOfHost('network', 'debian-xfs');
    assert.equal(values['network.interface'], 'eno1');
    assert.equal(
      values['network.interrupts'].length,
      9,
      'the one of the card itself, and 8 queues',
    );
    assert.deepEqual(values['network.interrupts'][1], {
      irq: 131,
      name: 'eno1-TxRx-0',
      cpus: '0-7',
      effectiveCpus: '0',
      perSec: 1500,
    });
    assert.equal(values['network.interrupts'][0].perSec, 0);
  });

  it('addresses of IPv4 in the form of IPv6', async () => {
    const { values } = await areaOfHost('network', 'ubuntu-zfs');
    assert.deepEqual(
      [values['network.interface'], values['network.driver'], values['network.packetsPerSec']],
      ['enp5s0', 'igc', 800],
    );
    assert.deepEqual(
      values['network.interrupts'].map(({ cpus }) => cpus),
      ['0', '1', '2', '3'],
    );
  });

  it('a container: a virtual interface', async () => {
    const { values, unknown } = await areaOfHost('network', 'container-cgroup2');
    assert.deepEqual(
      [values['network.interface'], values['network.isPhysical'], values['network.packetsPerSec']],
      ['eth0', false, 30000],
    );
    assert.match(unknown['network.driver'], /device\/driver is not there/);
    assert.match(unknown['network.rpsSockFlowEntries'], /is not there/);
  });

  it('Linux 3.10: where the kernel delivers an interrupt is not reported', async () => {
    const { values } = await areaOfHost('network', 'centos7-kernel310');
    assert.deepEqual(values['network.interrupts'], [
      { irq: 44, name: 'em1', cpus: '0-3', effectiveCpus: null, perSec: 9000 },
    ]);
  });

  it('the interface that was asked for', async () => {
    assert.equal(
      (await areaOfHost('network', 'debian-xfs', { interface: 'eno2' })).values[
        'network.interface'
      ],
      'eno2',
    );
    const { unknown } = await areaOfHost('network', 'debian-xfs', { interface: 'eno9' });
    assert.equal(unknown['network.interface'], 'interface eno9 does not exist here');
    assert.equal(unknown['network.queues'], 'interface eno9 does not exist here');
    assert.equal(
      (await areaOfHost('network', 'debian-xfs', { interface: 'eno2' })).unknown[
        'network.speedMbitPerSec'
      ],
      'not reported',
    );
  });

  for (const [say, files, expected] of [
    ['the narrowest network wins', { '/proc/7/net/tcp': tcp(['0501000A:6989']) }, 'eth2'],
    ['the wider one holds the rest', { '/proc/7/net/tcp': tcp(['0502000A:6989']) }, 'eth1'],
    [
      'an address of no network goes by the default route',
      { '/proc/7/net/tcp': tcp(['0502A8C0:6989']) },
      'eth0',
    ],
    [
      'the one with most connections',
      { '/proc/7/net/tcp': tcp(['0501000A:6989'], ['0502000A:6989'], ['0502000A:6989']) },
      'eth1',
    ],
    [
      'clients from elsewhere count more than those of this machine',
      { '/proc/7/net/tcp': tcp(['0100007F:6989'], ['0100007F:6989'], ['0502000A:6989']) },
      'eth1',
    ],
    ['clients of this machine only', { '/proc/7/net/tcp': tcp(['0100007F:6989']) }, 'lo'],
    [
      'an address that ends in 127 is no loopback',
      { '/proc/7/net/tcp': tcp(['7F02000A:6989']) },
      'eth1',
    ],
    [
      'clients of this machine by IPv6',
      { '/proc/7/net/tcp6': tcp(['00000000000000000000000001000000:6989']) },
      'lo',
    ],
    [
      'other ports and states do not count',
      {
        '/proc/7/net/tcp': tcp(
          ['0501000A:6989', '0A'],
          ['0501000A:6989', '06'],
          ['0501000A:0016'],
          ['0502000A:6989'],
        ),
      },
      'eth1',
    ],
    [
      'IPv6 by its address',
      {
        '/proc/7/net/tcp6': tcp(['B80D0120000000000000000005000000:6989']),
        '/proc/7/net/if_inet6':
          '00000000000000000000000000000001 01 80 10 80       ' +
          'lo\n20010db8000000000000000000000005 04 40 00 82     eth6\n',
      },
      'eth6',
    ],
  ]) {
    it(say, async () =>
      assert.equal((await interfaceOf(files)).values['network.interface'], expected),
    );
  }

  for (const [say, files, more, why] of [
    ['no clients are connected', {}, {}, /^no clients are connected$/],
    [
      'no interface has the address',
      { '/proc/7/net/tcp': tcp(['0502000A:6989']), '/proc/7/net/route': '' },
      {},
      /no interface has the address/,
    ],
    [
      'a container beside us',
      { '/proc/7/net/tcp': tcp(['0502000A:6989']) },
      { links: { '/proc/7/ns/net': 'net:[1]', '/proc/self/ns/net': 'net:[2]' } },
      /its own network namespace \(container\); name the interface/,
    ],
    ['no port', {}, { subject: { port: null } }, /the port of mongod is not known/],
    ['no process', {}, { subject: { pid: null } }, /the mongod process is not visible here/],
  ]) {
    it(`is not known: ${say}`, async () =>
      assert.match((await interfaceOf(files, more)).unknown['network.interface'], why));
  }

  it('garbage is unknown', async () => {
    const stat = { '/proc/stat': 'cpu 1 0 0 1 0 0 0 0\ncpu0 1 0 0 1 0 0 0 0\n' };
    const { unknown } = await areaOfFiles(
      'network',
      [
        {
          ...stat,
          '/proc/softirqs': 'CPU0\n HI: 1\n',
          '/proc/interrupts': 'garbage',
          '/proc/net/dev': 'garbage',
          '/sys/class/net/e/speed': 'fast',
        },
        {},
      ],
      { subject: { interface: 'e' } },
    );
    assert.match(unknown['network.receivedOfEach'], /counts no NET_RX/);
    assert.match(unknown['network.interrupts'], /\/proc\/interrupts has an unexpected format/);
    assert.match(unknown['network.packetsPerSec'], /does not count e/);
    assert.match(unknown['network.speedMbitPerSec'], /contains no number/);
    assert.match(unknown['network.queues'], /queues is not in the file/);
  });

  it('names of drivers that do not know the interface, and interrupts for sending', async () => {
    const rows = ['config', 'input.0', 'output.0', 'control']
      .map((name, i) => ` ${30 + i}: 5 PCI-MSIX-0000:00:03.0 ${i}-edge virtio2-${name}\n`)
      .join('');
    const files = {
      '/proc/interrupts': `  CPU0\n${rows} 40: 5 PCI-MSIX 1-edge virtio20-input.0\n`,
      '/proc/irq/31/smp_affinity_list': '0\n',
      '/sys/class/net/eth0/queues/rx-0/rps_cpus': '0\n',
    };
    const { values } = await areaOfFiles('network', [files], {
      subject: { interface: 'eth0' },
      links: { '/sys/class/net/eth0/device': '../../../virtio2' },
    });
    assert.deepEqual(values['network.interrupts'], [
      { irq: 31, name: 'virtio2-input.0', cpus: '0', effectiveCpus: null, perSec: null },
    ]);
    assert.deepEqual(values['network.queues'], [{ name: 'rx-0', rpsFlowCnt: null, rpsCpus: '0' }]);
  });
});
