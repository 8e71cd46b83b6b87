'use strict';

const { defineCommand } = require('../base/pure/command');
const { number } = require('../base/pure/options');
const { collectFacts } = require('../server/facts');
const { collectTtl, collectTtlWork } = require('../ttl/collect');
const { hoursOf, quietRatio, workOf } = require('../ttl/pure/ttl');
const { mapServerError } = require('../base/server-errors');
const { report } = require('../text/report');
const { ttlNotes, usesAdaptive } = require('../ttl/ttl-notes');

/**
 * @import { TuneError } from '../base/pure/errors'
 * @import { Report } from '../text/report'
 * @import { Seen } from '../ttl/collect'
 * @import { Design } from '../ttl/pure/quiet-window'
 * @import { Quiet } from '../ttl/pure/ttl'
 * @import { Context } from '../base/types'
 * @import { Facts } from '../server/pure/types'
 */

module.exports = defineCommand({
  name: 'ttl',
  group: 'Look',
  order: 8,
  takes: ['options'],
  usage: 'tune.ttl({ startHour, lengthHours })',
  summary: 'Shows what TTL indexes delete, and when',
  details:
    'Where it is worth it, it also shows the commands that move the deletes to a quiet window',
  options: {
    startHour: {
      check: number({ min: 0, max: 23, integer: true }),
      default: 1,
      description: 'first quiet hour of the day, UTC',
    },
    lengthHours: {
      check: number({ min: 1, max: 12, integer: true }),
      default: 4,
      description: 'how many',
    },
  },
  examples: [
    'tune.ttl()',
    'tune.ttl({ startHour: 22, lengthHours: 6 }).designs',
    'tune ttl --startHour 2',
  ],
  changes: 'nothing',
  run: ttl,
});

/**
 * How much work TTL deletion is, which indexes cause it, at which hours their documents are due,
 * and the commands that would move it to quiet hours. Nothing is changed. For the hours up to 1,000
 * documents of each collection are drawn.
 * @param {Context} ctx
 * @param {{ startHour: number, lengthHours: number }} options
 * @returns {Promise<Ttl & Report>} after Ctrl-C or a lost connection:
 *   over what was seen. Figures of
 *   documents are estimates; null is not known
 * @throws {TuneError} TUNE-1xxxx for wrong options, TUNE-2xxxx where the server
 *   cannot be examined
 */
async function ttl(ctx, { startHour, lengthHours }) {
  const refused = (/** @type {unknown} */ error) => {
    throw mapServerError(error, 'serverStatus', ctx.signal);
  };
  const facts = await collectFacts(ctx.port, { hardware: false }).catch(refused);
  const work = await collectTtlWork(ctx).catch(refused);
  const adaptive = await usesAdaptive(ctx, facts);
  const found = await collectTtl(ctx, work.nowMs).finally(() => ctx.progress(null));
  const { renderTtl } = require('./pure/ttl-text');
  const data = dataOf({ facts, work, found, adaptive, quiet: { startHour, lengthHours } });
  return report(data, (ink) => renderTtl(data, ink));
}

/** @typedef {ReturnType<typeof dataOf>} Ttl */

/**
 * Makes the answer's data.
 * @param {{
 *   facts: Facts, work: Awaited<ReturnType<typeof collectTtlWork>>,
 *   found: import('../ttl/types').Ttl, adaptive: boolean, quiet: Quiet
 * }} seen
 */
function dataOf({ facts, work, found, adaptive, quiet }) {
  const due = (/** @type {Seen} */ { expiry }) => expiry?.nextDay ?? -1;
  const indexes = found.seen
    .sort((a, b) => due(b) - due(a) || (a.ns < b.ns ? -1 : 1))
    .map(({ expiry, ...index }) => ({
      ...index,
      expiry,
      quietRatio: expiry && quietRatio(expiry.hours, quiet),
    }));
  const hours = hoursOf(found.due.map(({ expiry }) => expiry));
  return {
    at: new Date(work.nowMs),
    host: facts.host,
    version: facts.version,
    role: facts.role,
    work: { ...workOf(work.status), ...work.monitor },
    collections: found.collections,
    unknown: found.unknown,
    indexes,
    hours,
    quiet: { ...quiet, ratio: hours && quietRatio(hours, quiet) },
    ...designsOf(found, quiet),
    ended: found.ended,
    notes: ttlNotes({ facts, found, adaptive, enabled: work.monitor.enabled }),
  };
}

/**
 * Finds how each collection's deletes could move to the quiet hours.
 * @param {import('../ttl/types').Ttl} found
 * @param {Quiet} quiet
 */
function designsOf({ seen, due }, quiet) {
  const { whyNot, offPeakDesign } = require('../ttl/pure/quiet-window');
  /** @type {Design[]} */ const designs = [];
  /** @type {{ ns: string, because: string, worth: boolean }[]} */ const undesigned = [];
  for (const ns of new Set(seen.map((index) => index.ns))) {
    const indexes = seen.filter((index) => index.ns === ns);
    const why = whyNot(
      indexes,
      due.filter((collection) => collection.ns === ns).map(({ expiry }) => expiry),
      quiet,
    );
    if (why) undesigned.push({ ns, ...why });
    else designs.push(offPeakDesign(indexes, quiet));
  }
  return { designs, undesigned };
}
