'use strict';

const { checkOptions, number } = require('../options');
const { makeWindow, secondsBetween } = require('../model/window');
const { readWindow } = require('../model/readings');
const { NO_FACTS } = require('../model/facts');
const { report } = require('../render/report');
const { gather } = require('./shared/gather');
const { thin } = require('./shared/thin');

const OPTIONS = { every: number({ min: 0.1, max: 3600 }), seconds: number({ min: 0.1, max: 7 * 86_400 }) };
/** "Until Ctrl-C" as a number: longer than any shell lives. */
const FOR_EVER_SECONDS = 7 * 86_400;

/**
 * One line for each look, until the time is over or Ctrl-C.
 * @param {import('../context').Context} ctx
 * @param {{ every?: number, seconds?: number }} [options] seconds between two looks; seconds in all
 * @returns {Promise<Watched & import('../render/report').Report>} the window it saw; counters over all of it, also after hours
 * @throws {import('../errors').TuneError} TUNE-1xxxx for wrong options, TUNE-2xxxx where the server can not be examined
 */
async function watch(ctx, options) {
  const { every = 1, seconds = FOR_EVER_SECONDS } = checkOptions('tune.watch', OPTIONS, options);
  const { makeWatchLines } = require('../render/watch');
  const lines = makeWatchLines(ctx.terminal.isTTY ? { rows: ctx.terminal.rows, width: ctx.terminal.columns } : {});
  const print = (/** @type {string[]} */ text) => text.forEach((line) => ctx.terminal.write(`${line}\n`));
  /** @type {import('../model/sample').Sample | undefined} */
  let before;
  const look = await gather(ctx, {
    seconds, every: Math.min(every, seconds),
    onFacts: (facts) => print(lines.title(facts)),
    onSample: (sample, all) => {
      if (before && secondsBetween(before, sample) > 0) print(lines.next(sample, readWindow(makeWindow([before, sample]), NO_FACTS)));
      before = sample;
      thin(all);
    },
  });
  return watched(look);
}

/** @typedef {ReturnType<typeof dataOf>} Watched */

/** @param {import('./shared/gather').Look} look */
function watched(look) {
  const { renderWatched } = require('../render/watch');
  const data = dataOf(look);
  return report(data, (ink) => renderWatched(data, ink));
}

/** @param {import('./shared/gather').Look} look */
const dataOf = ({ facts, window, notes, ended }) => ({
  host: facts.host, version: facts.version, from: window.from, to: window.to, seconds: window.seconds, samples: window.samples.length,
  restarts: window.restarts, ended, readings: readWindow(window, facts), notes,
});

module.exports = { watch };
