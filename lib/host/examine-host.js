'use strict';

const { sleep } = require('../base/context');
const { askServer, identityOf } = require('./ask-server');
const { findPlace } = require('./same-machine');
const { reportedByServer } = require('./reported');
const { filesUnder, COMMANDS } = require('./root-files');
const { mergeHost } = require('./pure/host');
const { MS_PER_SECOND } = require('../base/pure/units');
const { modulesIn } = require('../base/own-files');
const { collectPart, makeSnapshot } = require('./snapshot');

/**
 * @import { Answers, Question } from './ask-server'
 * @import { HostPart, Place, HostValue } from './pure/host'
 * @import { Context } from '../base/types'
 * @import { Area, Files, Gathered, Getters, Subject } from './snapshot'
 */

/**
 * @typedef {{
 *   at: Date, host: string | null, version: string | null, place: Place,
 *   part: HostPart, notes: string[]
 * }} Seen the known values of the machine, and their source
 */

/**
 * Reads the machine under a server, from wherever that is possible.
 * @param {Context} ctx
 * @param {{ seconds: number, interface: string | null }} options
 * @returns {Promise<Seen>}
 */
async function examineHost(ctx, { seconds, interface: name }) {
  const first = await askServer(ctx.port);
  const server = identityOf(first);
  const files = filesUnder(['/'], COMMANDS);
  const place = await findPlace(files, server, process.platform);
  const about = { host: server.host, version: server.version, place };
  if (place.kind === 'elsewhere') return { ...about, ...(await fromAfar(ctx, first, seconds)) };
  const subject = { pid: place.pid, dbPath: server.dbPath, port: server.port, interface: name };
  const snapshots = await takeSnapshots(files, subject, {
    seconds,
    signal: ctx.signal,
    onSnapshot: (taken) =>
      ctx.progress(
        `tune.host: ${taken} of ${seconds + 1} samples; Ctrl-C stops and answers from these`,
      ),
  }).finally(() => ctx.progress(null));
  const part = mergeHost(await readAreas(snapshots, subject), reportedByServer(first, first));
  return {
    ...about,
    at: new Date(snapshots[snapshots.length - 1].atMs),
    part,
    notes: endedEarly(snapshots.length, seconds),
  };
}

/**
 * Reads what the server itself reports, at two moments.
 * @param {Context} ctx
 * @param {Answers} first
 * @param {number} seconds
 * @returns {Promise<Pick<Seen, 'at' | 'part' | 'notes'>>}
 */
async function fromAfar(ctx, first, seconds) {
  ctx.progress(
    `tune.host: 2 samples in ${seconds} s, from the server only; Ctrl-C stops and answers from ` +
      'these',
  );
  try {
    await sleep(seconds * MS_PER_SECOND, ctx.signal);
    const last = await askServer(ctx.port);
    return { at: new Date(), part: reportedByServer(first, last), notes: [] };
  } catch (error) {
    if (!ctx.signal.aborted) throw error;
    return { at: new Date(), part: reportedByServer(first, first), notes: endedEarly(1, seconds) };
  } finally {
    ctx.progress(null);
  }
}

/** @param {number} snapshots @param {number} seconds */
const endedEarly = (snapshots, seconds) =>
  snapshots > seconds
    ? []
    : [
        `Stopped after ${snapshots} of ${seconds + 1} ` +
          `samples${snapshots === 1 ? ': rates are not known' : ''}.`,
      ];

/**
 * Loads the areas; the folder is the registry.
 * @param {readonly string[]} [names] the names of the files, by default all
 * @returns {Area[]}
 */
const loadAreas = (names) =>
  modulesIn('lib/host/areas')
    .filter(({ name }) => names === undefined || names.includes(name))
    .map(({ load }) => load());

/**
 * Reads the files of one moment that the areas need.
 * @param {Files} files
 * @param {Subject} subject
 * @param {readonly string[]} [names] the names of the areas, by default all
 * @returns {Promise<Gathered>}
 */
async function takeSnapshot(files, subject, names) {
  const snapshot = makeSnapshot(files, Date.now());
  await Promise.allSettled(loadAreas(names).map((area) => area.snap?.(snapshot, subject)));
  return snapshot;
}

/**
 * Takes a snapshot each second; Ctrl-C keeps those taken until then.
 * @param {Files} files @param {Subject} subject
 * @param {{ seconds: number, signal: AbortSignal, onSnapshot?: (snapshots: number) => void }} options
 * @returns {Promise<Gathered[]>}
 */
async function takeSnapshots(files, subject, { seconds, signal, onSnapshot = () => {} }) {
  const started = performance.now();
  /** @type {Gathered[]} */
  const snapshots = [];
  for (let due = 0; due <= seconds; due++) {
    try {
      await sleep(Math.max(0, started + due * MS_PER_SECOND - performance.now()), signal);
    } catch (interrupted) {
      if (snapshots.length === 0) throw interrupted;
      return snapshots;
    }
    snapshots.push(await takeSnapshot(files, subject));
    onSnapshot(snapshots.length);
  }
  return snapshots;
}

/**
 * Computes the values of all areas from the samples.
 * @param {readonly Gathered[]} snapshots in the order of time
 * @param {Subject} subject
 * @param {ReadonlySet<string>} [names] the wanted values, by default all
 * @returns {Promise<HostPart>}
 */
async function readAreas(snapshots, subject, names) {
  const wanted = (/** @type {Getters} */ getters) =>
    Object.fromEntries(
      Object.entries(getters).filter(([name]) => names === undefined || names.has(name)),
    );
  return mergeHost(
    ...(await Promise.all(
      loadAreas().map((area) => collectPart(wanted(area.values(snapshots, subject)))),
    )),
  );
}

/**
 * Reads the machine for tune.advise() at a low cost: it sends a few questions to the server once.
 * Where mongod is proven to run here, it reads /proc/stat, /proc/diskstats and a few small files at
 * both ends of the window.
 *
 * @typedef {{ place: Place, part: HostPart }} Machine
 */

/**
 * Areas that change between samples and are read at both ends: /proc/stat, /proc/diskstats,
 * mongod's CPU time and its quota.
 */
const AREAS = Object.freeze(['cpu', 'disk']);
/**
 * The wanted values of all areas: none of them needs a file for each thread, process or connection.
 * @type {ReadonlySet<HostValue>}
 */
const VALUES = new Set(
  /** @type {const} */ ([
    'cpu.logical',
    'cpu.online',
    'cpu.cores',
    'cpu.allowed',
    'cpu.allowedBusyRatio',
    'cpu.hasQuota',
    'cpu.quotaCores',
    'cpu.throttledRatio',
    'cpu.busyRatio',
    'cpu.stealRatio',
    'cpu.busyOfEach',
    'cpu.serverRatio',
    'disk.name',
    'disk.members',
    'disk.model',
    'disk.isRotational',
    'disk.readMs',
    'disk.writeMs',
    'disk.queue',
    'disk.busyRatio',
    'disk.readBytesPerSec',
    'disk.writtenBytesPerSec',
    'disk.readsPerSec',
    'disk.writesPerSec',
    'disk.seconds',
    'files.type',
    'files.mountPoint',
    'memory.availableBytes',
    'memory.isLimited',
    'memory.limitBytes',
    'memory.limitUsedBytes',
    'memory.cgroupVersion',
    'writeback.dirtyBytes',
    'writeback.dirtyBackgroundBytes',
    'writeback.dirtyRatioPercent',
    'writeback.dirtyBackgroundRatioPercent',
    'writeback.limitBytes',
    'writeback.backgroundBytes',
  ]),
);
/**
 * The questions leave out the log, whose warnings are not needed here, and the diagnostic data,
 * which comes with each sample of the server.
 */
const QUESTIONS = Object.freeze(/** @type {Question[]} */ (['hostInfo', 'options', 'you']));

/**
 * Begins to watch the machine of a server.
 * @param {Context} ctx
 * @returns {{ end(): Promise<Machine | null> }} null where the server gave no answer: the advice is
 *   then made without the machine
 */
function watchMachine(ctx) {
  const begun = begin(ctx).catch(() => null);
  return { end: async () => (await begun)?.() ?? null };
}

/**
 * Asks the server and takes the first snapshot.
 * @param {Context} ctx
 * @returns {Promise<() => Promise<Machine>>} a function to call at the end of the window
 */
async function begin(ctx) {
  const answers = await askServer(ctx.port, QUESTIONS);
  const server = identityOf(answers);
  const files = filesUnder(['/'], {});
  const place = await findPlace(files, server, process.platform);
  const reported = reportedByServer(answers, answers);
  if (place.kind === 'elsewhere') return async () => ({ place, part: reported });
  const subject = { pid: place.pid, dbPath: server.dbPath, port: server.port, interface: null };
  const first = await takeSnapshot(files, subject, AREAS);
  return async () => ({
    place,
    part: mergeHost(
      await readAreas([first, await takeSnapshot(files, subject, AREAS)], subject, VALUES),
      reported,
    ),
  });
}

module.exports = { examineHost, watchMachine, takeSnapshots, readAreas };
