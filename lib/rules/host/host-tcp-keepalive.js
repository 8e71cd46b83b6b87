'use strict';

const { duration, MS_PER_SECOND } = require('../../base/pure/units');
const { defineHostRule } = require('../rule');
const { setSysctl } = require('../fixes');

// MongoDB manual, diagnostics FAQ: 120 s advised; mongod itself uses no more than 300 s on its own
// sockets.
const RECOMMENDED_SECONDS = 120;
const MAX_SECONDS = 300;

module.exports = defineHostRule({
  id: 'host-tcp-keepalive',
  title: 'Silent connections probed too late',
  why:
    'Firewalls and load balancers forget connections that say nothing for some minutes. ' +
    'Clients then wait for an answer that never comes. mongod shortens the time for its own ' +
    'sockets; tools, drivers and mongos of older releases on this host do not.',
  needs: ['sysctl.tcpKeepaliveSeconds'],
  evidence: ['sysctl.tcpKeepaliveSeconds'],
  threshold: `Information above ${MAX_SECONDS} s.`,
  source:
    'MongoDB manual, FAQ: MongoDB diagnostics (does TCP keepalive time affect deployments?); ' +
    'production notes',
  advice: `Set net.ipv4.tcp_keepalive_time to ${RECOMMENDED_SECONDS}.`,
  whenNot:
    'Where nothing stands between clients and servers that forgets connections. It changes ' +
    'latency and socket errors, never throughput.',
  check({ 'sysctl.tcpKeepaliveSeconds': seconds }) {
    const values = { seconds };
    if (seconds <= MAX_SECONDS) return { status: 'ok', code: 'fine', values };
    const fixes = [setSysctl('net.ipv4.tcp_keepalive_time', RECOMMENDED_SECONDS, seconds)];
    return { status: 'info', code: 'late', values, fixes };
  },
  messages: {
    fine: ({ seconds }) =>
      `A silent connection is tried after ${duration(seconds * MS_PER_SECOND)}.`,
    late: ({ seconds }) =>
      `A silent connection is tried after ${duration(seconds * MS_PER_SECOND)}; firewalls forget ` +
      `it sooner. mongod itself waits no more than ${MAX_SECONDS} s on its own connections.`,
  },
  adviceFor: { late: () => `Set net.ipv4.tcp_keepalive_time to ${RECOMMENDED_SECONDS}.` },
});
