'use strict';

const { count, percent, many, shortPercent } = require('../../base/pure/units');
const { defineRule } = require('../rule');
const { sources, ticket, serverStatus } = require('../sources');

// maxConcurrentMultiDocumentTransactions: its default, and the releases that have it.
const MAX = 10_000;
const SINCE = Object.freeze({ line80: 80_030, line83: 80_307, next: 90_000 });
const NEAR_RATIO = 0.8;
const AT_LIMIT_RATIO = 0.95;

module.exports = defineRule({
  id: 'open-transactions',
  area: 'concurrency',
  title: 'Open transactions near their limit',
  why:
    'From 8.0.30, 8.3.7 and 9.0 on mongod refuses a transaction beyond ' +
    'maxConcurrentMultiDocumentTransactions (default 10,000) with TooManyOpenTransactions. Clients ' +
    'reach it before the limit of sessions.',
  needs: ['transaction.open', 'server.versionNumber'],
  evidence: ['transaction.open'],
  thresholds: { nearRatio: NEAR_RATIO, atLimitRatio: AT_LIMIT_RATIO },
  threshold:
    `Warning: from ${shortPercent(NEAR_RATIO)} of ${count(MAX)}. Critical: from ${shortPercent(AT_LIMIT_RATIO)}. ` +
    'Not judged on releases without the limit.',
  source: sources(
    ticket('SERVER-108215', 'a limit of open transactions'),
    serverStatus('transactions.currentOpen'),
    'the shares are heuristics',
  ),
  advice:
    'Find transactions that stay open: db.currentOp({ "transaction.timeOpenMicros": { $gt: 1e7 } }). ' +
    'Mostly an application waits inside of one.',
  whenNot: 'Another value of maxConcurrentMultiDocumentTransactions is not seen here.',
  check(
    { 'transaction.open': open, 'server.versionNumber': version },
    { nearRatio, atLimitRatio },
  ) {
    const values = { open, ratio: open / MAX };
    if (!hasLimit(version)) return { status: 'ok', code: 'no-limit', values };
    if (values.ratio >= atLimitRatio) return { status: 'critical', code: 'at-limit', values };
    return values.ratio >= nearRatio
      ? { status: 'warning', code: 'near-limit', values }
      : { status: 'ok', code: 'fine', values };
  },
  messages: {
    'no-limit': ({ open }) => `${many(open, 'transaction')} open; this release has no such limit.`,
    fine: (values) => number(values),
    'near-limit': (values) => number(values),
    'at-limit': (values) => number(values),
  },
});

/** @param {number} version see versionNumber */
const hasLimit = (version) =>
  version >= SINCE.next ||
  (version >= SINCE.line83 && version < SINCE.next) ||
  (version >= SINCE.line80 && version < 80_100);

/** @param {{ open: number, ratio: number }} values */
const number = ({ open, ratio }) =>
  `${many(open, 'transaction')} open (${percent(ratio)} of ${count(MAX)}).`;
