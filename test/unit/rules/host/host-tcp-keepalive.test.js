'use strict';

const { testHostRule } = require('../../../support/rule-tester');

testHostRule(__filename, [
  ['as advised', { 'sysctl.tcpKeepaliveSeconds': 120 }, 'ok', 'fine', { seconds: 120 }],
  ['still fine', { 'sysctl.tcpKeepaliveSeconds': 300 }, 'ok', 'fine', { seconds: 300 }],
  [
    'longer',
    { 'sysctl.tcpKeepaliveSeconds': 301 },
    'info',
    'late',
    { seconds: 301 },
    ['net.ipv4.tcp_keepalive_time=120 back net.ipv4.tcp_keepalive_time=301'],
  ],
  [
    'the default',
    { 'sysctl.tcpKeepaliveSeconds': 7200 },
    'info',
    'late',
    { seconds: 7200 },
    ['net.ipv4.tcp_keepalive_time=120 back net.ipv4.tcp_keepalive_time=7200'],
  ],
]);
