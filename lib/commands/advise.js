'use strict';

const { defineCommand } = require('../base/pure/command');
const { number, flag } = require('../base/pure/options');
const { loadHostRules, loadMemberRules, loadRules } = require('../rules/registry');
const { attachSeries, windowSeries } = require('../series/chart-data');
const { report } = require('../text/report');
const { observe, everyFor } = require('../observe/observe');
const { adviceOf } = require('../diagnose/advice');
const { withOtherMembers } = require('../cluster/observe-members');

/**
 * @import { TuneError } from '../base/pure/errors'
 * @import { Advice } from '../diagnose/advice'
 * @import { Observation } from '../observe/types'
 * @import { Report } from '../text/report'
 * @import { Context } from '../base/types'
 */

module.exports = defineCommand({
  name: 'advise',
  group: 'Diagnose',
  order: 1,
  takes: ['options'],
  usage: 'tune.advise({ seconds, includeHost, … })',
  summary: 'Names the bottleneck and the change that helps',
  details: 'It only reads. On a healthy server it recommends no change',
  options: {
    seconds: {
      check: number({ min: 0.1, max: 86_400 }),
      default: 30,
      description: 'how long to sample',
    },
    includeHost: {
      check: flag(),
      default: true,
      description: 'check the machine too, if mongod runs on it',
    },
    includeMembers: {
      check: flag(),
      default: false,
      description: 'check the other members too, and which one delays the majority',
    },
  },
  examples: [
    'tune.advise({ seconds: 30 })',
    'const advice = tune.advise({ seconds: 30 })',
    'tune advise --seconds 30',
  ],
  changes: 'nothing',
  onMongos: 'tune.members({ advise: true }) names the bottleneck of each member of each shard',
  run: advise,
});

/**
 * It samples the server first; where no change helps, it says so.
 * @param {Context} ctx
 * @param {{ seconds: number, includeHost: boolean, includeMembers: boolean }} options
 * @returns {Promise<Advice & Report>} after Ctrl-C or a lost connection:
 *   over what was seen until then
 * @throws {TuneError} TUNE-1xxxx for wrong options, TUNE-2xxxx where the server
 *   cannot be examined
 */
async function advise(ctx, { seconds, includeHost, includeMembers }) {
  const rules = { engine: loadRules(), host: loadHostRules(), members: loadMemberRules() };
  const observeThis = () => observeWithProgress(ctx, seconds, includeHost);
  const observation = await (includeMembers
    ? withOtherMembers(ctx, seconds, observeThis)
    : observeThis());
  return shown(observation, adviceOf(observation, rules, 'live'));
}

/**
 * Observes this server, and shows the progress meanwhile.
 * @param {Context} ctx
 * @param {number} seconds
 * @param {boolean} includeHost
 */
const observeWithProgress = (ctx, seconds, includeHost) =>
  observe(ctx, {
    seconds,
    every: everyFor(seconds),
    dataBytes: includeHost,
    machineLevel: includeHost ? 'files' : 'none',
    onSample: (_, all) =>
      ctx.progress(
        `tune.advise: ${all.length} of ${Math.floor(seconds) + 1} samples; Ctrl-C ` +
          'answers from the samples so far',
      ),
  }).finally(() => ctx.progress(null));

/** @param {Observation} observation @param {Advice} advice */
function shown({ window, facts }, advice) {
  const { renderAdvice, withAll } = require('../diagnose/advice-text');
  const answer = report(advice, (ink) => renderAdvice(advice, ink));
  return withAll(attachSeries(answer, windowSeries(window, facts)), advice);
}
