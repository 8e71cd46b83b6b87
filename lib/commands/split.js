'use strict';

const { defineCommand } = require('../base/pure/command');
const { report } = require('../text/report');

/**
 * @import { TuneError } from '../base/pure/errors'
 * @import { Report } from '../text/report'
 * @import { Context } from '../base/types'
 */

/** @typedef {{ call: string, what: string }} Step a command, and what it does */

/** The steps of a split, in order. @type {readonly Step[]} */
const STEPS = Object.freeze([
  Object.freeze({
    call: 'plan = tune.split.plan({ source: "shop" })',
    what: 'benefit, placement and blockers; read-only',
  }),
  Object.freeze({
    call: 'tune.split.run(plan, { confirm: true })',
    what:
      'copies, builds the indexes, applies new writes; then deploy applications that try ' +
      'both names (docs/split.md)',
  }),
  Object.freeze({
    call: 'tune.split.verify(id)',
    what:
      'compares every document on both sides (read-only); { repair: true } also ' +
      'copies documents that differ',
  }),
  Object.freeze({
    call: 'tune.split.cutover(id, { confirm: true })',
    what: 'reads and writes move to the target; the source namespace is blocked',
  }),
  Object.freeze({
    call: 'tune.split.finish(id, { confirm: true })',
    what: 'drops the old data; after that there is no rollback',
  }),
]);
/** Calls that are possible at any time. @type {readonly Step[]} */
const ALSO = Object.freeze([
  Object.freeze({
    call: 'tune.split.status()',
    what: 'the phase, the next command, and the way back',
  }),
  Object.freeze({
    call: 'tune.split.resume(id, { confirm: true })',
    what: 'continues from any shell after an interruption',
  }),
  Object.freeze({
    call: 'tune.split.rollback(id, { confirm: true })',
    what: 'after the cutover: makes the source active again, with all writes',
  }),
  Object.freeze({
    call: 'tune.split.abort(id, { confirm: true })',
    what: 'before the cutover: ends the split; the source keeps all data',
  }),
  Object.freeze({
    call: 'tune.split.script(plan)',
    what: 'prints the plan as mongosh commands, to run by hand',
  }),
]);

/** This holds for every step. */
const ABOUT = 'without { confirm: true } a dry run; tune.split.run() prints the id';

module.exports = defineCommand({
  name: 'split',
  group: 'Split',
  order: 1,
  takes: [],
  usage: 'tune.split()',
  summary: 'Moves collections to another database, step by step',
  details:
    'No write that a majority acknowledged is lost. On a replica set it can be rolled back until ' +
    'tune.split.finish(), while the oplog holds the writes since the cutover',
  examples: ['tune.split()', 'tune split'],
  changes: 'nothing',
  run: split,
});

/**
 * How a split is done.
 * @param {Context} _ctx
 * @returns {{ steps: typeof STEPS, also: typeof ALSO } & Report}
 * @throws {TuneError} TUNE-1xxxx for wrong options
 */
function split(_ctx) {
  const { wrap } = require('../text/wrap');
  const { headed, part } = require('../text/layout');
  const stepLines = (
    /** @type {string} */ first,
    /** @type {{ call: string, what: string }} */ { call, what },
    /** @type {import('../base/types').Ink} */ ink,
  ) => [`${first}${ink(call, 'accent')}`, ...wrap(what, '       ')];
  return report({ steps: STEPS, also: ALSO }, (ink) =>
    [
      ...part('STEPS', ABOUT, ink),
      ...STEPS.flatMap((step, i) => stepLines(`  ${i + 1}. `, step, ink)),
      headed('AT ANY TIME', ink).trimEnd(),
      ...ALSO.flatMap((step) => stepLines('     ', step, ink)),
    ].join('\n'),
  );
}
