'use strict';

/**
 * @import { Facts } from './types'
 */

/** The facts about a server besides its counters. Each may be unknown: null. */

/** @type {Readonly<Facts>} */
const NO_FACTS = Object.freeze({
  host: null,
  version: null,
  role: null,
  engine: null,
  pid: null,
  startedAtMs: null,
  osType: null,
  memoryBytes: null,
  memLimitBytes: null,
  cores: null,
  dataBytes: null,
  dbPath: null,
  coresAllowed: null,
  machineCores: null,
  disks: null,
  dirtyLimitBytes: null,
  journalCommitMs: null,
  sessionMax: null,
  toleranceRatio: null,
  ticketsAtStart: null,
  config: null,
});

/** The defaults of net.port and storage.dbPath. */
const DEFAULT_PORT = 27_017;
const DEFAULT_DB_PATH = '/data/db';
/** Default of storage.syncPeriodSecs, and of syncdelay. */
const DEFAULT_SYNCDELAY_SECONDS = 60;
/** Default of storage.journal.commitIntervalMs, ms. */
const DEFAULT_JOURNAL_COMMIT_MS = 100;

/**
 * A live server that cannot be examined is refused with an error; a recording of one is read, and
 * this is the answer.
 * @param {Pick<Facts, 'role' | 'engine'>} facts
 * @returns {string | null} why nothing can be said of its cache
 */
function whyNotExaminable({ role, engine }) {
  if (role === 'mongos')
    return (
      'This is a recording of a mongos, which has no storage engine; use a recording of the slow ' +
      'mongod.'
    );
  if (role === 'arbiter') return 'This is a recording of an arbiter, which stores no data.';
  if (engine !== null && engine !== 'wiredTiger')
    return `This server uses the storage engine "${engine}", which has no WiredTiger cache.`;
  return null;
}

module.exports = {
  DEFAULT_SYNCDELAY_SECONDS,
  DEFAULT_PORT,
  DEFAULT_DB_PATH,
  NO_FACTS,
  DEFAULT_JOURNAL_COMMIT_MS,
  whyNotExaminable,
};
