'use strict';

const { MiB } = require('../base/pure/units');
const { interrupted } = require('../base/context');
const { TuneError } = require('../base/pure/errors');
const { expandHome } = require('../base/named-files');
const { recordedConfig } = require('../config/effective-config');
const { RecordingScan } = require('../series/recording-scan');
const { NO_FACTS } = require('../server/pure/facts');
const { continuityNotes, seriesNotes, settingsNotes } = require('./pure/recorded-notes');
const { StatusRecording } = require('./recording');

/**
 * @import { Context } from '../base/types'
 * @import { Config } from '../config/types'
 * @import { Sample } from '../server/pure/sample'
 * @import { Facts } from '../server/pure/types'
 * @import { Known } from './recording'
 */

/**
 * @typedef {{
 *   memoryMB?: number | null, memLimitMB?: number | null, cores?: number | null,
 *   dataMB?: number | null, syncdelaySeconds?: number | null
 * }} Given
 */

/**
 * Reads recordings of one server.
 * @param {Context} ctx
 * @param {string[]} names
 * @param {{ span: { fromMs?: number, toMs?: number }, given: Given }} asked
 */
async function readRecordings(ctx, names, { span, given }) {
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
    `None of the ${lines} lines of ${files.join(', ')} is a serverStatus document with a time ` +
      '(localTime, t or uptime).',
    { value: files.join(', ') },
  );
}

/**
 * Makes the facts besides the samples: those recorded, or given by the user.
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

/** Reads what the user gives of the machine. @param {Given} given */
const machineOf = ({ memoryMB, memLimitMB, cores, dataMB }) => ({
  memoryBytes: bytes(memoryMB),
  memLimitBytes: bytes(memLimitMB),
  cores: cores ?? null,
  dataBytes: bytes(dataMB),
});

/** @param {number | null | undefined} mebibytes */
const bytes = (mebibytes) =>
  mebibytes === undefined || mebibytes === null ? null : mebibytes * MiB;

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

module.exports = { readRecordings };
