'use strict';

const { SAMPLE_STATUS, OPENING_STATUS } = require('./pure/commands');
const { readSample, withSystem } = require('./pure/sample');
const { sleep } = require('../base/context');
const { machineOf, withMachine } = require('./diagnostic-data');
const { MS_PER_SECOND } = require('../base/pure/units');

/**
 * @import { Port } from '../base/context'
 * @import { Machine } from './diagnostic-data'
 * @import { Sample } from './pure/sample'
 * @import { Context } from '../base/types'
 */

/**
 * @param {Port} port @param {Record<string, unknown>} [command]
 * @param {Machine} [machine] @returns {Promise<Sample>}
 */
async function takeSample(port, command = SAMPLE_STATUS, machine = async () => ({})) {
  // Reduced at once, so that the whole status is not held while the machine is waited for.
  const read = async () => readSample(await port.adminCommand(command), Date.now());
  return withSystem(await withMachine(read(), machine));
}

/**
 * Samples at a steady beat until the time is over, Ctrl-C, or the connection is lost; whatever ends
 * it, what was seen is kept.
 * @param {Context} ctx
 * @param {{
 *   seconds: number, every: number, machine?: boolean,
 *   onSample?: (sample: Sample, all: Sample[]) => void
 * }} options seconds; at
 *   least two samples are taken. `machine`: with what the server tells of its machine; `onSample`
 *   may thin out `all`
 * @returns {Promise<{ samples: Sample[], ended: 'complete' | 'interrupted' | 'lost', error: Error |
 *   null }>}
 *   rejects only when there is nothing at all to keep
 */
async function collectSamples(ctx, { seconds, every, machine = false, onSample = () => {} }) {
  /** @type {Sample[]} */
  const samples = [];
  const started = performance.now();
  const alongside = machine ? machineOf(ctx.port) : undefined;
  try {
    for (let due = 0; due <= seconds + every / 2; due += every) {
      await waitUntil(started + Math.min(due, seconds) * MS_PER_SECOND, ctx.signal);
      const sample = await takeSample(
        ctx.port,
        samples.length === 0 ? OPENING_STATUS : SAMPLE_STATUS,
        alongside,
      );
      samples.push(sample);
      onSample(sample, samples);
    }
    return { samples, ended: 'complete', error: null };
  } catch (error) {
    if (samples.length === 0) throw error;
    return {
      samples,
      ended: ctx.signal.aborted ? 'interrupted' : 'lost',
      error: /** @type {Error} */ (error),
    };
  }
}

/** @param {number} moment of performance.now() @param {AbortSignal} signal */
const waitUntil = (moment, signal) => sleep(Math.max(0, moment - performance.now()), signal);

module.exports = { collectSamples, takeSample };
