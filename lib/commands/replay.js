'use strict';

const { defineCommand } = require('../base/pure/command');
const { TuneError } = require('../base/pure/errors');
const { checkOptions, number, show } = require('../base/pure/options');
const { interrupted } = require('../base/context');
const { StatusRecording } = require('../recording/recording');
const { RecordingScan } = require('../series/recording-scan');
const { NO_FACTS } = require('../server/pure/facts');
const { recordedConfig } = require('../config/recorded-config');
const { continuityNotes, seriesNotes, settingsNotes } = require('../recording/pure/recorded-notes');
const { recordedAdvice } = require('../recording/recorded-advice');
const { SPAN_OPTIONS, spanOf } = require('../recording/span');
const { expandHome } = require('../base/expand-home');

/**
 * @import { Known } from '../recording/recording'
 * @import { Config } from '../config/types'
 * @import { Sample } from '../server/pure/sample'
 * @import { Context } from '../base/types'
 * @import { Facts } from '../server/pure/types'
 */

/**
 * @typedef {{
 *   memoryMB?: number | null, memLimitMB?: number | null, cores?: number | null,
 *   dataMB?: number | null, syncdelaySeconds?: number | null
 * }} Given
 */

const MIB = 2 ** 20;
const FACTS = {
  memoryMB: number({ min: 1 }),
  memLimitMB: number({ min: 1 }),
  cores: number({ min: 1 }),
  dataMB: number({ min: 0 }),
  syncdelaySeconds: number({ min: 1 }),
};
module.exports = defineCommand({
  name: 'replay',
  group: 'recordings',
  order: 2,
  takes: ['text', 'options'],
  usage: 'tune.replay(file, {facts,from,to,compare})',
  summary: 'The advice of such a file, or of lines of db.serverStatus()',
  options: {
    facts: {
      check: {
        allowed: `an object such as { memoryMB: 64000, cores: 16 }, of ${Object.keys(FACTS).join(', ')}`,
        schema: (/** @type {any} */ v) =>
          v.custom(
            (/** @type {unknown} */ value) =>
              value !== null && typeof value === 'object' && !Array.isArray(value),
          ),
      },
      description: 'what the file does not tell, such as { memoryMB: 64000, cores: 16 }',
    },
    ...SPAN_OPTIONS,
    compare: {
      check: {
        allowed: 'the name of a recording, or a list of them',
        schema: (/** @type {any} */ v) =>
          v.custom((/** @type {unknown} */ value) => areNames([value].flat())),
      },
      description: 'another recording, to be set beside it',
    },
  },
  examples: [
    'tune.replay("monday.ndjson.gz")',
    'tune.replay("tuesday.ndjson", { compare: "monday.ndjson.gz" })',
    'tune replay tuesday.ndjson --facts {cores: 16}',
  ],
  changes: 'nothing',
  run: replay,
});

/** @param {readonly unknown[]} names */
const areNames = (names) =>
  names.length > 0 && names.every((name) => typeof name === 'string' && name !== '');

/**
 * The advice of a recording: what tune.record wrote, or lines of db.serverStatus() that anybody
 * kept.
 * @param {Context} ctx
 * @param {string | string[]} file or several of one server, in any order
 * @param {{ facts?: Given, from?: Date | string, to?: Date | string, compare?: string | string[] }} options
 * @returns {Promise<ReturnType<typeof recordedAdvice>>} with `worst`: the window judged,
 *   `timeline()`: series for plotting, and
 *   `compared` where that was asked for
 * @throws {TuneError} TUNE-1xxxx for wrong options, TUNE-40002, TUNE-40004 where no line is a
 *   server status
 */
async function replay(ctx, file, { facts = {}, compare, ...wanted }) {
  const files = [file].flat();
  if (!areNames(files))
    throw new TuneError(
      'TUNE-10004',
      `tune.replay: give the name of a recording, not ${show(file)}.`,
      { value: file, allowed: 'the name of a recording' },
    );
  const given = checkOptions(
    'tune.replay facts',
    FACTS,
    Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== null)),
  );
  const span = spanOf('tune.replay', wanted);
  try {
    const before =
      compare === undefined
        ? null
        : await readRecording(ctx, [compare].flat(), { span: {}, given });
    return recordedAdvice(await readRecording(ctx, files, { span, given }), before);
  } finally {
    ctx.progress(null);
  }
}

/**
 * Reads recordings of one server.
 * @param {Context} ctx
 * @param {string[]} names
 * @param {{ span: { fromMs?: number, toMs?: number }, given: Given }} asked
 */
async function readRecording(ctx, names, { span, given }) {
  const files = names.map(expandHome);
  const recording = new StatusRecording(files, span);
  /** @type {RecordingScan<Known>} */
  const scan = new RecordingScan();
  for await (const { block, known } of recording.pieces()) {
    if (ctx.signal.aborted) throw interrupted();
    scan.add(block, known);
    ctx.progress(`tune.replay: ${scan.gaps.samples} samples`);
  }
  refuseNothing(recording);
  return {
    scan,
    files,
    about: {
      source: /** @type {const} */ ('recording'),
      factsOf: (/** @type {Known | null} */ known, /** @type {Sample | null} */ sample) =>
        factsOf(known ?? recording.known, { sample, given }),
      covers: recording.account,
      notesOn: (/** @type {Facts} */ { config }) => [
        ...seriesNotes(recording.account),
        ...continuityNotes(scan.gaps.breaks),
        ...(scan.span === null ? [] : settingsNotes(config)),
      ],
    },
  };
}

/** Refuses a file in which there is no sample. @param {StatusRecording} recording */
function refuseNothing({ files, account: { lines, garbled } }) {
  if (lines === 0 || garbled < lines) return;
  throw new TuneError(
    'TUNE-40004',
    `None of the ${lines} lines of ${files.join(', ')} is a server status with a time ` +
      '(localTime, t or uptime).',
    { value: files.join(', ') },
  );
}

/**
 * What is known besides the samples: recorded, or given by the user.
 * @param {Known} known
 * @param {{ sample: Sample | null, given: Given }} asked
 * @returns {Facts}
 */
function factsOf({ identity: { process, ...identity }, facts: reported }, { sample, given }) {
  const named = Object.fromEntries(
    Object.entries({ ...identity, ...machineOf(given) }).filter(([, value]) => value !== null),
  );
  const facts = {
    ...NO_FACTS,
    ...reported,
    ...named,
    ...(process?.includes('mongos') && { role: /** @type {const} */ ('mongos') }),
  };
  const live = sample?.counters ?? {};
  const config =
    facts.config ??
    recordedConfig({
      startup: null,
      engineStrings: [],
      memoryBytes: facts.memLimitBytes ?? facts.memoryBytes,
      live,
    });
  return { ...facts, config: withSyncdelay(config, given.syncdelaySeconds ?? null) };
}

/** What the user says of the machine. @param {Given} given */
const machineOf = ({ memoryMB, memLimitMB, cores, dataMB }) => ({
  memoryBytes: bytes(memoryMB),
  memLimitBytes: bytes(memLimitMB),
  cores: cores ?? null,
  dataBytes: bytes(dataMB),
});

/** @param {number | null | undefined} mebibytes */
const bytes = (mebibytes) =>
  mebibytes === undefined || mebibytes === null ? null : mebibytes * MIB;

/**
 * A configuration with another time between checkpoints.
 * @param {Config} config
 * @param {number | null} seconds
 * @returns {Config}
 */
const withSyncdelay = (config, seconds) =>
  seconds === null
    ? config
    : {
        ...config,
        syncdelaySeconds: { value: seconds, from: 'startup', default: 60, sinceRestart: false },
      };
