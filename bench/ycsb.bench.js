'use strict';

/**
 * Our client against the reference implementation of YCSB on the same server and data, with as many
 * threads, in turn. YCSB is not part of this project: YCSB_CLASSPATH names its classes (core 0.17.0
 * and the MongoDB binding with its driver), as `java -cp` takes them; without it there is nothing
 * to compare with. YCSB_URI: a server to use (one of our own otherwise).
 */

const { spawn } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { median, show } = require('./kit');

const THREADS = 8;
const RECORDS = 20_000;
/** Until the Java machine has compiled what it runs; on a busy machine longer. */
const WARM_SECONDS = Number(process.env.YCSB_WARM_SECONDS || 20);
const SECONDS = Number(process.env.YCSB_SECONDS || 20);
const ROUNDS = Number(process.env.YCSB_ROUNDS || 5);
/** In how many processes our threads are. */
const PROCESSES = Number(process.env.YCSB_PROCESSES || 1);
/** Shares of reads, updates. */
const PROPORTIONS = /** @type {Record<string, [number, number]>} */ ({
  a: [0.5, 0.5],
  b: [0.95, 0.05],
  c: [1, 0],
});
const MIN_RATIO = 0.9;
/** /proc counts processor time in these. */
const TICK_MS = 10;

/**
 * @typedef {{ opsPerSec: number, cpuMicros: number }} Seen after the warm-up; `cpuMicros`: of the
 *   client, for one operation
 */

async function run() {
  const classpath = process.env.YCSB_CLASSPATH;
  if (!classpath) {
    console.log('skip  YCSB_CLASSPATH is not set: no reference implementation to compare with');
    return [];
  }
  const { uri, stop } = await server();
  try {
    await notify(
      'java',
      ycsbArgs(classpath, uri, 'c', ['-load', '-p', 'mongodb.batchsize=100']),
      () => {},
    );
    const held = [];
    for (const letter of (process.env.YCSB_WORKLOADS || 'a,b,c').split(','))
      held.push(...(await compare(classpath, uri, letter)));
    return held;
  } finally {
    await stop();
  }
}

/** @param {string} classpath @param {string} uri @param {string} letter */
async function compare(classpath, uri, letter) {
  /** @type {{ foreign: Seen, ours: Seen }[]} */
  const pairs = [];
  const length = WARM_SECONDS + SECONDS + 2;
  const foreign = () =>
    watch(
      'java',
      ycsbArgs(classpath, uri, letter, [
        '-t',
        '-s',
        '-p',
        'status.interval=1',
        '-p',
        `maxexecutiontime=${length}`,
      ]),
    );
  const ours = () =>
    watch(process.execPath, [
      path.join(__dirname, 'ycsb-ours.js'),
      uri,
      letter,
      String(THREADS),
      String(RECORDS),
      String(length),
      String(PROCESSES),
    ]);
  for (let round = 0; round < ROUNDS; round++) {
    const first = await (round % 2 === 0 ? foreign : ours)();
    const second = await (round % 2 === 0 ? ours : foreign)();
    pairs.push(
      round % 2 === 0 ? { foreign: first, ours: second } : { foreign: second, ours: first },
    );
    console.log(
      `      ${letter.toUpperCase()} ` +
        `${JSON.stringify(pairs.at(-1), (_, value) => (typeof value === 'number' ? Math.round(value) : value))}`,
    );
  }
  const ops = median(pairs.map((pair) => pair.foreign.opsPerSec / pair.ours.opsPerSec));
  const cpu = median(pairs.map((pair) => pair.ours.cpuMicros / pair.foreign.cpuMicros));
  const how =
    `median of ${ROUNDS} pairs, ${SECONDS} s after ${WARM_SECONDS} s, ${THREADS} threads, ours ` +
    `in ${PROCESSES} process(es)`;
  return [
    show({
      name: `YCSB ${letter.toUpperCase()}: operations of YCSB's client for one of ours`,
      value: ops,
      bar: Number((1 / MIN_RATIO).toFixed(2)),
      unit: '×',
      how,
    }),
    show({
      name: `YCSB ${letter.toUpperCase()}: processor time of our client against YCSB's`,
      value: cpu,
      bar: 1,
      unit: '×',
      how: 'for one operation',
    }),
  ];
}

/** @param {string} classpath @param {string} uri @param {string} letter @param {string[]} what */
function ycsbArgs(classpath, uri, letter, what) {
  const [reads, updates] = PROPORTIONS[letter];
  const properties = {
    workload: 'site.ycsb.workloads.CoreWorkload',
    recordcount: RECORDS,
    operationcount: 1_000_000_000,
    requestdistribution: 'zipfian',
    readproportion: reads,
    updateproportion: updates,
    scanproportion: 0,
    insertproportion: 0,
    'mongodb.url': `${uri.replace(/\/(\?.*)?$/, '')}/ycsb?w=1`,
  };
  return [
    '-cp',
    classpath,
    'site.ycsb.Client',
    '-db',
    'site.ycsb.db.MongoDbClient',
    '-threads',
    String(THREADS),
    ...Object.entries(properties).flatMap(([name, value]) => ['-p', `${name}=${value}`]),
    ...what,
  ];
}

/**
 * Both tell each second how many operations they have done.
 * @param {string} program
 * @param {string[]} args
 * @returns {Promise<Seen>}
 */
async function watch(program, args) {
  /** @type {{ at: number, ops: number, cpuMs: number }[]} */
  const samples = [];
  let first = 0;
  await notify(program, args, (line, children) => {
    const ops = Number(
      / sec: (\d+) operations;/.exec(line)?.[1] ??
        /^\d+ sec: (\d+) operations;/.exec(line)?.[1] ??
        0,
    );
    if (ops === 0) return;
    const at = performance.now();
    first ||= at;
    if (
      at - first >= WARM_SECONDS * 1000 &&
      children.every((pid) => fs.existsSync(`/proc/${pid}/stat`))
    )
      samples.push({ at, ops, cpuMs: children.reduce((sum, pid) => sum + cpuOf(pid), 0) });
  });
  const [from, to] = [samples[0], samples[samples.length - 2]];
  const ops = to.ops - from.ops;
  return {
    opsPerSec: (ops / (to.at - from.at)) * 1000,
    cpuMicros: ((to.cpuMs - from.cpuMs) * 1000) / ops,
  };
}

/** @param {number} pid @returns {number} ms, with the threads that have ended */
function cpuOf(pid) {
  const fields = fs
    .readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/**
 * @param {string} program
 * @param {string[]} args
 * @param {(line: string, pids: number[]) => void} onLine the processes that make the load
 * @returns {Promise<void>}
 */
function notify(program, args, onLine) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
    let [rest, all, pids] = ['', '', [child.pid ?? 0]];
    child.stderr.setEncoding('utf8').on('data', (text) => {
      all = (all + text).slice(-2000);
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        pids = /^processes ([\d,]+)$/.exec(line)?.[1].split(',').map(Number) ?? pids;
        onLine(line, pids);
      }
    });
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`${program} ended with ${code}: ${all}`)),
    );
  });
}

async function server() {
  if (process.env.YCSB_URI) return { uri: process.env.YCSB_URI, stop: async () => {} };
  const { startServer } = require('../test/support/server');
  const started = await startServer({ cacheSizeGB: 1 });
  return { uri: `mongodb://127.0.0.1:${started.port}/`, stop: () => started.stop() };
}

module.exports = { run };
