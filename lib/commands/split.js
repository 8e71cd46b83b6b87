'use strict';

const { defineCommand } = require('../base/pure/command');
const { report } = require('../text/report');

/**
 * @import { TuneError } from '../base/pure/errors'
 * @import { Report } from '../text/report'
 * @import { Context } from '../base/types'
 */

/** The steps of a split, in order. */
const STEPS = Object.freeze([
  Object.freeze({
    call: 'tune.split.plan({ source: "shop" })',
    what: 'whether it helps, what goes where, every blocker; it changes nothing',
  }),
  Object.freeze({
    call: 'tune.split.run(plan, { confirm: true })',
    what: 'copies, builds the indexes, and applies what is written meanwhile; applications go on',
  }),
  Object.freeze({
    call: 'tune.split.verify(id)',
    what:
      'compares every document on both sides; it only reads, { repair: true, confirm: true } ' +
      'copies again what differs',
  }),
  Object.freeze({
    call: 'tune.split.cutover(id, { confirm: true })',
    what: 'from one moment on the target answers, and the source name refuses',
  }),
  Object.freeze({
    call: 'tune.split.rollback(id, { confirm: true })',
    what: 'only if you want it back: the source answers again, with all that was written since',
  }),
  Object.freeze({
    call: 'tune.split.finish(id, { confirm: true })',
    what: 'drops the old data; after that there is no rollback',
  }),
]);
/** At any time. */
const ALSO = Object.freeze([
  Object.freeze({
    call: 'tune.split.status()',
    what: 'the phase, the next command, and the way back',
  }),
  Object.freeze({
    call: 'tune.split.resume(id, { confirm: true })',
    what: 'goes on from any shell, whatever happened',
  }),
  Object.freeze({
    call: 'tune.split.abort(id, { confirm: true })',
    what: 'before the target answers: ends it, the source has all data',
  }),
  Object.freeze({
    call: 'tune.split.script(plan)',
    what: 'the plan as commands for mongosh, to run by hand',
  }),
]);

module.exports = defineCommand({
  name: 'split',
  group: 'Move',
  order: 1,
  takes: [],
  usage: 'tune.split()',
  summary: 'Moves collections to another database, step by step',
  details: 'No acknowledged write is lost; until finish it can be rolled back',
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
  return report({ steps: STEPS, also: ALSO }, (ink) =>
    [
      ...STEPS.flatMap(({ call, what }, i) => [
        `${i + 1}. ${ink(call, 'accent')}`,
        ...wrap(what, '   '),
      ]),
      '',
      'At any time:',
      ...ALSO.flatMap(({ call, what }) => [`   ${ink(call, 'accent')}`, ...wrap(what, '   ')]),
    ].join('\n'),
  );
}
