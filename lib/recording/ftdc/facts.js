'use strict';

const { NO_FACTS, DEFAULT_JOURNAL_COMMIT_MS } = require('../../server/pure/facts');
const { recordedConfig } = require('../../config/effective-config');
const { toNumber } = require('../../base/pure/numbers');
const { hardwareOf } = require('../../server/facts');
const { fromOptions } = require('../../server/engine-history');
const { ROLES } = require('../../server/pure/system-counters');
const { TYPE, walk } = require('./bson');

/**
 * @import { Config } from '../../config/types'
 * @import { Startup } from '../../config/config-layers'
 * @import { Sample } from '../../server/pure/sample'
 * @import { Server } from './recording'
 * @import { MetadataEntry } from './entries'
 * @import { Facts } from '../../server/pure/types'
 */

/** replSetGetStatus.myState. */
const ROLE_OF_STATE = Object.freeze(
  /** @type {Record<number, Facts['role']>} */ ({ 1: 'primary', 2: 'secondary', 7: 'arbiter' }),
);

/**
 * Facts of a recorded server at the time of a sample.
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
    ticketsAtStart: fromOptions(options).ticketsAtStart,
    config: withSyncdelay(
      metadata,
      options,
      recordedConfig({
        startup: startupOf(options),
        engineStrings: metadata.engineStrings,
        memoryBytes: hardware.memLimitBytes ?? hardware.memoryBytes,
        live: sample.counters,
      }),
    ),
  };
}

/**
 * Adds syncdelay, which is among the parameters since 8.0, and active as soon as it is set.
 * @param {Metadata} metadata
 * @param {any} options the start-up options of mongod
 * @param {Config} config
 * @returns {Config}
 */
function withSyncdelay({ parameters }, options, config) {
  const value = toNumber(parameters?.syncdelay);
  if (value === undefined || value === config.syncdelaySeconds.value) return config;
  const isOfStart = toNumber(Number(options?.setParameter?.syncdelay)) === value;
  return {
    ...config,
    syncdelaySeconds: {
      ...config.syncdelaySeconds,
      value,
      from: isOfStart ? 'startup' : 'runtime',
      sinceRestart: !isOfStart,
    },
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
  return ROLE_OF_STATE[state] ?? 'other';
}

/**
 * Finds the journal's commit interval. The last recorded value is active; before 8.0 only start-up
 * options are recorded. mongod also takes a journalCommitInterval among the parameters at its
 * start, but still uses its default (seen on 6.0.5).
 * @param {Metadata} metadata
 * @param {any} options the start-up options of mongod
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

/**
 * Reads what a recording has of the server besides numbers: strings of the reference documents, and
 * the metadata at the head of a file.
 *
 * @typedef {{
 *   host: string | null, version: string | null, process: string | null, engine: string | null
 * }} Identity
 * @typedef {{
 *   docs: Record<string, any>, parameters: Record<string, any> | null, engineStrings: string[]
 * }} Metadata `docs`: replies
 *   of buildInfo, getCmdLineOpts, hostInfo at the start of the server; `parameters`: of
 *   getParameter (8.0 and later), as last
 *   recorded; `engineStrings`: each wiredTigerEngineRuntimeConfig seen there, in order
 */

/** @type {Readonly<Metadata>} */
const NO_METADATA = Object.freeze({ docs: {}, parameters: null, engineStrings: [] });

/** @type {Readonly<Identity>} */
const NO_IDENTITY = Object.freeze({ host: null, version: null, process: null, engine: null });

/**
 * Identifies a recorded server.
 * @param {Buffer} reference
 * @returns {Identity}
 */
function identityOf(reference) {
  const text = (/** @type {string[]} */ ...keys) =>
    lookUpText(reference, keys) ??
    ROLES.map((role) => lookUpText(reference, [role, ...keys])).find((found) => found !== null) ??
    null;
  return {
    host: text('serverStatus', 'host'),
    version: text('serverStatus', 'version'),
    process: text('serverStatus', 'process'),
    engine: text('serverStatus', 'storageEngine', 'name'),
  };
}

/**
 * A text in a document, by its path.
 * @param {Buffer} bytes
 * @param {string[]} keys
 * @returns {string | null}
 */
function lookUpText(bytes, keys) {
  let at = 0;
  for (const [i, key] of keys.entries()) {
    const isLast = i === keys.length - 1;
    const found = lookUp(bytes, at, { key, type: isLast ? TYPE.STRING : TYPE.DOCUMENT });
    if (found === null) return null;
    at = found;
  }
  return bytes.toString('utf8', at + 4, at + 3 + bytes.readInt32LE(at));
}

/**
 * Finds where the value of a field begins.
 * @param {Buffer} bytes
 * @param {number} at
 * @param {{ key: string, type: number }} wanted
 * @returns {number | null}
 */
function lookUp(bytes, at, { key, type }) {
  /** @type {number | null} */
  let found = null;
  walk(bytes, at, (itsType, keyAt, valueAt) => {
    if (
      found === null &&
      itsType === type &&
      valueAt - 1 - keyAt === key.length &&
      bytes.toString('latin1', keyAt, valueAt - 1) === key
    )
      found = valueAt;
  });
  return found;
}

/**
 * Adds an entry of metadata to what is known.
 * @param {Metadata} known @param {MetadataEntry} entry
 * @returns {Metadata} a new one, for the old one belongs to the samples before
 */
function withEntry(known, { kind, doc }) {
  const docs = withoutRoles(doc);
  if (kind === 'metadata') return { docs, parameters: null, engineStrings: [] };
  const parameters = { ...known.parameters, ...docs.getParameter };
  const { wiredTigerEngineRuntimeConfig: string } = parameters;
  const isNew = typeof string === 'string' && string !== known.engineStrings.at(-1);
  return {
    ...known,
    parameters,
    engineStrings: isNew ? [...known.engineStrings, string] : known.engineStrings,
  };
}

/** @param {Record<string, any>} doc */
const withoutRoles = (doc) =>
  Object.assign(
    {},
    doc,
    ...ROLES.filter((role) => typeof doc[role] === 'object')
      .reverse()
      .map((role) => doc[role]),
  );

module.exports = { factsOf, identityOf, withEntry, NO_METADATA, NO_IDENTITY };
