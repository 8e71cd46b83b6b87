'use strict';

/**
 * All that writes files, on a disk that becomes full and then one that may only be read: a file
 * system in memory, in a mount namespace of its own, which goes with the process.
 * `node bad-disk.js FOLDER`, run by `onBadDisk`, prints what happened.
 */
const fs = require('node:fs');
const path = require('node:path');
const { execFileSync, spawnSync } = require('node:child_process');
const { writeLine, readLines } = require('../../lib/change/journal');
const { RecordingFile } = require('../../lib/recording/recording-file');
const { StatusRecording } = require('../../lib/recording/recording');
const { readBaseline, writeBaseline } = require('../../lib/check/files');
const { writePage } = require('../../lib/base/named-files');
const { NO_FACTS } = require('../../lib/server/pure/facts');

const SIZE = '256k';
const FAR_TOO_LONG = 'x'.repeat(2 ** 20);
const MAX_LINES = 10_000;

/** @returns {string | null} why this machine has none */
function whyNoBadDisk() {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return 'only root on Linux may mount a disk';
  const { status } = spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']);
  return status === 0 ? null : 'nothing can be mounted here in a namespace of its own';
}

/** @param {string} folder empty @returns {Record<string, any>} */
function onBadDisk(folder) {
  const command = `mount -t tmpfs -o size=${SIZE} tmpfs "$1" && exec "$2" "$3" "$1"`;
  const { stdout, stderr } = spawnSync(
    'unshare',
    ['-m', 'sh', '-c', command, 'sh', folder, process.execPath, __filename],
    { encoding: 'utf8', env: { ...process.env, NODE_V8_COVERAGE: '' } },
  );
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout);
}

/** @param {() => unknown} act @returns {Promise<string>} the code and the words of its error */
async function failing(act) {
  try {
    await act();
    return 'did it';
  } catch (error) {
    return `${error.code} ${error.message}`;
  }
}

/** @param {string} folder */
async function run(folder) {
  const at = (/** @type {string} */ name) => path.join(folder, name);
  const what = { at: '', host: null, findings: /** @type {const} */ ({ a: 'warning' }) };
  writeBaseline(at('b.json'), what);
  writePage({ file: at('old.html'), force: false }, 'old');
  writeLine(folder, line(0));
  const home = at('home');
  const journal = await filled(
    at,
    async (i) => writeLine(home, line(i)),
    async () => readLines(home).lines.length,
  );
  fs.rmSync(home, { recursive: true });
  const full = {
    journal,
    plain: await recorded(at, 'r.ndjson'),
    packed: await recorded(at, 'r.ndjson.gz'),
    page: await failing(() => writePage({ file: at('new.html'), force: false }, FAR_TOO_LONG)),
    pageAgain: await failing(() => writePage({ file: at('old.html'), force: true }, FAR_TOO_LONG)),
    baseline: await failing(() => writeBaseline(at('b.json'), { ...what, host: FAR_TOO_LONG })),
    ...left(folder, at),
  };
  execFileSync('mount', ['-o', 'remount,ro', folder]);
  const readOnly = {
    journal: await failing(() => writeLine(folder, line(1))),
    home: await failing(() => writeLine(at('new'), line(1))),
    lines: readLines(folder).lines.length,
    recording: await failing(() => new RecordingFile(at('new.ndjson'))),
    page: await failing(() => writePage({ file: at('new.html'), force: false }, 'new')),
    pageAgain: await failing(() => writePage({ file: at('old.html'), force: true }, 'new')),
    baseline: await failing(() => writeBaseline(at('b.json'), what)),
    ...left(folder, at),
  };
  process.stdout.write(JSON.stringify({ full, readOnly }));
}

/** @param {number} i @returns {any} */
const line = (i) => ({
  kind: 'sent',
  id: String(i),
  atMs: 1,
  command: 'a=1',
  was: null,
  filler: 'x'.repeat(100 + (i % 700)),
});

/**
 * Writes until it fails, makes room, and writes once more.
 * @param {(name: string) => string} at
 * @param {(i: number) => Promise<void>} write
 * @param {() => Promise<number>} read how many there are
 */
async function filled(at, write, read) {
  fs.writeFileSync(at('others'), 'x'.repeat(2 ** 16));
  let written = 0;
  const error = await failing(async () => {
    for (; written < MAX_LINES; written += 1) await write(written);
  });
  const found = await read();
  fs.rmSync(at('others'));
  const later = await failing(() => write(written));
  return { written, error, read: found, later, readLater: await read() };
}

/** @param {(name: string) => string} at @param {string} name */
async function recorded(at, name) {
  const file = new RecordingFile(at(name));
  await file.writeFacts(NO_FACTS);
  const seen = await filled(
    at,
    (i) =>
      file.writeLine({
        ...status(i),
        filler: require('node:crypto').randomBytes(300).toString('hex'),
      }),
    () => samplesOf(at(name)),
  );
  await file.close();
  fs.rmSync(at(name));
  return seen;
}

/** @param {number} i */
const status = (i) => ({
  host: 'h',
  version: '6.0.5',
  process: 'mongod',
  localTime: new Date(i * 1000),
  uptimeMillis: i * 1000,
  connections: { current: i },
  storageEngine: { name: 'wiredTiger' },
});

/** @param {string} file */
async function samplesOf(file) {
  let count = 0;
  for await (const { block } of new StatusRecording([file]).pieces()) count += block.length;
  return count;
}

/** @param {string} folder @param {(name: string) => string} at */
const left = (folder, at) => ({
  files: fs.readdirSync(folder).sort(),
  old: fs.readFileSync(at('old.html'), 'utf8'),
  known: readBaseline(at('b.json')).findings,
});

if (require.main === module) void run(process.argv[2]);

module.exports = { onBadDisk, whyNoBadDisk };
