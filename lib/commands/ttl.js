'use strict';

const { checkOptions, number } = require('../options');
const { collectFacts } = require('../collect/facts');
const { collectTtl, collectTtlWork } = require('../collect/ttl');
const { hoursOf, quietRatio, workOf } = require('../model/ttl');
const { compareVersions } = require('../model/version');
const { canMove, offPeakDesign } = require('../plan/off-peak');
const { mapServerError } = require('../server-errors');
const { report } = require('../render/report');

const OPTIONS = { hour: number({ min: 0, max: 23, integer: true }), hours: number({ min: 1, max: 12, integer: true }) };
/** https://github.com/mongodb/docs/pull/4886: net.serviceExecutor was removed in 5.0. */
const NO_EXECUTOR_SINCE = '5.0.0';

/**
 * How much work TTL deletion is, which indexes cause it, at which hours their documents are due, and the commands that would
 * move it to quiet hours. Nothing is changed. For the hours up to 1,000 documents of each index are drawn.
 * @param {import('../context').Context} ctx
 * @param {{ hour?: number, hours?: number }} [options] the quiet hours: their first hour of day (UTC), and how many
 * @returns {Promise<Ttl & import('../render/report').Report>} after Ctrl-C or a lost connection: over what was seen. Figures of
 *   documents are estimates; null is not known
 * @throws {import('../errors').TuneError} TUNE-1xxxx for wrong options, TUNE-2xxxx where the server can not be examined
 */
async function ttl(ctx, options) {
  const { hour = 1, hours = 4 } = checkOptions('tune.ttl', OPTIONS, options);
  const refused = (/** @type {unknown} */ error) => { throw mapServerError(error, 'serverStatus', ctx.signal); };
  const facts = await collectFacts(ctx.port, { hardware: false }).catch(refused);
  const work = await collectTtlWork(ctx).catch(refused);
  const found = await collectTtl(ctx, work.nowMs).finally(() => ctx.progress(null));
  const { renderTtl } = require('../render/ttl');
  const data = dataOf({ facts, work, found, quiet: { hour, hours } });
  return report(data, (ink) => renderTtl(data, ink));
}

/** @typedef {ReturnType<typeof dataOf>} Ttl */

/**
 * @param {{ facts: import('../model/facts').Facts, work: Awaited<ReturnType<typeof collectTtlWork>>, found: import('../collect/ttl').Ttl,
 *   quiet: import('../model/ttl').Quiet }} seen
 */
function dataOf({ facts, work, found, quiet }) {
  const due = (/** @type {import('../collect/ttl').Seen} */ { expiry }) => expiry?.nextDay ?? -1;
  const indexes = found.seen.sort((a, b) => due(b) - due(a) || (a.ns < b.ns ? -1 : 1))
    .map(({ expiry, ...index }) => ({ ...index, expiry, quietRatio: expiry && quietRatio(expiry.hours, quiet) }));
  const hours = hoursOf(indexes.map(({ expiry }) => expiry));
  return {
    at: new Date(work.nowMs), host: facts.host, version: facts.version, role: facts.role, work: { ...workOf(work.status), ...work.monitor },
    indexes, hours, quiet: { ...quiet, ratio: hours && quietRatio(hours, quiet) },
    designs: indexes.filter((index) => canMove(index, index.quietRatio)).map((index) => offPeakDesign(index, quiet)),
    ended: found.ended, notes: [...howItEnded(found), ...remarks(facts, work.monitor.enabled), ...found.notes, ...refusals(found)],
  };
}

/** @param {import('../collect/ttl').Ttl} found @returns {string[]} */
function howItEnded({ ended, error, collections, asked }) {
  const seen = `after ${collections} of ${asked} collections`;
  if (ended === 'interrupted') return [`Interrupted ${seen}; this is what was seen until then.`];
  return ended === 'lost' ? [`The connection was lost ${seen} (${mapServerError(error, 'listIndexes').message}); this is what was seen until then.`] : [];
}

/** @param {import('../collect/ttl').Ttl} found @returns {string[]} */
const refusals = ({ refused }) => [...refused].map(([what, { count, message }]) => `${what} was refused for ${count} ${count === 1 ? 'collection' : 'collections'}: ${message}`);

/** @param {import('../model/facts').Facts} facts @param {boolean | null} enabled @returns {string[]} */
function remarks({ role, version }, enabled) {
  const old = version !== null && compareVersions(version, NO_EXECUTOR_SINCE) < 0;
  return [
    ...(role === 'secondary' ? ['TTL deletes on the primary; a secondary only repeats its deletes, which its own counters do not show.'] : []),
    ...(enabled === false ? ['TTL deletion is switched off here (ttlMonitorEnabled: false): what is overdue stays.'] : []),
    ...(version === null ? [] : [old
      ? 'net.serviceExecutor: adaptive, which went with this design elsewhere, exists in this release, deprecated and gone with 5.0: better left alone.'
      : `net.serviceExecutor: adaptive, which went with this design elsewhere, is gone since 5.0: ${version} would refuse to start with it.`]),
  ];
}

module.exports = { ttl };
