'use strict';

const { HOST_INFO, SET_STATUS, SMALL_STATUS } = require('../server/pure/commands');
const { askOptional } = require('../base/server-errors');
const { extraOf, valuesOfHost } = require('../defects/pure/evidence');

/**
 * @import { Port } from '../base/context'
 * @import { ReportedOptions } from '../cluster/start-options'
 * @import { UpgradedServer } from './pure/release-changes'
 */

/**
 * Reads what an upgrade depends on.
 * @typedef {{
 *   server: UpgradedServer, compatibility: string | null, options: any,
 *   startString: string | null, runtimeString: string | null,
 *   members: { host: string, state: string | null }[]
 * }} UpgradeFacts
 */

const WRITE_CONCERN = Object.freeze({ getDefaultRWConcern: 1 });
const COMPATIBILITY = Object.freeze({ getParameter: 1, featureCompatibilityVersion: 1 });
const STEP = 1000;

/**
 * @typedef {{ version: string, reported: Pick<ReportedOptions, 'options' | 'parameters'> }} Known
 * @param {Port} port
 * @param {Known} known
 * @returns {Promise<UpgradeFacts>} null for what the user may not read
 */
async function readUpgradeFacts(port, { version, reported }) {
  const [host, status, concern, compatibility, set] = await Promise.all(
    [HOST_INFO, SMALL_STATUS, WRITE_CONCERN, COMPATIBILITY, SET_STATUS].map((command) =>
      askOptional(port, command).catch(() => null),
    ),
  );
  const options = /** @type {any} */ (reported.options);
  return {
    server: {
      version,
      ...ofHost(host ?? {}),
      ...ofOptions(options),
      isWriteConcernSet: writeConcernSet(concern, status),
    },
    compatibility: compatibility?.featureCompatibilityVersion?.version ?? null,
    options,
    ...stringsOf(reported),
    members: membersOf(set),
  };
}

/** The configuration strings of the engine. @param {Known['reported']} reported */
function stringsOf({ options, parameters }) {
  const engine = /** @type {any} */ (options)?.storage?.wiredTiger?.engineConfig;
  const runtime = parameters?.wiredTigerEngineRuntimeConfig;
  return {
    startString: engine?.configString ?? null,
    runtimeString: typeof runtime === 'string' && runtime !== '' ? runtime : null,
  };
}

/** @param {any} set a reply of replSetGetStatus, or null */
const membersOf = (set) =>
  (set?.members ?? []).map((/** @type {any} */ { name, stateStr = null }) => ({
    host: String(name),
    state: stateStr,
  }));

/** Either spelling: the command line's, or mongod.conf's. @param {any} options */
const isInSet = ({ replication = {} }) =>
  replication.replSet !== undefined || replication.replSetName !== undefined;

/** @param {any} host a reply of hostInfo, or {} */
function ofHost(host) {
  const { system = {} } = host;
  const extra = extraOf(host);
  const libc = /^(\d+)\.(\d+)/.exec(String(extra.libcVersion ?? ''));
  return {
    architecture: system.cpuArch ?? null,
    hasAvx: typeof extra.cpuFeatures === 'string' ? /\bavx\b/.test(extra.cpuFeatures) : null,
    kernelNumber: valuesOfHost(host)['host.kernelNumber'] ?? null,
    libcNumber: libc === null ? null : Number(libc[1]) * STEP + Number(libc[2]),
  };
}

/** @param {any} options as the server was started, or null */
function ofOptions(options) {
  const parameters = Object.keys(options?.setParameter ?? {});
  if (options === null)
    return { parameters, isReplicated: null, ticketsSet: null, isMajorityReadOff: null };
  return {
    parameters,
    isReplicated: isInSet(options),
    ticketsSet: parameters.some((name) => /Concurrent(?:Read|Write)Transactions$/.test(name)),
    isMajorityReadOff: options.replication?.enableMajorityReadConcern === false,
  };
}

/**
 * Whether a user set the write concern: from 5.0 on the server says where it comes from; before, it
 * only has one that was set.
 * @param {any} concern a reply of getDefaultRWConcern, or null
 * @param {any} status
 */
function writeConcernSet(concern, status) {
  const known = concern ?? status?.defaultRWConcern ?? null;
  if (known === null) return null;
  const { defaultWriteConcernSource: source, defaultWriteConcern: value } = known;
  return source === undefined ? value !== undefined : source === 'global';
}

module.exports = { readUpgradeFacts };
