'use strict';

const { NO_FACTS, DEFAULT_JOURNAL_COMMIT_MS } = require('../../server/pure/facts');
const { recordedConfig } = require('../../config/recorded-config');
const { toNumber } = require('../../base/pure/numbers');
const { hardwareOf } = require('../../server/facts');
const { fromOptions } = require('../../server/engine-history');

/**
 * @import { Startup } from '../../config/config-layers'
 * @import { Facts } from '../../server/pure/facts'
 * @import { Sample } from '../../server/pure/sample'
 * @import { Server } from './recording'
 * @import { Identity, Metadata } from './server'
 */

/** replSetGetStatus.myState. */
const ROLES = Object.freeze(
  /** @type {Record<number, Facts['role']>} */ ({ 1: 'primary', 2: 'secondary', 7: 'arbiter' }),
);

/**
 * @param {Server} server @param {Sample} sample of the same time
 * @returns {Facts}
 */
function factsOf({ identity, metadata, state }, sample) {
  const { getCmdLineOpts, hostInfo } = metadata.docs;
  const options = getCmdLineOpts?.parsed ?? null;
  const hardware = hardwareOf(hostInfo ?? {});
  return {
    ...NO_FACTS,
    ...hardware,
    ...namesOf(identity, metadata.docs),
    role: roleOf(identity, state),
    startedAtMs: sample.uptimeMs === null ? null : sample.atMs - sample.uptimeMs,
    dbPath: options?.storage?.dbPath ?? null,
    journalCommitMs: journalCommitMs(metadata, options),
    config: recordedConfig({
      startup: startupOf(options),
      engineStrings: metadata.engineStrings,
      memoryBytes: hardware.memLimitBytes ?? hardware.memoryBytes,
      live: sample.counters,
    }),
  };
}

/** @param {Identity} identity @param {Record<string, any>} docs */
const namesOf = ({ host, version, engine }, { buildInfo, hostInfo }) => ({
  host: host ?? hostInfo?.system?.hostname ?? null,
  version: version ?? buildInfo?.version ?? null,
  engine,
});

/**
 * @param {Identity} identity
 * @param {number | null} state
 * @returns {Facts['role']}
 */
function roleOf({ process }, state) {
  if (process !== null && /mongos(\.exe)?$/.test(process)) return 'mongos';
  if (state === null) return process === null ? null : 'standalone';
  return ROLES[state] ?? 'other';
}

/**
 * What was recorded last is in force; before 8.0 only what mongod was started with is told. It
 * takes a journalCommitInterval among the parameters at its start, too, and goes by its default all
 * the same (seen on 6.0.5).
 * @param {Metadata} metadata
 * @param {any} options as mongod was started
 * @returns {number | null}
 */
function journalCommitMs({ parameters }, options) {
  return (
    toNumber(parameters?.journalCommitInterval ?? options?.storage?.journal?.commitIntervalMs) ??
    (options === null ? null : DEFAULT_JOURNAL_COMMIT_MS)
  );
}

/**
 * @param {any} options as mongod was started
 * @returns {Startup | null}
 */
function startupOf(options) {
  const { engineConfig, syncPeriodSecs } = fromOptions(options);
  return engineConfig && { opened: null, ...engineConfig, syncPeriodSecs };
}

module.exports = { factsOf };
