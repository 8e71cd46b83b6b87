'use strict';

const { duration, MS_PER_SECOND } = require('../../base/pure/units');
const { defineHostRule } = require('../rule');
const { setSysctl } = require('../fixes');
const { sources, manual, productionNotes } = require('../sources');

// MongoDB manual, diagnostics FAQ: 120 s advised; mongod itself uses no more than 300 s on its own
// sockets.
const RECOMMENDED_SECONDS = 120;
const MAX_SECONDS = 300;

module.exports = defineHostRule({
  id: 'host-tcp-keepalive',
  title: 'Idle connections probed too late',
  why:
    'Firewalls and load balancers drop idle connections after some minutes; clients then wait ' +
    'for an answer that never comes. mongod uses a shorter time for its own sockets; tools, ' +
    'drivers and older mongos on this host do not.',
  needs: ['sysctl.tcpKeepaliveSeconds'],
  evidence: ['sysctl.tcpKeepaliveSeconds'],
  threshold: `Information: above ${MAX_SECONDS} s.`,
  source: sources(
    manual('FAQ: MongoDB Diagnostics, TCP keepalive', 'manual/faq/diagnostics/'),
    productionNotes('TCP keepalive'),
  ),
  advice: `Set net.ipv4.tcp_keepalive_time to ${RECOMMENDED_SECONDS}.`,
  whenNot:
    'Not if nothing between clients and servers drops idle connections. It changes latency and ' +
    'socket errors, never throughput.',
  check({ 'sysctl.tcpKeepaliveSeconds': seconds }) {
    const values = { seconds };
    if (seconds <= MAX_SECONDS) return { status: 'ok', code: 'fine', values };
    const fixes = [setSysctl('net.ipv4.tcp_keepalive_time', RECOMMENDED_SECONDS, seconds)];
    return { status: 'info', code: 'late', values, fixes };
  },
  messages: {
    fine: ({ seconds }) =>
      `Idle connections are probed after ${duration(seconds * MS_PER_SECOND)}.`,
    late: ({ seconds }) =>
      `Idle connections of other programs are probed after ${duration(seconds * MS_PER_SECOND)}, ` +
      `those of mongod after ${MAX_SECONDS} s at most; firewalls drop them sooner.`,
  },
  adviceFor: { late: () => `Set net.ipv4.tcp_keepalive_time to ${RECOMMENDED_SECONDS}.` },
});
