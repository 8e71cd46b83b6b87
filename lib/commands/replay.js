'use strict';

const { defineCommand } = require('../base/pure/command');
const { TuneError } = require('../base/pure/errors');
const { checkOptions, number, show } = require('../base/pure/options');
const { recordedAdvice } = require('../recording/recorded-advice');
const { readRecordings } = require('../recording/read-recordings');
const { SPAN_OPTIONS, spanOf } = require('../recording/pure/moment');

/**
 * @import { Given } from '../recording/read-recordings'
 * @import { Context } from '../base/types'
 */

const FACTS = {
  memoryMB: number({ min: 1 }),
  memLimitMB: number({ min: 1 }),
  cores: number({ min: 1 }),
  dataMB: number({ min: 0 }),
  syncdelaySeconds: number({ min: 1 }),
};
module.exports = defineCommand({
  name: 'replay',
  group: 'Record and report',
  order: 2,
  takes: ['text', 'options'],
  usage: 'tune.replay(file, {facts,from,to,compare})',
  summary: 'Diagnoses a recording, or saved serverStatus output',
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
      description: 'facts that the file does not have, such as { memoryMB: 64000, cores: 16 }',
    },
    ...SPAN_OPTIONS,
    compare: {
      check: {
        allowed: 'the name of a recording, or a list of them',
        schema: (/** @type {any} */ v) =>
          v.custom((/** @type {unknown} */ value) => areNames([value].flat())),
      },
      description: 'another recording to compare with',
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
 * @param {string | string[]} file one file, or several of one server in any order
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
        : await readRecordings(ctx, [compare].flat(), { span: {}, given });
    return recordedAdvice(await readRecordings(ctx, files, { span, given }), before);
  } finally {
    ctx.progress(null);
  }
}
