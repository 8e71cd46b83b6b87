'use strict';

const { collectServer, collectDataBytes } = require('../server/facts');
const { collectSamples } = require('../server/sampler');
const { makeWindow } = require('../server/pure/window');
const { TuneError } = require('../base/pure/errors');
const { mapServerError } = require('../base/server-errors');
const { collectSettings } = require('./settings');

/**
 * @import { Context } from '../base/context'
 * @import { Facts } from '../server/pure/facts'
 * @import { Sample } from '../server/pure/sample'
 * @import { Window } from '../server/pure/window'
 */

/**
 * @typedef {{
 *   facts: Facts, window: Window,
 *   ended: 'complete' | 'interrupted' | 'lost', notes: string[]
 * }} Gathered what a command knows after looking at a server for a while
 */

/**
 * @param {Context} ctx
 * @param {{
 *   seconds: number, every?: number, dataBytes?: boolean, hardware?: boolean, machine?: boolean,
 *   onSample?: (sample: Sample, all: Sample[]) => void,
 *   onFacts?: (facts: Facts) => void
 * }} options
 * @returns {Promise<Gathered>}
 */
async function gather(
  ctx,
  {
    seconds,
    every = 1,
    dataBytes = false,
    hardware = true,
    machine = false,
    onSample,
    onFacts = () => {},
  },
) {
  const { facts: basics, run } = await collectServer(ctx.port, { hardware }).catch(rethrow);
  onFacts(basics);
  const [sampled, settings, bytes] = await Promise.all([
    collectSamples(ctx, { seconds, every, machine, onSample }).catch(rethrow),
    collectSettings(ctx, { ...basics, run }).catch((error) => ({
      config: null,
      history: null,
      notes: [`Settings not known: ${error.message}`],
    })),
    dataBytes ? collectDataBytes(ctx.port) : null,
  ]);
  refuseEmpty(sampled.samples);
  const window = makeWindow(sampled.samples);
  return {
    facts: {
      ...basics,
      config: settings.config,
      journalCommitMs: settings.history?.journalCommitMs ?? null,
      dataBytes: bytes,
    },
    window,
    ended: sampled.ended,
    notes: [...howItEnded(sampled, window), ...settings.notes],
  };
}

/** Enough samples for a median, few enough for a window of a day. */
const MAX_SAMPLES = 600;

/**
 * @param {number} seconds of a sample
 * @param {number} [max] samples of it, about
 * @returns {number} seconds from one to the next: no less than one, but for a shorter look
 */
const everyFor = (seconds, max = MAX_SAMPLES) => Math.min(seconds, Math.max(1, seconds / max));

/** @param {unknown} error @returns {never} */
function rethrow(error) {
  throw mapServerError(error, 'serverStatus');
}

/** @param {readonly Sample[]} samples */
function refuseEmpty(samples) {
  if (samples.some((sample) => sample.counters['cache.maxBytes'] !== undefined)) return;
  throw new TuneError(
    'TUNE-20009',
    'serverStatus came without its "wiredTiger" section, so nothing is known of the cache.',
    { seen: samples },
  );
}

/**
 * @param {{ ended: Gathered['ended'], error: Error | null }} sampled
 * @param {Window} window
 */
function howItEnded({ ended, error }, window) {
  const seen =
    `after ${window.samples.length} ${window.samples.length === 1 ? 'sample' : 'samples'} in ` +
    `${window.seconds.toFixed(0)} s`;
  return [
    ...(ended === 'interrupted' ? [`Interrupted ${seen}; this is what was seen until then.`] : []),
    ...(ended === 'lost'
      ? [
          `The connection was lost ${seen} ` +
            `(${mapServerError(error, 'serverStatus').message}); this is what was seen until then.`,
        ]
      : []),
    ...(window.restarts > 0
      ? ['The server restarted meanwhile; the window begins after that.']
      : []),
  ];
}

module.exports = { gather, everyFor, howItEnded };
