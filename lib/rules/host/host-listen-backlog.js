'use strict';

const { count } = require('../../base/pure/units');
const { defineHostRule } = require('../rule');
const { setSysctl } = require('../fixes');

// The kernel's default before 5.4, and since (tcp: net.core.somaxconn in
// admin-guide/sysctl/net.rst).
const OLD_DEFAULT = 128;
const DEFAULT = 4096;

module.exports = defineHostRule({
  id: 'host-listen-backlog',
  title: 'Too few connections may wait to be accepted',
  why:
    'When many clients connect at once, after a failover or a restart of the application, ' +
    'connections wait until mongod accepts them. Beyond this number the kernel drops them, and ' +
    'clients try again a second later.',
  needs: ['sysctl.somaxconn'],
  evidence: ['sysctl.somaxconn'],
  threshold: `Information up to ${OLD_DEFAULT}, the default of kernels before 5.4.`,
  source:
    'listen(2); kernel documentation, admin-guide/sysctl/net.rst (somaxconn); MongoDB ' +
    'manual, net.listenBacklog',
  advice: `Set net.core.somaxconn to ${count(DEFAULT)}.`,
  whenNot:
    'Where clients keep their connections and never come all at once. mongod takes the new ' +
    'value at its next start.',
  check({ 'sysctl.somaxconn': max }) {
    const values = { max };
    if (max > OLD_DEFAULT) return { status: 'ok', code: 'fine', values };
    const fixes = [setSysctl('net.core.somaxconn', DEFAULT, max)];
    return { status: 'info', code: 'low', values, fixes };
  },
  messages: { fine: (values) => waiting(values), low: (values) => waiting(values) },
  adviceFor: { low: () => `Set net.core.somaxconn to ${count(DEFAULT)}, as kernels do since 5.4.` },
});

/** @param {{ max: number }} values connections */
const waiting = ({ max }) => `${count(max)} clients may wait to be let in (net.core.somaxconn).`;
