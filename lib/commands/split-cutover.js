'use strict';

const { TuneError } = require('../base/pure/errors');
const { checkOptions, flag, oneOf } = require('../base/pure/options');
const { checkSame } = require('../split/restart');
const { goOn } = require('../split/phases');
const { obstaclesOf } = require('../split/obstacles');
const { runVerb, guardianSays } = require('../split/run-verb');
const { readArguments } = require('../split/arguments');

/**
 * @import { Context } from '../split/run-verb'
 * @import { SplitJob } from '../split/split-job'
 */

const OPTIONS = { confirm: flag(), reads: oneOf(['refused', 'view']), guardian: flag() };

/**
 * The cutover: the source refuses everything from one moment on, what came before it is applied to
 * the target, and the target gets its name. Writes in between fail with an error; none is lost.
 * @param {Context} ctx
 * @param {string | object} [first] the id of the plan, or of one of its collections; may be left
 *   out
 * @param {{ confirm?: boolean, reads?: 'refused' | 'view', guardian?: boolean }} [options] `reads`:
 *   what the source name answers from then on: an error, or old data, as of the cutover or the last
 *   resume; `guardian`: whether a second process goes on if this one dies (true)
 */
async function splitCutover(ctx, first, options) {
  const { id, given } = readArguments('tune.split.cutover', first, options);
  const { confirm, reads, guardian = true } = checkOptions('tune.split.cutover', OPTIONS, given);
  return runVerb(
    ctx,
    {
      name: 'tune.split.cutover',
      phases: ['following', 'cutting', 'draining', 'switching'],
      does: ({ source, target, from, planId, verified, uncompared = false, ...split }) => [
        ...(uncompared
          ? [
              'A comparison that brought documents over was stopped, so every document is ' +
                `compared first; ${source} answers meanwhile.`,
            ]
          : []),
        ...(verified || uncompared
          ? []
          : [
              `No comparison is on record; tune.split.verify("${planId}") compares every document.`,
            ]),
        ...oldName({
          source,
          target,
          renamedTo: `${from.db}.${from.renamedTo}`,
          reads: reads ?? split.reads ?? 'refused',
        }),
        `What was written until then is applied to ${target}, which then answers. The writes ` +
          'in between fail; applications must retry them there.',
        ...guardianSays(split.mode, guardian),
      ],
      guarded: guardian,
      warns: (split) => obstaclesOf(ctx.port, split),
      run: async (job) => {
        if (job.split.phase === 'following') checkSame(job.split, 'forward');
        if (reads !== undefined) await choose(job, reads);
        await goOn(job, 'switched');
      },
    },
    { id, confirm, also: { reads, guardian: guardian ? undefined : false } },
  );
}

/** @param {{ source: string, target: string, renamedTo: string, reads: 'refused' | 'view' }} names */
const oldName = ({ source, target, renamedTo, reads }) =>
  reads === 'refused'
    ? [
        `${source} becomes ${renamedTo}; from then on its old name refuses writes (error 166) ` +
          'and reads (error 241).',
      ]
    : [
        `${source} becomes ${renamedTo}; from then on its old name refuses writes (error 166), ` +
          'and reads get old data: that of the cutover, or of the last tune.split.resume() or ' +
          'attempt to roll back.',
        `Readers of ${source} get no sign that it is old: what is written to ${target} later is ` +
          'not in it. After tune.split.finish() reads are refused, too.',
      ];

/**
 * Written down before the cut: whoever goes on after this shell does the same.
 * @param {SplitJob} job
 * @param {'refused' | 'view'} reads
 */
async function choose(job, reads) {
  const { phase, source, reads: now = 'refused' } = job.split;
  if (phase === 'following') return job.save({ reads });
  if (reads !== now)
    throw new TuneError(
      'TUNE-35010',
      `${source} is ${phase}: what its old name answers to reads (${now}) was chosen before.`,
      { value: phase, allowed: ['following'] },
    );
}

module.exports = { splitCutover };
