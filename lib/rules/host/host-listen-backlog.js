'use strict';

const { count } = require('../../base/pure/units');
const { defineHostRule } = require('../rule');
const { setSysctl } = require('../fixes');
const { sources, option, kernel, man } = require('../sources');

// The kernel's default before 5.4, and since (tcp: net.core.somaxconn in
// admin-guide/sysctl/net.rst).
const OLD_DEFAULT = 128;
const DEFAULT = 4096;

module.exports = defineHostRule({
  id: 'host-listen-backlog',
  title: 'Listen backlog too small',
  why:
    'When many clients connect at once, after a failover or an application restart, ' +
    'connections queue until mongod accepts them. Beyond this number the kernel drops them, ' +
    'and clients retry a second later.',
  needs: ['sysctl.somaxconn'],
  evidence: ['sysctl.somaxconn'],
  threshold: `Information: up to ${OLD_DEFAULT}, the default before Linux 5.4.`,
  source: sources(
    man('listen', 2),
    kernel('somaxconn', 'admin-guide/sysctl/net'),
    option('net.listenBacklog'),
  ),
  advice: `Set net.core.somaxconn to ${count(DEFAULT)}.`,
  whenNot:
    'Not if clients keep their connections and never connect all at once. mongod uses the new ' +
    'value after a restart.',
  check({ 'sysctl.somaxconn': max }) {
    const values = { max };
    if (max > OLD_DEFAULT) return { status: 'ok', code: 'fine', values };
    const fixes = [setSysctl('net.core.somaxconn', DEFAULT, max)];
    return { status: 'info', code: 'low', values, fixes };
  },
  messages: { fine: (values) => waiting(values), low: (values) => waiting(values) },
  adviceFor: {
    low: () => `Set net.core.somaxconn to ${count(DEFAULT)}, the default since Linux 5.4.`,
  },
});

/** @param {{ max: number }} values connections */
const waiting = ({ max }) =>
  `Up to ${count(max)} connections can queue to be accepted (net.core.somaxconn).`;
