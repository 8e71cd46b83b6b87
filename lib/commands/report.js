'use strict';

const { defineCommand } = require('../base/pure/command');
const { TuneError } = require('../base/pure/errors');
const { flag, number, show } = require('../base/pure/options');
const { itemsOf } = require('../report/pure/html/kinds');
const { targetFor } = require('../base/named-files');
const { isDiagnosticData, writeReport } = require('../report/write-report');

/**
 * @import { Context } from '../base/types'
 */

module.exports = defineCommand({
  name: 'report',
  group: 'Record and report',
  order: 4,
  takes: ['text', 'options'],
  usage: 'tune.report(output, { of, seconds, force })',
  summary: 'Writes an answer as one HTML page with charts',
  details: 'The page is self-contained and loads nothing from any network',
  options: {
    of: {
      check: {
        allowed: 'what tune answered, a list of that, or the path of a recording',
        schema: (/** @type {any} */ v) => v.any(),
      },
      defaultText: 'a new advice, with machine and collections',
      description: 'what tune answered, a list of that, or the path of a recording',
    },
    seconds: {
      check: number({ min: 0.1, max: 86_400 }),
      default: 30,
      description: 'how long to sample for the new advice',
    },
    force: { check: flag(), default: false, description: 'overwrite an existing file' },
  },
  examples: [
    'tune.report("now.html", { seconds: 30 })',
    'tune.report("monday.html", { of: tune.replay("monday.ndjson.gz") })',
    'tune report old.html --of /var/lib/mongodb',
  ],
  changes: 'nothing',
  onMongos: 'connect to a member of the shard, or give an existing answer',
  run: report,
});

/** The machine and the collections are sampled for at most this time. */
const SAMPLE_SECONDS = 5;

/**
 * One HTML file of what tune answered, to be read and to be sent to others: it asks nothing of
 * any network.
 * @param {Context} ctx
 * @param {string} file must not exist yet
 * @param {{ of?: unknown, seconds: number, force: boolean }} options
 * @param {{ seconds?: number }} given
 * @returns {Promise<ReturnType<typeof writeReport>>}
 * @throws {TuneError} TUNE-1xxxx for wrong options, TUNE-40005 where the file cannot be written;
 *   without `of` those of tune.advise()
 */
async function report(ctx, file, { of, seconds, force }, given) {
  if (typeof file !== 'string' || file === '')
    throw new TuneError(
      'TUNE-10004',
      `tune.report: give the name of a new file, such as "monday.html", not ${show(file)}.`,
      { value: file, allowed: 'the name of a new file' },
    );
  if (of !== undefined && given.seconds !== undefined)
    throw new TuneError(
      'TUNE-10002',
      'tune.report: "seconds" is for a new advice; with "of" nothing is sampled.',
      { value: given.seconds, allowed: '"of" or "seconds"' },
    );
  const target = targetFor(file, force);
  const { values, notes } =
    of === undefined ? await freshAdvice(ctx, seconds) : { values: of, notes: [] };
  const items = await itemsOf('tune.report', values, (name) =>
    require(isDiagnosticData(name) ? './ftdc' : './replay').run(ctx, name),
  );
  const { renderReport } = require('../report/pure/html/page');
  const { pageAssets } = require('../report/write-report');
  return writeReport(
    target,
    renderReport(items, { at: new Date(), assets: pageAssets(), notes }),
    items,
  );
}

/**
 * Makes an advice, with the machine and the collections; where the user may not read those, the
 * page says so.
 * @param {Context} ctx @param {number} seconds
 */
async function freshAdvice(ctx, seconds) {
  const advice = await require('./advise').run(ctx, { seconds });
  const rest = Math.max(1, Math.min(SAMPLE_SECONDS, Math.round(seconds)));
  /** @type {string[]} */
  const notes = [];
  const unless = async (
    /** @type {string} */ what,
    /** @type {() => Promise<object>} */ takeSample,
  ) =>
    takeSample().catch((error) => {
      notes.push(`${what} could not be checked: ${error.message}`);
      return null;
    });
  const others = ctx.signal.aborted
    ? []
    : [
        await unless('The machine', () => require('./host').run(ctx, { seconds: rest })),
        await unless('The collections', () => require('./collections').run(ctx, { seconds: rest })),
      ];
  return { values: [advice, ...others.filter((value) => value !== null)], notes };
}
