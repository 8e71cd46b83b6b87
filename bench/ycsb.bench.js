'use strict';

/**
 * Our client against the reference implementation of YCSB on the same server and data, with as many threads, in turn. YCSB is not
 * part of this project: YCSB_CLASSPATH names its classes (core 0.17.0 and the MongoDB binding with its driver), as `java -cp` takes
 * them; without it there is nothing to compare with. YCSB_URI: a server to use (one of our own otherwise).
 */

const { spawn } = require('node:child_process');
const path = require('node:path');
const { median, show } = require('./kit');

const THREADS = 8;
const RECORDS = 20_000;
const SECONDS = Number(process.env.YCSB_SECONDS || 20);
const ROUNDS = Number(process.env.YCSB_ROUNDS || 5);
const WORKLOADS = ['a', 'b', 'c'];
/** Shares of reads, updates; the rest as YCSB has it by default. */
const PROPORTIONS = /** @type {Record<string, [number, number]>} */ ({ a: [0.5, 0.5], b: [0.95, 0.05], c: [1, 0] });
const LEAST_RATIO = 0.9;

/** @typedef {{ opsPerSec: number, cpuMicros: number }} Seen `cpuMicros`: of the whole client, its start too, for one operation */

async function run() {
  const classpath = process.env.YCSB_CLASSPATH;
  if (!classpath) {
    console.log('skip  YCSB_CLASSPATH is not set: no reference implementation to compare with');
    return [];
  }
  const { uri, stop } = await server();
  try {
    await ycsb(classpath, uri, 'c', ['-load', '-p', 'mongodb.batchsize=100']);
    const held = [];
    for (const letter of WORKLOADS) held.push(...await compare(classpath, uri, letter));
    return held;
  } finally {
    await stop();
  }
}

/** @param {string} classpath @param {string} uri @param {string} letter */
async function compare(classpath, uri, letter) {
  /** @type {{ theirs: Seen, ours: Seen }[]} */
  const pairs = [];
  for (let round = 0; round < ROUNDS; round++) {
    const theirs = () => ycsb(classpath, uri, letter, ['-t', '-p', `maxexecutiontime=${SECONDS}`]);
    const mine = () => ours(uri, letter);
    if (round % 2 === 0) pairs.push({ theirs: await theirs(), ours: await mine() });
    else { const first = await mine(); pairs.push({ theirs: await theirs(), ours: first }); }
  }
  const ops = median(pairs.map((pair) => pair.ours.opsPerSec / pair.theirs.opsPerSec));
  const cpu = median(pairs.map((pair) => pair.ours.cpuMicros / pair.theirs.cpuMicros));
  const figures = (/** @type {'ours' | 'theirs'} */ who) => `${who} ${Math.round(median(pairs.map((pair) => pair[who].opsPerSec)))} ops/s, ${Math.round(median(pairs.map((pair) => pair[who].cpuMicros)))} µs each`;
  const how = `median of ${ROUNDS} pairs of ${SECONDS} s, ${THREADS} threads; ${figures('ours')}, ${figures('theirs')}`;
  return [
    show({ name: `YCSB ${letter.toUpperCase()}: operations of YCSB's client for one of ours`, value: 1 / ops, bar: Number((1 / LEAST_RATIO).toFixed(2)), unit: '×', how }),
    show({ name: `YCSB ${letter.toUpperCase()}: processor time of our client against YCSB's`, value: cpu, bar: 1, unit: '×', how: 'for one operation, the start of both included' }),
  ];
}

/** @param {string} classpath @param {string} uri @param {string} letter @param {string[]} what @returns {Promise<Seen>} */
async function ycsb(classpath, uri, letter, what) {
  const [reads, updates] = PROPORTIONS[letter];
  const properties = { workload: 'site.ycsb.workloads.CoreWorkload', recordcount: RECORDS, operationcount: 1_000_000_000, readproportion: reads, updateproportion: updates, scanproportion: 0, insertproportion: 0, requestdistribution: 'zipfian', 'mongodb.url': `${uri.replace(/\/(\?.*)?$/, '')}/ycsb?w=1` };
  const args = ['-cp', classpath, 'site.ycsb.Client', '-db', 'site.ycsb.db.MongoDbClient', '-threads', String(THREADS), ...Object.entries(properties).flatMap(([name, value]) => ['-p', `${name}=${value}`]), ...what];
  const { out, cpuMs } = await timed('java', args);
  const [, opsPerSec] = /\[OVERALL\], Throughput\(ops\/sec\), ([\d.]+)/.exec(out) ?? [];
  const done = [...out.matchAll(/\[(READ|UPDATE|INSERT)\], Return=OK, (\d+)/g)].reduce((sum, [, , n]) => sum + Number(n), 0);
  return { opsPerSec: Number(opsPerSec), cpuMicros: (cpuMs * 1000) / done };
}

/** @param {string} uri @param {string} letter @returns {Promise<Seen>} */
async function ours(uri, letter) {
  const { out, cpuMs } = await timed(process.execPath, [path.join(__dirname, 'ycsb-ours.js'), uri, letter, String(THREADS), String(RECORDS), String(SECONDS)]);
  const { ops, seconds } = JSON.parse(out.trim().split('\n').at(-1) ?? '');
  return { opsPerSec: ops / seconds, cpuMicros: (cpuMs * 1000) / ops };
}

/** @param {string} program @param {string[]} args @returns {Promise<{ out: string, cpuMs: number }>} processor time of it and its children */
function timed(program, args) {
  return new Promise((resolve, reject) => {
    const child = spawn('bash', ['-c', 'TIMEFORMAT="cpu %U %S"; time "$@"', 'bash', program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    let [out, err] = ['', ''];
    child.stdout.on('data', (text) => { out += text; });
    child.stderr.on('data', (text) => { err += text; });
    child.on('error', reject);
    child.on('close', (code) => {
      const [, user, system] = /cpu ([\d.]+) ([\d.]+)/.exec(err) ?? [];
      if (code === 0 && user) resolve({ out, cpuMs: (Number(user) + Number(system)) * 1000 });
      else reject(new Error(`${program} ended with ${code}: ${err.slice(-500)}`));
    });
  });
}

async function server() {
  if (process.env.YCSB_URI) return { uri: process.env.YCSB_URI, stop: async () => {} };
  const { startServer } = require('../test/support/server');
  const started = await startServer({ cacheSizeGB: 1 });
  return { uri: `mongodb://127.0.0.1:${started.port}/`, stop: () => started.stop() };
}

module.exports = { run };
