'use strict';

const { number, flag, text, oneOf } = require('../base/pure/options');
const { confirmOption } = require('../base/pure/command');
const { TuneError } = require('../base/pure/errors');
const { WORKLOADS } = require('./load/workloads/workloads');
const { SETTINGS } = require('./load/workloads/operations');
const { DATABASE } = require('./load/data');

/**
 * @import { Option } from '../base/pure/options'
 * @import { Workload } from './load/workloads/operations'
 * @import { BenchPlan } from './types'
 */

/** Caches, connections and the client's code are warm after this time (heuristic). */
const WARM_SECONDS = 5;
/** A closed loop with more threads is no realistic workload (heuristic). */
const MAX_THREADS = 4096;
const MAX_PROCESSES = 256;
const MAX_RECORDS = 1e9;
const SYSTEM_DATABASES = Object.freeze(['admin', 'local', 'config']);
const DATABASE_NAME = /^[^/\\. "$*<>:|?\0]{1,63}$/;

/**
 * @param {Option} option
 * @returns {Option}
 */
const orAuto = (option) => ({
  allowed: `"auto" or ${option.allowed}`,
  schema: (v) => v.union([v.literal('auto'), option.schema(v)]),
});

const USUAL_WORKLOAD = 'ycsb-b';
/** @type {Omit<BenchPlan, 'workload' | 'records' | 'warmSeconds' | 'settings' | 'given'>} */
const DEFAULTS = Object.freeze({
  seconds: 30,
  threads: 'auto',
  processes: 'auto',
  ratePerSec: null,
  database: DATABASE,
  keepData: false,
  confirm: false,
  force: false,
});

/** The options of every command that makes load. */
const LOAD_OPTIONS = Object.freeze({
  workload: {
    check: oneOf([...WORKLOADS.keys()]),
    default: USUAL_WORKLOAD,
    description: '"ycsb-a" to "ycsb-f", "iibench", "sysbench"',
  },
  seconds: {
    check: number({ min: 1, max: 7 * 86_400 }),
    default: DEFAULTS.seconds,
    description: 'how long to measure',
  },
  records: {
    check: number({ min: 0, max: MAX_RECORDS, integer: true }),
    defaultText: '100000; iibench 0',
    description: 'number of records to load',
  },
  threads: {
    check: orAuto(number({ min: 1, max: MAX_THREADS, integer: true })),
    defaultText: '"auto": short runs find it',
    description: 'concurrent operations',
  },
  processes: {
    check: orAuto(number({ min: 1, max: MAX_PROCESSES, integer: true })),
    defaultText: '"auto": adds processes until one more brings no gain',
    description: 'client processes that make the load',
  },
  ratePerSec: {
    check: number({ min: 1, max: 1e6 }),
    description: 'open loop: operations begin at this fixed rate',
  },
  warmSeconds: {
    check: number({ min: 0, max: 3600 }),
    defaultText: String(WARM_SECONDS),
    description: 'warm-up before the measurement, not counted',
  },
  database: {
    check: text(),
    default: DATABASE,
    description: 'its own database: a new one, or one that a benchmark made',
  },
  keepData: { check: flag(), default: false, description: 'keep the data for the next run' },
  indexes: {
    check: number({ min: 0, max: SETTINGS.indexes, integer: true }),
    default: SETTINGS.indexes,
    description: 'iibench: secondary indexes, 0 to 3',
  },
  perInsert: {
    check: number({ min: 1, max: 10_000, integer: true }),
    default: SETTINGS.perInsert,
    description: 'iibench: documents of one insert',
  },
  queries: {
    check: number({ min: 0, max: 1 }),
    default: SETTINGS.queries,
    description: 'iibench: share of queries, 0 to 1',
  },
  confirm: confirmOption('a DRY RUN shows what would be done'),
  force: {
    check: flag(),
    default: false,
    description: 'also where other clients use the server, or free disk space is short',
  },
});

/**
 * Plans a benchmark, with the usual values where none is given.
 * @param {string} command as the user types it
 * @param {Record<string, any>} options the given options, already checked
 * @returns {BenchPlan}
 * @throws {TuneError} TUNE-10002
 */
function planBench(command, options) {
  const workload = /** @type {Workload} */ (WORKLOADS.get(options.workload ?? USUAL_WORKLOAD));
  const seconds = options.seconds ?? DEFAULTS.seconds;
  const plan = {
    ...DEFAULTS,
    records: workload.defaultRecords,
    warmSeconds: Math.min(WARM_SECONDS, seconds),
    ...present(options, DEFAULTS),
    ...present(options, { records: 0, warmSeconds: 0 }),
  };
  checkRecords(command, workload, plan.records);
  checkDatabase(command, plan.database);
  return {
    ...plan,
    workload,
    settings: { ...SETTINGS, ...present(options, SETTINGS) },
    given: options,
  };
}

/**
 * Picks the given options whose names are in `names`.
 * @param {Record<string, any>} options
 * @param {object} names
 * @returns {any}
 */
const present = (options, names) =>
  Object.fromEntries(
    Object.keys(names)
      .filter((name) => options[name] !== undefined)
      .map((name) => [name, options[name]]),
  );

/**
 * Refuses an empty collection for all workloads but iiBench.
 * @param {string} command
 * @param {Workload} workload
 * @param {number} records
 */
function checkRecords(command, { name, defaultRecords }, records) {
  if (records > 0 || defaultRecords === 0) return;
  throw new TuneError(
    'TUNE-10002',
    `${command}: "records" must be at least 1 for ${name}, not 0.`,
    { value: records, allowed: 'a whole number of at least 1' },
  );
}

/** @param {string} command @param {string} database */
function checkDatabase(command, database) {
  if (!SYSTEM_DATABASES.includes(database) && DATABASE_NAME.test(database)) return;
  throw new TuneError(
    'TUNE-10002',
    `${command}: "database" must be the name of a database that does not exist yet, ` +
      `not ${JSON.stringify(database)}.`,
    { value: database, allowed: 'a name other than admin, local and config' },
  );
}

module.exports = { planBench, LOAD_OPTIONS };
