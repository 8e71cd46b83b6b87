'use strict';

const { defineCommand } = require('../base/pure/command');
const { WHOLE_STATUS } = require('../server/pure/commands');
const { TuneError } = require('../base/pure/errors');
const { number, show } = require('../base/pure/options');
const { sleep } = require('../base/context');
const { mapServerError } = require('../base/server-errors');
const { collectFacts, collectDataBytes } = require('../server/facts');
const { diagnosticsReader, withDiagnostics } = require('../server/sampler');
const { RecordingFile } = require('../recording/recording-file');
const { report } = require('../text/report');
const { expandHome } = require('../base/named-files');
const { watchMachine } = require('../host/examine-host');
const { completeFacts } = require('../observe/observe');
const { collectSettings } = require('../observe/settings');
const { MS_PER_SECOND } = require('../base/pure/units');

/**
 * @import { Report } from '../text/report'
 * @import { Context } from '../base/types'
 * @import { Facts } from '../server/pure/types'
 */

module.exports = defineCommand({
  name: 'record',
  group: 'Record and report',
  order: 1,
  takes: ['text', 'options'],
  usage: 'tune.record(output, { seconds, … })',
  summary: 'Records serverStatus samples into a file',
  options: {
    seconds: { check: number({ min: 1, max: 7 * 86_400 }), default: 60, description: 'how long' },
    everySeconds: {
      check: number({ min: 0.1, max: 3600 }),
      default: 1,
      description: 'sampling interval',
    },
  },
  examples: [
    'tune.record("monday.ndjson.gz", { seconds: 60 })',
    'tune record tuesday.ndjson --seconds 60',
  ],
  changes: 'nothing',
  onMongos: 'record each member over a direct connection',
  run: record,
});

/**
 * Writes what a server reports of itself into a file, to be examined anywhere, at any time, with
 * tune.replay.
 * @param {Context} ctx
 * @param {string} file must not exist yet; it is gzipped when its name ends in .gz
 * @param {{ seconds: number, everySeconds: number }} options
 * @returns {Promise<ReturnType<typeof dataOf> & Report>} also after
 *   Ctrl-C: the file is whole at any time
 * @throws {TuneError} TUNE-1xxxx for wrong options, TUNE-2xxxx where the server cannot be
 *   examined, TUNE-40005
 */
async function record(ctx, file, { seconds, everySeconds }) {
  if (typeof file !== 'string' || file === '')
    throw new TuneError(
      'TUNE-10004',
      `tune.record: give the name of a new file, not ${show(file)}.`,
      { value: file, allowed: 'the name of a new file' },
    );
  const facts = await knownFacts(ctx);
  const target = new RecordingFile(expandHome(file));
  try {
    await target.writeFacts(facts);
    const taken = await writeSamples(ctx, target, { seconds, every: everySeconds });
    await target.close();
    const { renderRecord } = require('../recording/pure/recorded-text');
    const data = dataOf(target, facts, taken);
    return report(data, (ink) => renderRecord(data, ink));
  } finally {
    ctx.progress(null);
    await target.close();
  }
}

/**
 * Makes the answer's data.
 * @param {RecordingFile} target
 * @param {Facts} facts
 * @param {Awaited<ReturnType<typeof writeSamples>>} taken
 */
const dataOf = ({ file, bytes }, { host, version }, { samples, seconds, ended, notes }) => ({
  file,
  bytes,
  host,
  version,
  samples,
  seconds,
  ended,
  notes,
});

/**
 * Reads the facts of the server besides its counters.
 * @param {Context} ctx
 * @returns {Promise<Facts>}
 */
async function knownFacts(ctx) {
  const basics = await collectFacts(ctx.port);
  const [settings, dataBytes, machine] = await Promise.all([
    // A value that the user may not read stays unknown, as on a live server.
    collectSettings(ctx, basics).catch(() => null),
    collectDataBytes(ctx.port),
    // Keep only what does not change; the rest comes with each line.
    watchMachine(ctx)
      .end()
      .catch(() => null),
  ]);
  return completeFacts(basics, { settings, dataBytes, machine: machine?.part ?? null });
}

/**
 * Writes a line for each sample, until the time is over.
 * @param {Context} ctx
 * @param {RecordingFile} target
 * @param {{ seconds: number, every: number }} pace
 * @returns {Promise<{ samples: number, seconds: number, ended: 'complete' | 'interrupted' | 'lost',
 *   notes: string[] }>}
 */
async function writeSamples(ctx, target, { seconds, every }) {
  const started = performance.now();
  const passed = () => (performance.now() - started) / MS_PER_SECOND;
  const readDiagnostics = diagnosticsReader(ctx.port);
  let samples = 0;
  try {
    for (let due = 0; due <= seconds + every / 2; due += every) {
      await sleep(Math.max(0, (due - passed()) * MS_PER_SECOND), ctx.signal);
      await target.writeLine(
        await withDiagnostics(ctx.port.adminCommand(WHOLE_STATUS), readDiagnostics),
      );
      samples++;
      ctx.progress(
        `tune.record: ${samples} of ${Math.floor(seconds / every) + 1} lines in ` +
          `${target.file}; Ctrl-C ends it`,
      );
    }
    return { samples, seconds: passed(), ended: 'complete', notes: [] };
  } catch (cause) {
    if (cause instanceof TuneError && cause.code !== 'TUNE-30009' && !ctx.signal.aborted)
      throw cause;
    const error = mapServerError(cause, 'serverStatus', ctx.signal);
    const ended = ctx.signal.aborted ? 'interrupted' : 'lost';
    return {
      samples,
      seconds: passed(),
      ended,
      notes:
        ended === 'lost'
          ? [`The connection was lost (${error.message}); the samples before that are in the file.`]
          : [],
    };
  }
}
