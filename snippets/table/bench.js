'use strict';

/**
 * @import { Entry } from './entry'
 */

const CONFIRM = Object.freeze({
  name: 'confirm',
  flag: /** @type {const} */ (true),
  description: 'true does it; without it only what would be done is shown (false)',
});

/** What is the same for everything that makes load. */
const LOAD = Object.freeze([
  { name: 'workload', description: '"ycsb-a" to "ycsb-f", "iibench", "sysbench" ("ycsb-b")' },
  { name: 'seconds', description: 'how long to measure (30)' },
  { name: 'records', description: 'how many there are to begin with (100000; iibench 0)' },
  { name: 'threads', description: 'operations under way at once ("auto": short runs find it)' },
  { name: 'processes', description: 'that make the load ("auto": until one more gains nothing)' },
  { name: 'ratePerSec', description: 'open loop: operations begin at this rate, come what may' },
  { name: 'warmSeconds', description: 'not counted, before it (5)' },
  { name: 'database', description: 'its own, which must not be there yet ("tune_bench")' },
  {
    name: 'keep',
    flag: /** @type {const} */ (true),
    description: 'leave the data for the next time (false)',
  },
  { name: 'indexes', description: 'iibench: secondary indexes, 0 to 3 (3)' },
  { name: 'perInsert', description: 'iibench: documents of one insert (100)' },
  { name: 'queries', description: 'iibench: share of queries, 0 to 1 (0)' },
  CONFIRM,
  {
    name: 'force',
    flag: /** @type {const} */ (true),
    description: 'also where others use the server, or room is short (false)',
  },
]);

/** tune.history() has the changes of settings alone. */
const FILLS = Object.freeze({ changes: true, shownBy: 'tune.bench.clean()' });

/**
 * What makes load of its own on a test server, and measures.
 * @type {Readonly<Record<string, Entry>>}
 */
const TABLE = Object.freeze({
  bench: {
    load: () => require('../../lib/commands/bench').bench,
    takes: ['options'],
    usage: 'tune.bench({ workload, confirm, … })',
    help: 'Load of a published kind on a test server, measured',
    more: 'It writes into a database of its own, which it drops at the end. Not for a server in use',
    options: LOAD,
    examples: [
      'tune.bench()',
      'tune.bench({ workload: "ycsb-a", records: 5000, threads: 8, confirm: true, seconds: 60 })',
      'tune bench --workload iibench --threads 4 --seconds 60 --confirm',
    ],
    ...FILLS,
    commands: {
      compare: {
        load: () => require('../../lib/commands/bench-compare').benchCompare,
        takes: ['text', 'options'],
        usage: 'tune.bench.compare(uris, { confirm, … })',
        help: 'The same load on several servers in turn, compared',
        more:
          'uris: a list of connection strings, such as those of two mongod with their dbPath ' +
          'on different file systems',
        options: [...LOAD, { name: 'rounds', description: 'how often each has its turn (6)' }],
        examples: [
          'tune.bench.compare(["mongodb://a:27017", "mongodb://b:27018"], { confirm: true })',
          'tune bench compare "mongodb://a:27017 mongodb://b:27018" --rounds 8 --confirm',
        ],
        ...FILLS,
      },
      clean: {
        load: () => require('../../lib/commands/bench-clean').benchClean,
        takes: ['options'],
        usage: 'tune.bench.clean({ database, confirm })',
        help: 'Drops the database of a benchmark, if one was left',
        options: [{ name: 'database', description: 'its name ("tune_bench")' }, CONFIRM],
        examples: ['tune.bench.clean()', 'tune bench clean --confirm'],
        ...FILLS,
      },
    },
  },
  ladder: {
    load: () => require('../../lib/commands/ladder').ladder,
    takes: ['change', 'options'],
    usage: 'tune.ladder(steps, { confirm, … })',
    help: 'What each of several steps gains, one on top of the other',
    more:
      'steps: a list of settings such as { cacheSizeGB: 2 }, and of what you do yourself: { ' +
      'host: "writeback-timing" }, a rule of tune.host(), or any script with what can be seen ' +
      'of it: { host: "sysctl -w …", check: { "writeback.dirtyBytes": 536870912 } }',
    options: [
      ...LOAD,
      { name: 'rechecks', description: 'measure the baseline again after this many steps (2)' },
      { name: 'waitSeconds', description: 'how long to wait for a step of yours (600)' },
      {
        name: 'keepSteps',
        flag: /** @type {const} */ (true),
        description: 'leave the settings of all steps in force (false)',
      },
    ],
    examples: [
      'tune.ladder([{ cacheSizeGB: 1 }, { evictionThreadsMax: 8 }], { seconds: 60 })',
      'tune ladder [{cacheSizeGB:1}] --records 999 --threads 8 --seconds 60 --confirm',
    ],
    changes: true,
  },
});

module.exports = TABLE;
