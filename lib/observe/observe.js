'use strict';

const { count, many } = require('../base/pure/units');
const { collectServer, collectDataBytes } = require('../server/facts');
const { collectSamples } = require('../server/sampler');
const { makeWindow } = require('../server/pure/window');
const { watchMachine } = require('../host/examine-host');
const { TuneError } = require('../base/pure/errors');
const { mapServerError } = require('../base/server-errors');
const { collectSettings } = require('./settings');
const { stringsSet } = require('../change/pure/timeline');
const { parseEngineConfig, lookUp } = require('../config/engine-config');

/**
 * @import { HostPart } from '../host/pure/host'
 * @import { Sample } from '../server/pure/sample'
 * @import { Window } from '../server/pure/window'
 * @import { Observation } from './types'
 * @import { Context } from '../base/types'
 * @import { Facts } from '../server/pure/types'
 * @import { Settings } from '../change/types'
 */

/**
 * How much to read about the machine, each level with those before it: nothing; memory and CPUs
 * (hostInfo); the server's diagnostic data with each sample; the files of this machine, where the
 * server runs on it.
 * @typedef {'none' | 'hardware' | 'diagnostics' | 'files'} MachineLevel
 */

/** @type {ReadonlySet<MachineLevel>} */
const WITH_DIAGNOSTICS = new Set(['diagnostics', 'files']);
const NOT_WATCHED = Object.freeze({ end: async () => null });

/**
 * Reads all that is judged later: samples over a while, the effective settings, and what is known
 * of the machine.
 * @param {Context} ctx
 * @param {{
 *   seconds: number, every?: number, dataBytes?: boolean, machineLevel?: MachineLevel,
 *   onSample?: (sample: Sample, all: Sample[]) => void,
 *   onFacts?: (facts: Facts) => void
 * }} options `every`: seconds from sample to sample; `dataBytes`: whether to read the size of the
 *   data; `onFacts`: gets the facts before the first sample, without settings and machine
 * @returns {Promise<Observation>} after Ctrl-C or a lost connection: what was seen until then
 */
async function observe(ctx, options) {
  const { seconds, every = 1, dataBytes = false, machineLevel = 'hardware' } = options;
  const machineWatch = machineLevel === 'files' ? watchMachine(ctx) : NOT_WATCHED;
  const { facts: basics, run } = await collectServer(ctx.port, {
    hardware: machineLevel !== 'none',
  }).catch(rethrow);
  options.onFacts?.(basics);
  const [sampled, { settings, notes }, bytes] = await Promise.all([
    collectSamples(ctx, {
      seconds,
      every,
      withDiagnosticData: WITH_DIAGNOSTICS.has(machineLevel),
      onSample: options.onSample,
    }).catch(rethrow),
    settingsOrNote(ctx, { ...basics, run }),
    dataBytes ? collectDataBytes(ctx.port) : null,
  ]);
  refuseEmpty(sampled.samples);
  const window = makeWindow(sampled.samples);
  const part = (await machineWatch.end())?.part ?? null;
  return {
    window,
    facts: completeFacts(basics, { settings, dataBytes: bytes, machine: part }),
    settings,
    machine: part,
    members: null,
    blockedMoves: [],
    ended: sampled.ended,
    notes: [
      ...howItEnded(sampled, window),
      ...whyShorter({ seconds, every }, sampled.ended, window),
      ...notes,
    ],
  };
}

/**
 * An observation without settings is still worth a diagnosis.
 * @param {Context} ctx
 * @param {Parameters<typeof collectSettings>[1]} known
 * @returns {Promise<{ settings: Settings | null, notes: string[] }>}
 */
const settingsOrNote = (ctx, known) =>
  collectSettings(ctx, known).then(
    (settings) => ({ settings, notes: settings.notes }),
    (error) => ({ settings: null, notes: [`Settings not known: ${error.message}`] }),
  );

/**
 * The facts of a server with what settings, data and machine add to them.
 * @param {Facts} basics as the server says who it is
 * @param {{
 *   settings: Pick<Settings, 'config' | 'history' | 'timeline'> | null, dataBytes: number | null,
 *   machine: HostPart | null
 * }} more null: not known
 * @returns {Facts}
 */
const completeFacts = (basics, { settings, dataBytes, machine }) => ({
  ...basics,
  config: settings?.config ?? null,
  journalCommitMs: settings?.history.journalCommitMs ?? null,
  sessionMax: settings === null ? null : sessionMaxOf(settings.history),
  toleranceRatio: settings === null ? null : toleranceIn(settings),
  ticketsAtStart: settings?.history.ticketsAtStart ?? null,
  dataBytes,
  ...(machine !== null && machineFacts(basics, machine.values)),
});

/** The place of the key, by release; see engine-keys.js. */
const TOLERANCE_KEYS = Object.freeze([
  'cache_eviction_controls.cache_tolerance_for_app_eviction',
  'eviction.cache_tolerance_for_app_eviction',
]);
/** WiredTiger cuts to steps of ten. */
const STEP_PERCENT = 10;

/**
 * The last string that has it counts.
 * @param {Pick<Settings, 'history' | 'timeline'>} settings
 * @returns {number | null}
 */
function toleranceIn({ history, timeline }) {
  const texts = [
    history.engineConfig?.configString ?? '',
    history.opened ?? '',
    ...stringsSet(timeline),
  ];
  const last = texts
    .flatMap((text) => {
      const { entries } = parseEngineConfig(text);
      return TOLERANCE_KEYS.flatMap((key) => lookUp(entries, key)?.number ?? []);
    })
    .at(-1);
  return last === undefined ? null : (Math.floor(last / STEP_PERCENT) * STEP_PERCENT) / 100;
}

/**
 * Reads session_max from the string that WiredTiger was opened with, else from the start-up option.
 * @param {Settings['history']} history
 */
const sessionMaxOf = ({ opened, engineConfig }) =>
  lookUp(parseEngineConfig(opened ?? '').entries, 'session_max')?.number ??
  engineConfig?.sessionMax ??
  null;

/**
 * Makes the facts that the machine adds. hostInfo counts the CPUs that mongod may run on.
 * @param {Facts} facts
 * @param {HostPart['values']} values
 */
function machineFacts(facts, values) {
  const {
    'cpu.allowed': allowed = Infinity,
    'cpu.quotaCores': quota = Infinity,
    'cpu.logical': all = 0,
  } = values;
  const [usable, min] = [facts.cores ?? Infinity, Math.min(allowed, quota)];
  return {
    memLimitBytes: memoryLimit(facts, values),
    coresAllowed: min < usable ? min : null,
    machineCores: all > usable ? all : null,
    disks: values['disk.members'] ?? disksOf(values['files.device']),
    dirtyLimitBytes: values['writeback.limitBytes'] ?? null,
  };
}

/**
 * mongod does not know the limit of a control group within its container, such as that of a unit.
 * @param {Facts} facts @param {HostPart['values']} values
 */
function memoryLimit({ memLimitBytes }, { 'memory.limitBytes': limitBytes }) {
  return limitBytes === undefined ? memLimitBytes : Math.min(limitBytes, memLimitBytes ?? Infinity);
}

/**
 * The names that the disk under a file system may have: `/dev/sda1` is on sda, `/dev/nvme0n1p2` on
 * nvme0n1.
 * @param {string | undefined} device
 * @returns {string[] | null}
 */
function disksOf(device) {
  const name = /^\/dev\/([^/]+)$/.exec(device ?? '')?.[1];
  return name === undefined ? null : [name, name.replace(/p?\d+$/, '')];
}

/** Enough samples for a median, few enough for a window of a day. */
const MAX_SAMPLES = 600;

/**
 * Computes the time between two samples.
 * @param {number} seconds the length of the window
 * @param {number} [max] roughly how many samples to take
 * @returns {number} seconds; at least one, except in a shorter window
 */
const everyFor = (seconds, max = MAX_SAMPLES) => Math.min(seconds, Math.max(1, seconds / max));

/** @param {unknown} error @returns {never} */
function rethrow(error) {
  throw mapServerError(error, 'serverStatus');
}

/** Refuses samples that show nothing of the cache. @param {readonly Sample[]} samples */
function refuseEmpty(samples) {
  if (samples.some((sample) => sample.counters['cache.maxBytes'] !== undefined)) return;
  throw new TuneError(
    'TUNE-20009',
    'serverStatus has no "wiredTiger" section: the cache is not known.',
    { seen: samples },
  );
}

/**
 * The notes about a window that ended early or began late.
 * @param {{ ended: Observation['ended'], error: Error | null }} sampled
 * @param {Window} window
 * @returns {string[]}
 */
function howItEnded({ ended, error }, window) {
  const seen = `after ${many(window.samples.length, 'sample')} in ${window.seconds.toFixed(0)} s`;
  return [
    ...(ended === 'interrupted' ? [`Interrupted ${seen}: partial result.`] : []),
    ...(ended === 'lost'
      ? [
          `The connection was lost ${seen} ` +
            `(${mapServerError(error, 'serverStatus').message}): partial result.`,
        ]
      : []),
    ...(window.restarts > 0
      ? ['The server restarted during sampling; the window starts after the restart.']
      : []),
  ];
}

/** Seconds that are missing before a note says so: a tenth of ten. */
const MISSING_SECONDS = 0.5;
const MISSING_SHARE = 0.05;

/**
 * Explains why the window is shorter than requested: it begins with the first answer.
 * @param {{ seconds: number, every: number }} requested
 * @param {Observation['ended']} ended
 * @param {Pick<Window, 'seconds' | 'restarts'>} window
 * @returns {string[]}
 */
function whyShorter(requested, ended, { seconds, restarts }) {
  const last = Math.floor((requested.seconds + requested.every / 2) / requested.every);
  const missing = last * requested.every - seconds;
  if (ended !== 'complete' || restarts > 0) return [];
  if (missing < Math.max(MISSING_SECONDS, MISSING_SHARE * requested.seconds)) return [];
  return [
    `${count(seconds)} s of the ${count(requested.seconds)} s requested were sampled: the server was slow ` +
      'to answer.',
  ];
}

module.exports = { whyShorter, observe, completeFacts, everyFor, howItEnded };
