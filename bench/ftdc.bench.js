'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { spawnSync } = require('node:child_process');
const { fieldPath } = require('../test/support/field');
const { median, show } = require('./kit');

/**
 * Decoding diagnostic data against other decoders, on the same file in the same run, each in a
 * process of its own: first all we need of it, then every value. TUNE_FTDC_PEERS names the others,
 * `name=command` separated by commas; a command gets the file and prints the milliseconds it took
 * to read and decode it, process start not counted; nor is it for us.
 */
const RUNS = 9;
const LARGE_BYTES = 200 * 1000 * 1000;
const BAR_RATIO = 1;
const BAR_MB = 300;
const MB = 1000 * 1000;
const KIB = 2 ** 10;

const library = (/** @type {string} */ name) =>
  JSON.stringify(path.join(__dirname, '..', 'lib', name));
const OURS = {
  'what we need': `const { Recording } = require(${library('recording/ftdc/recording')}); started = performance.now();
    for await (const { stretch } of new Recording([file]).pieces()) values += stretch.length * Object.keys(stretch.columns).length;`,
  'every value': `const { readEntries } = require(${library('recording/ftdc/entries')}); const { ChunkDecoder } = require(${library('recording/ftdc/chunk')});
    started = performance.now(); const decoder = new ChunkDecoder();
    for await (const entry of readEntries(file)) if (entry.kind === 'chunk') values += decoder.decode(entry.data).values.length;`,
};

/** @param {string} body */
const scriptOf = (body) =>
  `(async () => { const file = process.argv[1]; let values = 0; let started = 0; ${body} ` +
  `console.log((performance.now() - started).toFixed(1), 'ms', values, 'values'); })()`;

/** @param {string} program @param {string[]} args @returns {number} what it printed first, ms */
function timeOf(program, args) {
  const { stdout, stderr, status } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ended with ${status}: ${stderr.slice(0, 500)}`);
  return Number.parseFloat(stdout);
}

/** @returns {{ name: string, command: string }[]} */
const peersOf = (text = process.env.TUNE_FTDC_PEERS ?? '') =>
  text
    .split(',')
    .filter(Boolean)
    .map((part) => ({
      name: part.slice(0, part.indexOf('=')),
      command: part.slice(part.indexOf('=') + 1),
    }));

async function run() {
  const folder = fieldPath('field', 'ftdc');
  if (folder === null) {
    console.log(
      'skip  decoding diagnostic data: the recordings of other servers are not beside this ' +
        'checkout',
    );
    return [];
  }
  const files = fs
    .readdirSync(folder)
    .filter((name) => !name.endsWith('.gz'))
    .map((name) => path.join(folder, name));
  const largest = files.reduce((a, b) => (fs.statSync(a).size >= fs.statSync(b).size ? a : b));
  return [...raceOn(largest), memoryOf(largest)];
}

/** @param {string} file */
function raceOn(file) {
  const peers = peersOf();
  const runners = [
    ...Object.entries(OURS).map(([name, body]) => ({
      name,
      run: () => timeOf(process.execPath, ['-e', scriptOf(body), file]),
    })),
    ...peers.map(({ name, command }) => ({ name, run: () => timeOf(command, [file]) })),
  ];
  // In turns, so that what else the machine does meets all of them.
  const times = runners.map(() => /** @type {number[]} */ ([]));
  for (let i = 0; i < RUNS; i++)
    runners.forEach(({ run: once }, which) => times[which].push(once()));
  const results = runners.map(({ name }, i) => ({ name, ms: median(times[i]) }));
  const all =
    `${(fs.statSync(file).size / MB).toFixed(1)} MB, median of ${RUNS} processes: ` +
    `${results.map(({ name, ms }) => `${name} ${Math.round(ms)} ms`).join(', ')}`;
  if (peers.length === 0) {
    console.log(`none  no other decoder to compare with (TUNE_FTDC_PEERS); ${all}`);
    return [];
  }
  const fastest = results.slice(Object.keys(OURS).length).reduce((a, b) => (a.ms <= b.ms ? a : b));
  return Object.keys(OURS).map((name, i) =>
    show({
      name: `decoding ${name} of diagnostic data`,
      value: results[i].ms / fastest.ms,
      bar: BAR_RATIO,
      unit: `× ${fastest.name}`,
      how: all,
    }),
  );
}

/** @param {string} file read again and again, as that many files */
function memoryOf(file) {
  const copies = Math.ceil(LARGE_BYTES / fs.statSync(file).size);
  const script = `(async () => {
    const { Recording } = require(${library('recording/ftdc/recording')}); const { RecordingScan } = require(${library('series/recording-scan')});
    const exam = new RecordingScan(); const started = performance.now();
    for (let i = 0; i < ${copies}; i++) for await (const { block, server } of new Recording([process.argv[1]]).pieces()) exam.add(block, server);
    console.log(process.resourceUsage().maxRSS, ((performance.now() - started) / 1000).toFixed(1), exam.gaps.samples);
  })()`;
  const { stdout } = spawnSync(process.execPath, ['-e', script, file], { encoding: 'utf8' });
  const [kib, seconds, samples] = stdout.trim().split(' ').map(Number);
  return show({
    name: 'memory for 200 MB of diagnostic data',
    value: (kib * KIB) / MB,
    bar: BAR_MB,
    unit: 'MB',
    how:
      `greatest resident size while examining ${samples.toLocaleString('en-US')} samples in ` +
      `${seconds} s`,
  });
}

module.exports = { run };
