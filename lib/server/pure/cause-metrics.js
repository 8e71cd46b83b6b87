'use strict';

const { MS_PER_SECOND } = require('../../base/pure/units');
const { perSec, ratio } = require('./metric-kit');
const { delta, last, rate, share } = require('./window');

/**
 * @import { Read } from './metric-kit'
 * @import { Window } from './window'
 */

/** Metrics that show the cause of a load; a part of metrics.js. */
const CAUSE_METRICS = Object.freeze(
  /** @satisfies {Record<string, Read>} */ ({
    'query.examinedPerSec': perSec('query.examined'),
    'query.scansPerSec': perSec('query.collectionScans'),
    'query.sortedPerSec': perSec('query.sortedBatches'),
    'query.sortSpills': (w) => delta(w, 'query.sortSpills'),
    'documents.returnedPerSec': perSec('documents.returned'),
    'documents.writtenPerSec': perSec(
      'documents.inserted',
      'documents.updated',
      'documents.deleted',
    ),
    'ttl.deletedPerSec': perSec('ttl.deleted'),
    'ttl.passYieldsPerSec': (w) => ratio(yieldsOfPass(w), w.seconds),
    'rangeDeleter.deletedPerSec': perSec('rangeDeleter.deleted'),
    'migrations.sentPerSec': perSec('migrations.sent'),
    'migrations.receivedPerSec': perSec('migrations.received'),
    // 1: they do; 0: they could.
    'tickets.prioritizing': (w) => last(w, 'tickets.gate'),
    'mirrored.sentPerSec': perSec('mirrored.sent'),
    'mirrored.processedPerSec': perSec('mirrored.processed'),
    'transaction.tooLarge': (w) => delta(w, 'transaction.tooLarge'),
    'indexBuilds.activeShare': (w) => share(w, 'indexBuilds.active', (n) => n > 0),
    'indexBuilds.started': (w) => delta(w, 'indexBuilds.started'),
    'indexBuilds.runningShare': (w) => share(w, 'indexBuilds.running', (n) => n > 0),
    'connections.open': (w) => last(w, 'connections.current'),
    'connections.createdPerSec': perSec('connections.created'),
    'connections.createdRatio': (w) =>
      ratio(rate(w, 'connections.created'), last(w, 'connections.current')),
    'window.uptimeSeconds': (w) => ratio(w.samples[w.samples.length - 1].uptimeMs, MS_PER_SECOND),
    'conflicts.perSec': perSec('conflicts.writes'),
    'majority.meanMs': (w) => ratio(delta(w, 'majority.waitMs'), delta(w, 'majority.waits')),
    'clients.majorityThreads': (w) => ratio(rate(w, 'majority.waitMs'), MS_PER_SECOND),
  }),
);

/**
 * Times that the TTL pass at the end of the window yielded in it. One that began within the window
 * began at 0.
 * @param {Window} w
 */
function yieldsOfPass({ samples }) {
  const [before, after] = [samples[0].counters, samples[samples.length - 1].counters];
  const yields = after['ttl.passYields'];
  if (samples.length < 2 || yields === undefined) return undefined;
  const isSame = before['ttl.passOpid'] === after['ttl.passOpid'];
  return isSame ? yields - (before['ttl.passYields'] ?? 0) : yields;
}

module.exports = { CAUSE_METRICS };
