'use strict';

const { makeWindow, secondsBetween } = require('../server/pure/window');
const { readWindow } = require('../server/pure/readings');
const { NO_FACTS } = require('../server/pure/facts');
const { Trail } = require('../series/trail');
const { visible } = require('../base/pure/visible');
const { gather } = require('../observe/gather');
const { thin } = require('../observe/thin');

/**
 * What a watch prints where it is not a live screen: a line for each look, as a table or as JSON.
 * @typedef {import('../base/context').Context} Context
 * @typedef {import('../observe/gather').Look & { trail: Trail }} Seen `trail`: of each look that there was
 * @typedef {{ every: number, seconds: number }} Pace
 * @typedef {(sample: import('../server/pure/sample').Sample, readings:
 *   import('../server/pure/readings').Readings, seconds: number) => void} OnReadings
 */

/** @param {Context} ctx @param {Pace} pace @returns {Promise<Seen>} */
function watchLines(ctx, pace) {
  const { makeWatchLines } = require('./pure/watch-text');
  const lines = makeWatchLines(
    ctx.terminal.isTTY ? { rows: ctx.terminal.rows, width: ctx.terminal.columns } : {},
  );
  const print = (/** @type {string[]} */ text) =>
    text.forEach((line) => ctx.terminal.write(`${line}\n`));
  return lookOn(ctx, pace, {
    onFacts: (facts) => print(lines.title(facts)),
    onReadings: (sample, readings) => print(lines.next(sample, readings)),
  });
}

/**
 * One object a line (NDJSON), of the time since the look before.
 * @param {Context} ctx
 * @param {Pace} pace
 * @returns {Promise<Seen>}
 */
function watchJson(ctx, pace) {
  let host = /** @type {string | null} */ (null);
  return lookOn(ctx, pace, {
    onFacts: (facts) => {
      host = facts.host;
    },
    onReadings: (sample, readings, seconds) =>
      ctx.terminal.write(
        `${visible(JSON.stringify({ at: new Date(sample.atMs), host, seconds, readings }))}\n`,
      ),
  });
}

/**
 * @param {Context} ctx
 * @param {Pace} pace
 * @param {{ onFacts(facts: import('../server/pure/facts').Facts): void, onReadings: OnReadings }}
 *   on
 * @returns {Promise<Seen>}
 */
async function lookOn(ctx, { every, seconds }, { onFacts, onReadings }) {
  const trail = new Trail(every);
  /** @type {import('../server/pure/sample').Sample | undefined} */
  let before;
  const look = await gather(ctx, {
    seconds,
    every,
    onFacts,
    onSample: (sample, all) => {
      const passed = before ? secondsBetween(before, sample) : 0;
      if (before && passed > 0)
        onReadings(sample, readWindow(makeWindow([before, sample]), NO_FACTS), passed);
      before = sample;
      trail.add(sample);
      thin(all);
    },
  });
  return { ...look, trail };
}

module.exports = { watchLines, watchJson };
