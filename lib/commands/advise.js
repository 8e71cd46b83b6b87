'use strict';

const { checkOptions, number, flag } = require('../options');
const { diagnose } = require('../diagnose/diagnose');
const { loadRules } = require('../load-rules');
const { report } = require('../render/report');
const { gather } = require('./shared/gather');
const { confText } = require('./shared/conf-text');

const OPTIONS = { seconds: number({ min: 0.1, max: 86_400 }), host: flag() };
/** Enough samples for a median, few enough for a window of a day. */
const MOST_SAMPLES = 600;

/**
 * Looks at the server for a while and names what holds it back, with the change that helps, or that nothing should change.
 * @param {import('../context').Context} ctx
 * @param {{ seconds?: number, host?: boolean }} [options] `seconds` to look; `host: false` leaves out what is known of the
 *   machine (memory, cores, what the server's diagnostic data tells of disks and processors)
 * @returns {Promise<Advice & import('../render/report').Report>} after Ctrl-C or a lost connection: over what was seen until then
 * @throws {import('../errors').TuneError} TUNE-1xxxx for wrong options, TUNE-2xxxx where the server can not be examined
 */
async function advise(ctx, options) {
  const { seconds = 30, host = true } = checkOptions('tune.advise', OPTIONS, options);
  const look = await gather(ctx, {
    seconds, every: Math.min(Math.max(1, seconds / MOST_SAMPLES), seconds), dataBytes: host, hardware: host, machine: host,
    onSample: (_, all) => ctx.progress(`tune.advise: ${all.length} of ${Math.floor(seconds) + 1} looks; Ctrl-C answers from what was seen`),
  }).finally(() => ctx.progress(null));
  return adviceOf(look, 'live');
}

/** @typedef {ReturnType<typeof dataOf>} Advice */

/** @param {import('./shared/gather').Look} look @param {'live'} source */
function adviceOf(look, source) {
  const { renderAdvice } = require('../render/advice');
  const data = dataOf(look, source);
  return report(data, (ink) => renderAdvice(data, ink));
}

/** @param {Pick<import('./shared/gather').Look, 'facts' | 'window' | 'notes'>} look @param {'live' | 'ftdc' | 'recording'} source */
function dataOf({ facts, window, notes }, source) {
  const { bottleneck, because, evidence, runnerUp, findings, change, explain } = diagnose({ window, facts, rules: loadRules() });
  return {
    at: window.to, host: facts.host, version: facts.version, source,
    window: { from: window.from, to: window.to, samples: window.samples.length },
    bottleneck, because, evidence, runnerUp, findings, change, explain,
    conf: change === null ? null : confText(change, facts.config), notes,
  };
}

module.exports = { advise, dataOf };
