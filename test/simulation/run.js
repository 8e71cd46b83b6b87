'use strict';

const { parseArgs } = require('node:util');
const os = require('node:os');
const { fork } = require('node:child_process');
const { FAULTS, patchesOf } = require('./faults');
const { prepare } = require('./prepare');
const { runSchedule, seedOf } = require('./schedule');
const { shrink } = require('./shrink');

/* eslint no-console: off */

const USAGE = [
  'node test/simulation/run.js [--schedules 10000] [--seed 1] [--schedule i (one of them, ' +
    'with its trace)]',
  '[--fault name | all] [--alone (what covers the fault stays)] [--known kind,kind (not ' +
    'looked for)] [--jobs n] [--list]',
].join(' ');
const LINE_EVERY_MS = 10_000;
/** A worker tells of its work so often. */
const CHUNK = 200;

/**
 * @typedef {{
 *   schedules: number, seed: number, known: Set<string>, fault: string | null, alone?: boolean,
 *   stopAtFirst?: boolean
 * }} Task
 */

/** @returns {Promise<number>} */
async function main() {
  const given = readArgs();
  if (given.list) return list();
  if (given.schedule !== null) return showOne(given);
  if (given.fault === 'all') return table(given);
  const found = await runAll({ ...given, stopAtFirst: given.fault !== null });
  if (given.fault !== null) return found.failures.length > 0 ? 0 : 1;
  return found.failures.length > 0 ? 1 : 0;
}

function readArgs() {
  const text = /** @type {const} */ ({ type: 'string' });
  const { values } = parseArgs({
    options: {
      schedules: text,
      seed: text,
      schedule: text,
      fault: text,
      known: text,
      jobs: text,
      list: { type: 'boolean' },
      alone: { type: 'boolean' },
    },
  });
  const whole = (/** @type {string | undefined} */ value, /** @type {any} */ otherwise) => {
    if (value !== undefined && !/^\d+$/.test(value))
      throw new Error(`"${value}" is no whole number. ${USAGE}`);
    return value === undefined ? otherwise : Number(value);
  };
  if (values.fault && values.fault !== 'all' && !FAULTS[values.fault])
    throw new Error(`There is no fault "${values.fault}": ${Object.keys(FAULTS).join(', ')}`);
  return {
    schedules: whole(values.schedules, 10_000),
    seed: whole(values.seed, 1),
    schedule: whole(values.schedule, null),
    fault: values.fault ?? null,
    known: (values.known ?? '').split(',').filter(Boolean),
    jobs: whole(values.jobs, os.availableParallelism()),
    list: values.list,
    alone: Boolean(values.alone),
  };
}

function list() {
  for (const [name, { what, coveredBy }] of Object.entries(FAULTS))
    console.log(
      `${name.padEnd(26)} ${what}${coveredBy ? ` (covered by ${coveredBy.join(' and ')})` : ''}`,
    );
  return 0;
}

/**
 * With worker processes, each of which takes every n-th schedule.
 * @param {{
 *   schedules: number, seed: number, known: string[], fault: string | null, alone?: boolean,
 *   jobs: number, stopAtFirst?: boolean, quiet?: boolean
 * }} task
 */
async function runAll({ jobs, quiet = false, ...task }) {
  const began = Date.now();
  const totals = {
    done: 0,
    events: 0,
    freed: 0,
    /** @type {Record<string, number>} */ verdicts: {},
    /** @type {Record<string, number>} */ ends: {},
  };
  /** @type {any[]} */ const failures = [];
  const workers = Array.from({ length: jobs }, () =>
    fork(__filename, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] }),
  );
  const line = () => {
    if (!quiet)
      console.log(
        `${totals.done.toLocaleString('en')} of ${task.schedules.toLocaleString('en')} ` +
          'schedules, ' +
          `${Math.round((1000 * totals.done) / (Date.now() - began)).toLocaleString('en')}/s, ` +
          `${Math.round(totals.events / Math.max(1, totals.done))} events each; ` +
          `${words(totals.verdicts)}`,
      );
  };
  const timer = setInterval(line, LINE_EVERY_MS);
  try {
    await Promise.all(
      workers.map(
        (worker, job) =>
          new Promise((resolve, reject) => {
            worker.on('message', (/** @type {any} */ reported) => {
              add(totals, reported);
              failures.push(...reported.failures);
              if (!quiet)
                reported.failures.forEach((/** @type {any} */ failure) =>
                  showFailure(task, failure),
                );
              if (task.stopAtFirst && failures.length > 0) workers.forEach((one) => one.kill());
            });
            worker.on('exit', (code, signal) =>
              code === 0 || signal !== null
                ? resolve(null)
                : reject(new Error(`a worker ended with ${code}`)),
            );
            worker.send({ ...task, job, jobs });
          }),
      ),
    );
  } finally {
    clearInterval(timer);
    workers.forEach((one) => one.kill());
  }
  line();
  if (!quiet)
    console.log(
      `ends: ${words(totals.ends)}; an application met a name that abort or finish had freed ` +
        `${totals.freed} times`,
    );
  return { failures, totals };
}

/** @param {any} totals @param {any} reported */
function add(totals, reported) {
  totals.done += reported.done;
  totals.events += reported.events;
  totals.freed += reported.freed;
  for (const field of ['verdicts', 'ends'])
    for (const key in reported[field])
      totals[field][key] = (totals[field][key] ?? 0) + reported[field][key];
}

/** @param {Record<string, number>} counts */
const words = (counts) =>
  Object.entries(counts)
    .map(([name, count]) => `${name} ${count.toLocaleString('en')}`)
    .join(', ');

/** In a worker. @param {any} task */
async function work({ schedules, seed, known, fault, alone, job, jobs, stopAtFirst }) {
  Error.stackTraceLimit = 0;
  const patches = patchesOf(fault, alone);
  const setting = await prepare({ patches: patches.faulty });
  const fresh = () => ({
    done: 0,
    events: 0,
    freed: 0,
    verdicts: /** @type {any} */ ({}),
    ends: /** @type {any} */ ({}),
    failures: /** @type {any[]} */ ([]),
  });
  let reported = fresh();
  // What fails without the fault too says nothing of the fault.
  const sound = fault === null ? null : await prepare({ patches: patches.sound });
  const shrunk = new Map();
  const options = { known: new Set(known) };
  for (let i = job; i < schedules; i += jobs) {
    let outcome = await runSchedule(seedOf(seed, i), setting, options);
    if (
      sound &&
      outcome.verdict !== 'right' &&
      (await runSchedule(seedOf(seed, i), sound, options)).verdict !== 'right'
    )
      outcome = { ...outcome, verdict: 'right' };
    count(reported, outcome);
    if (outcome.verdict !== 'right' && (shrunk.get(outcome.verdict) ?? 0) < 2) {
      shrunk.set(outcome.verdict, (shrunk.get(outcome.verdict) ?? 0) + 1);
      const { outcome: small } = await shrink(outcome.seed, setting, outcome, options);
      reported.failures.push({ schedule: i, ...small });
    }
    if (reported.done < CHUNK && !(stopAtFirst && reported.failures.length > 0)) continue;
    process.send?.(reported);
    if (stopAtFirst && reported.failures.length > 0) return;
    reported = fresh();
  }
  process.send?.(reported);
}

/** @param {any} reported @param {any} outcome */
function count(reported, outcome) {
  reported.done += 1;
  reported.events += outcome.events;
  reported.freed += outcome.freed;
  reported.verdicts[outcome.verdict] = (reported.verdicts[outcome.verdict] ?? 0) + 1;
  const end = outcome.ended ?? 'broken off';
  reported.ends[end] = (reported.ends[end] ?? 0) + 1;
}

/** @param {{ seed: number, fault: string | null, alone?: boolean }} task @param {any} failure */
function showFailure({ seed, fault, alone }, { schedule, start, found, taken }) {
  console.log(
    `FAILED ${found[0].kind}: ${found[0].text}\n    again: --seed ${seed} --schedule ` +
      `${schedule}${fault ? ` --fault ${fault}` : ''}${alone ? ' --alone' : ''}   begins ` +
      `${start}\n    with: ${taken.join('; ') || 'nothing'}`,
  );
}

/** One schedule, shrunk, with all that reached the server. @param {any} given */
async function showOne({ seed, schedule, fault, alone, known }) {
  const options = { known: new Set(known) };
  const setting = await prepare({ patches: patchesOf(fault, alone).faulty });
  const first = await runSchedule(seedOf(seed, schedule), setting, options);
  console.log(`${first.start}: ${first.verdict}; ${first.taken.join('; ')}`);
  const { disabled } =
    first.verdict === 'right'
      ? { disabled: new Set() }
      : await shrink(first.seed, setting, first, options);
  /** @type {string[]} */ const lines = [];
  const { trace } = require('./trace');
  const outcome = await runSchedule(seedOf(seed, schedule), setting, {
    ...options,
    disabled,
    trace: trace((line) => lines.push(line)),
  });
  console.log(lines.join('\n'));
  for (const { kind, text } of outcome.found) console.log(`${kind}: ${text}`);
  console.log(`${outcome.verdict}, ended ${outcome.ended}; ${outcome.taken.join('; ')}`);
  return outcome.verdict === 'right' ? 0 : 1;
}

/** Each fault, and after how many schedules it is found. @param {any} given */
async function table(given) {
  let missed = 0;
  for (const [name, { what, coveredBy }] of Object.entries(FAULTS)) {
    const { failures, totals } = await runAll({
      ...given,
      fault: name,
      stopAtFirst: true,
      quiet: true,
    });
    const [first] = failures.sort((one, other) => one.schedule - other.schedule);
    if (!first) missed += 1;
    console.log(
      `${name.padEnd(26)} ` +
        `${first ? `${first.found[0].kind.padEnd(12)} after ${String(first.schedule + 1).padStart(7)} schedules` : `NOT FOUND in ${totals.done} schedules`}   ` +
        `${what}${coveredBy && !given.alone ? ` (covered by ${coveredBy.join(' and ')}: all removed)` : ''}`,
    );
  }
  return missed;
}

if (require.main === module) {
  if (process.send)
    process.once('message', (task) => {
      work(/** @type {any} */ (task)).then(
        () => process.disconnect(),
        (error) => {
          console.error(error);
          process.exit(1);
        },
      );
    });
  else
    main().then(
      (code) => {
        process.exitCode = code;
      },
      (error) => {
        console.error(error);
        process.exitCode = 1;
      },
    );
}
