'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { TuneError } = require('../base/pure/errors');
const { checkOptions, flag, number, show } = require('../base/pure/options');
const { report: answer } = require('../text/report');
const { expandHome } = require('../base/expand-home');
const { itemsOf } = require('../report/pure/html/kinds');
const { targetFor, writePage } = require('../base/write-page');

/**
 * @import { Context } from '../base/context'
 * @import { Item } from '../report/types'
 * @import { Report } from '../text/report'
 */

const OPTIONS = {
  of: {
    allowed: 'what tune answered, a list of that, or the path of a recording',
    schema: (/** @type {any} */ v) => v.any(),
  },
  seconds: number({ min: 0.1, max: 86_400 }),
  force: flag(),
};
/** The machine and the collections are looked at so long, at most. */
const SAMPLE_SECONDS = 5;

/**
 * One HTML file of what tune answered, to be looked at and to be sent to others: it asks nothing of
 * any network.
 * @param {Context} ctx
 * @param {string} file that is not there yet
 * @param {{ of?: unknown, seconds?: number, force?: boolean }} [options] `of`: an advice, window,
 *   trial, benchmark, ladder, split plan, recording …, or several
 *   about the same server; without it: an advice of `seconds` (30) from now, with machine and
 *   collections; `force`: write over a file
 * @returns {Promise<ReturnType<typeof dataOf> & Report>}
 * @throws {TuneError} TUNE-1xxxx for wrong options, TUNE-40005 where the file can not be written;
 *   without `of` those of tune.advise()
 */
async function report(ctx, file, options) {
  if (typeof file !== 'string' || file === '')
    throw new TuneError(
      'TUNE-10004',
      `tune.report: give the name of a new file, such as "monday.html", not ${show(file)}.`,
      { value: file, allowed: 'the name of a new file' },
    );
  const { of, seconds, force = false } = checkOptions('tune.report', OPTIONS, options);
  if (of !== undefined && seconds !== undefined)
    throw new TuneError(
      'TUNE-10002',
      'tune.report: "seconds" is for a fresh advice; with "of" nothing is measured.',
      { value: seconds, allowed: '"of" or "seconds"' },
    );
  const target = targetFor(file, force);
  const { values, notes } =
    of === undefined ? await freshAdvice(ctx, seconds ?? 30) : { values: of, notes: [] };
  const items = await itemsOf('tune.report', values, (name) => readRecording(ctx, name));
  const { renderReport } = require('../report/pure/html/pages');
  const { pageAssets } = require('../report/assets');
  const bytes = writePage(
    target,
    renderReport(items, { at: new Date(), assets: pageAssets(), notes }),
  );
  return written(dataOf(target.file, bytes, items));
}

/**
 * @param {string} file
 * @param {number} bytes
 * @param {readonly Item[]} items
 */
const dataOf = (file, bytes, items) => ({
  file,
  bytes,
  host: /** @type {string | null} */ (items.map(({ value }) => value.host).find(Boolean) ?? null),
  of: items.map(({ kind }) => kind.name),
  points: items.reduce((sum, { drawn }) => sum + (drawn?.at.length ?? 0), 0),
  sampleCount: items.reduce((sum, { drawn }) => sum + (drawn?.sampleCount ?? 0), 0),
});

/** @param {ReturnType<typeof dataOf>} data */
const written = (data) =>
  answer(data, (ink) => require('../report/pure/written-page').renderWritten(data, ink));

/**
 * An advice, and what it lies on; where the rest may not be looked at, the page says so.
 * @param {Context} ctx @param {number} seconds
 */
async function freshAdvice(ctx, seconds) {
  const advice = await require('./advise').advise(ctx, { seconds });
  const rest = Math.max(1, Math.min(SAMPLE_SECONDS, Math.round(seconds)));
  /** @type {string[]} */
  const notes = [];
  const unless = async (
    /** @type {string} */ what,
    /** @type {() => Promise<object>} */ takeSample,
  ) =>
    takeSample().catch((error) => {
      notes.push(`${what} could not be looked at: ${error.message}`);
      return null;
    });
  const others = ctx.signal.aborted
    ? []
    : [
        await unless('The machine', () => require('./host').host(ctx, { seconds: rest })),
        await unless('The collections', () =>
          require('./collections').collections(ctx, { seconds: rest }),
        ),
      ];
  return { values: [advice, ...others.filter((one) => one !== null)], notes };
}

/**
 * diagnostic.data is a folder, or files called metrics.…; all else was written by tune.record.
 * @param {Context} ctx
 * @param {string} name
 */
const readRecording = (ctx, name) =>
  /^metrics\./.test(path.basename(name)) || isFolder(expandHome(name))
    ? require('./ftdc').ftdc(ctx, name)
    : require('./replay').replay(ctx, name);

/** @param {string} name what can not be looked at is said by who reads it */
function isFolder(name) {
  try {
    return fs.statSync(name).isDirectory();
  } catch (_unknown) {
    return false;
  }
}

module.exports = { report, dataOf, readRecording, written, OPTIONS };
