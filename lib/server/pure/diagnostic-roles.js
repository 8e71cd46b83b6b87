'use strict';

/**
 * Since 8.0 a sharded server groups what it collects by its roles; what several of them tell counts
 * from the first of these.
 */
const ROLES = Object.freeze(['shard', 'common', 'config', 'router']);

/**
 * @param {any} diagnostics the answer to getDiagnosticData
 * @returns {any} what it tells of the machine; undefined where that is nothing
 */
function systemMetricsOf(diagnostics) {
  const data = diagnostics?.data;
  return [data, ...ROLES.map((role) => data?.[role])].find((part) => part?.systemMetrics)
    ?.systemMetrics;
}

module.exports = { ROLES, systemMetricsOf };
