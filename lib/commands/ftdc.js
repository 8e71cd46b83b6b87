'use strict';

const { TuneError } = require('../errors');
const { checkOptions, show } = require('../options');
const { interrupted } = require('../context');
const { findFiles } = require('../collect/ftdc/files');
const { Recording } = require('../collect/ftdc/recording');
const { factsOf } = require('../collect/ftdc/facts');
const { Examination } = require('../model/examination');
const { courseNotes, accountNotes, settingsNotes } = require('../render/recorded-notes');
const { recordedAdvice } = require('./shared/recorded-advice');
const { moment, toMs } = require('./shared/moment');

const OPTIONS = { from: moment(), to: moment() };

/**
 * The advice of a server's own diagnostic data, which mongod writes all the time.
 * @param {import('../context').Context} ctx
 * @param {string} place a file of diagnostic.data, the folder, or the dbPath that has it
 * @param {{ from?: Date | string, to?: Date | string }} [options] what to look at; all of it by default
 * @returns {Promise<ReturnType<typeof recordedAdvice>>} with `worst`: the window judged, and `timeline()`: series for plotting
 * @throws {TuneError} TUNE-1xxxx for wrong options, TUNE-4xxxx where there is no recording
 */
async function ftdc(ctx, place, options) {
  if (typeof place !== 'string' || place === '') throw new TuneError('TUNE-10004', `tune.ftdc: give the path of diagnostic.data, not ${show(place)}.`, { value: place, allowed: 'the path of diagnostic.data' });
  const { from, to } = checkOptions('tune.ftdc', OPTIONS, options);
  const recording = new Recording(await findFiles(place), { fromMs: toMs(from), toMs: toMs(to) });
  /** @type {Examination<import('../collect/ftdc/recording').Server>} */
  const exam = new Examination();
  for await (const { stretch, server } of recording.pieces()) {
    if (ctx.signal.aborted) throw interrupted();
    exam.add(stretch, server);
    ctx.progress(`tune.ftdc: ${exam.course.samples} samples; at ${new Date(stretch.atMs[0]).toISOString()}`);
  }
  ctx.progress(null);
  return recordedAdvice(exam, {
    source: 'ftdc', factsOf: (server, sample) => factsOf(server ?? recording.server, sample ?? NO_SAMPLE),
    notesOn: (facts) => [...accountNotes(recording.account), ...courseNotes(exam.course.breaks), ...(exam.span === null ? [] : settingsNotes(facts.config))],
  });
}

/** @type {import('../model/sample').Sample} */
const NO_SAMPLE = Object.freeze({ atMs: NaN, uptimeMs: null, metrics: {} });

module.exports = { ftdc };
