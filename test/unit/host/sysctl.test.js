'use strict';

const assert = require('node:assert/strict');
const { areaOfHost, areaOfFiles } = require('../../support/host-areas');

describe('host/areas/sysctl', () => {
  it('reads what the production notes name', async () => {
    assert.deepEqual((await areaOfHost('sysctl', 'centos7-kernel310')).values, {
      'sysctl.maxMapCount': 65530,
      'sysctl.fileMax': 1600000,
      'sysctl.pidMax': 32768,
      'sysctl.threadsMax': 127000,
      'sysctl.somaxconn': 128,
      'sysctl.tcpKeepaliveSeconds': 7200,
      'memory.swappiness': 100,
      'memory.overcommit': 2,
      'numa.zoneReclaim': 1,
    });
  });

  it('what is missing or garbage is unknown', async () => {
    const { values, unknown } = await areaOfFiles('sysctl', [
      { '/proc/sys/vm/swappiness': 'low\n' },
    ]);
    assert.deepEqual(values, {});
    assert.match(
      unknown['memory.swappiness'],
      /\/proc\/sys\/vm\/swappiness contains no number: "low"/,
    );
    assert.match(
      unknown['sysctl.tcpKeepaliveSeconds'],
      /\/proc\/sys\/net\/ipv4\/tcp_keepalive_time is not in the file/,
    );
  });
});
