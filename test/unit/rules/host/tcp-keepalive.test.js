'use strict';

const { testHostRule } = require('../../../support/host-rule-tester');

testHostRule(__filename, [
  ['as advised', { 'sysctl.tcpKeepaliveSeconds': 120 }, 'ok', /after 2 min 0 s\.$/],
  ['still fine', { 'sysctl.tcpKeepaliveSeconds': 300 }, 'ok', /5 min 0 s/],
  [
    'longer',
    { 'sysctl.tcpKeepaliveSeconds': 301 },
    'info',
    /5 min 1 s; firewalls/,
    ['net.ipv4.tcp_keepalive_time=120 back net.ipv4.tcp_keepalive_time=301'],
  ],
  [
    'the default',
    { 'sysctl.tcpKeepaliveSeconds': 7200 },
    'info',
    /2 h 0 min/,
    ['net.ipv4.tcp_keepalive_time=120 back net.ipv4.tcp_keepalive_time=7200'],
  ],
]);
