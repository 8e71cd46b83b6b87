'use strict';

const { count, many } = require('../../base/pure/units');
const { defineRule } = require('../rule');
const { MIN_QUEUED } = require('../../signals/clients');
const { sources, serverStatus, parameter } = require('../sources');

module.exports = defineRule({
  id: 'load-shedding',
  area: 'concurrency',
  title: 'The server turns work away',
  why:
    'Newer servers can limit new connections and operations before they begin, throttle writes, and ' +
    'end operations under overload. What is turned away is in no queue for tickets: such a server ' +
    'looks idle.',
  needs: ['ingress.rejectedPerSec'],
  wants: ['ingress.queued'],
  evidence: ['ingress.rejectedPerSec', 'ingress.queued'],
  threshold:
    `Warning: anything rejected or shed, or ${MIN_QUEUED} operation waiting for admission on average. ` +
    'Servers before 8.0.20 and 8.2 do not report it.',
  source: sources(
    serverStatus('queues.ingress, queues.ingressSessionEstablishment'),
    parameter('ingressConnectionEstablishmentRateLimiterEnabled'),
  ),
  advice:
    'Check which limit was set: db.adminCommand({ getParameter: "*" }), names with ingress, ' +
    'rateLimiter or writeThrottler. Then what overloads the server, by the other findings.',
  whenNot: 'A limit that was set deliberately may turn work away: that protects the rest.',
  check({ 'ingress.rejectedPerSec': rejectedPerSec, 'ingress.queued': queued = 0 }) {
    const values = { rejectedPerSec, queued };
    if (rejectedPerSec > 0) return { status: 'warning', code: 'rejected', values };
    return queued >= MIN_QUEUED
      ? { status: 'warning', code: 'held-up', values }
      : { status: 'ok', code: 'fine', values };
  },
  messages: {
    fine: () => '0 connections and operations were turned away.',
    rejected: ({ rejectedPerSec }) =>
      `${count(rejectedPerSec)} connections and operations/s were turned away.`,
    'held-up': ({ queued }) => `${many(queued, 'operation')} waited for admission on average.`,
  },
});
