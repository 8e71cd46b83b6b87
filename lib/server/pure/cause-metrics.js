'use strict';

const { MS_PER_SECOND } = require('../../base/pure/units');
const { perSec, ratio } = require('./metric-kit');
const { delta, first, last, rate, share } = require('./window');

/** @import { Read } from './metric-kit' */

/** Readings that show the cause of a load; a part of metrics.js. */
const CAUSE_METRICS = Object.freeze(
  /** @satisfies {Record<string, Read>} */ ({
    'query.examinedPerSec': perSec('query.examined'),
    'query.scansPerSec': perSec('query.collectionScans'),
    'query.sortSpills': (w) => delta(w, 'query.sortSpills'),
    'documents.returnedPerSec': perSec('documents.returned'),
    'documents.writtenPerSec': perSec(
      'documents.inserted',
      'documents.updated',
      'documents.deleted',
    ),
    'ttl.deletedPerSec': perSec('ttl.deleted'),
    // A pass that began within the window began at 0.
    'ttl.passYieldsPerSec': (w) =>
      first(w, 'ttl.passOpid') === last(w, 'ttl.passOpid')
        ? rate(w, 'ttl.passYields')
        : ratio(last(w, 'ttl.passYields'), w.seconds),
    'rangeDeleter.deletedPerSec': perSec('rangeDeleter.deleted'),
    'transaction.tooLarge': (w) => delta(w, 'transaction.tooLarge'),
    'indexBuilds.activeShare': (w) => share(w, 'indexBuilds.active', (n) => n > 0),
    'indexBuilds.started': (w) => delta(w, 'indexBuilds.started'),
    'connections.createdPerSec': perSec('connections.created'),
    'connections.createdRatio': (w) =>
      ratio(rate(w, 'connections.created'), last(w, 'connections.current')),
    'window.uptimeSeconds': (w) => ratio(w.samples[w.samples.length - 1].uptimeMs, MS_PER_SECOND),
    'conflicts.perSec': perSec('conflicts.writes'),
    'majority.meanMs': (w) => ratio(delta(w, 'majority.waitMs'), delta(w, 'majority.waits')),
    'clients.majorityThreads': (w) => ratio(rate(w, 'majority.waitMs'), MS_PER_SECOND),
  }),
);

module.exports = { CAUSE_METRICS };
