'use strict';

const { toNumber } = require('../../base/pure/numbers');

/**
 * Operations of clients since the start (opLatencies). Writes of $merge and $out are not counted,
 * nor replicated ones (seen on 6.0.5).
 * @typedef {{ ops: number | null, latencyUs: number | null }} Done null: the server does not report
 * @typedef {{ server: string, uptimeMs: number | null, reads: Done, writes: Done }}
 *   ClientOperations `server`: which one, and since which start
 */

/**
 * Operations a second of sessions, the balancer, monitoring and tune itself
 * (docs/evidence/bench.md): below it no application uses the server (heuristic).
 */
const UNUSED_PER_SEC = 20;

/** @param {any} status of serverStatus @returns {ClientOperations} */
const clientOperationsIn = ({ host, pid, uptimeMillis, opLatencies }) => ({
  server: `${host} ${pid}`,
  uptimeMs: toNumber(uptimeMillis) ?? null,
  reads: doneIn(opLatencies?.reads),
  writes: doneIn(opLatencies?.writes),
});

/** @param {any} side @returns {Done} */
const doneIn = (side) => ({
  ops: toNumber(side?.ops) ?? null,
  latencyUs: toNumber(side?.latency) ?? null,
});

/**
 * @param {ClientOperations} done
 * @returns {number | null} reads and writes together; null where one of them is not reported
 */
const allOf = ({ reads, writes }) =>
  reads.ops === null || writes.ops === null ? null : reads.ops + writes.ops;

module.exports = { clientOperationsIn, allOf, UNUSED_PER_SEC };
