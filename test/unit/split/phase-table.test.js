'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const {
  ABORTABLE,
  OLD_READ_PHASES,
  READY_PHASES,
  COPY_PHASES,
  CUTOVER_PHASES,
  PHASE_TABLE,
  PHASES,
  blocksIn,
  cutWayOf,
  isCutOff,
  isLeftBehind,
  isUnfinished,
} = require('../../../lib/split/pure/phase-table');

const PAGE = path.join(__dirname, '../../../docs/dev/split-phases.md');
const cell = (/** @type {string | null} */ name) => (name === null ? '' : `\`${name}\``);

describe('split/pure/phase-table', () => {
  it('docs/dev/split-phases.md has a row for each, with the same next and back', () => {
    const rows = fs
      .readFileSync(PAGE, 'utf8')
      .split('\n')
      .filter((line) => /^\| `/.test(line))
      .map((line) => line.split('|').map((one) => one.trim()));
    assert.deepEqual(
      rows.map(([, phase, , , , next, back]) => [phase, next, back]).sort(),
      Object.entries(PHASE_TABLE)
        .map(([phase, { next, back }]) => [cell(phase), cell(next), cell(back)])
        .sort(),
    );
  });

  it('lists the phases of a command in their order', () => {
    assert.deepEqual(CUTOVER_PHASES, {
      forward: ['following', 'cutting', 'draining', 'switching'],
      reverse: ['switched', 'cutting-back', 'draining-back', 'switching-back'],
    });
    assert.deepEqual(COPY_PHASES, ['planned', 'created', 'copying', 'indexing', 'following']);
    assert.deepEqual(ABORTABLE, [...COPY_PHASES, 'cutting', 'draining', 'switching', 'aborting']);
    assert.equal(PHASES.reverse.ready, 'switched');
    assert.deepEqual(READY_PHASES, ['following', 'switched']);
    assert.deepEqual(OLD_READ_PHASES, [
      'draining',
      'switching',
      'switched',
      'cutting-back',
      'draining-back',
      'switching-back',
    ]);
  });

  it('knows when a cut has begun, and when it is certain', () => {
    assert.deepEqual(
      /** @type {const} */ (['following', 'cutting', 'draining-back', 'aborting']).map(cutWayOf),
      [null, 'forward', 'reverse', null],
    );
    assert.deepEqual(
      [isCutOff('cutting', 'forward'), isCutOff('draining', 'forward')],
      [false, true],
    );
    assert.equal(isCutOff('draining', 'reverse'), false);
  });

  it('says whether neither name takes writes, or that the phase does not report', () => {
    assert.deepEqual(
      [
        blocksIn('copying', 'online'),
        blocksIn('copying', 'offline'),
        blocksIn('cutting', 'online'),
      ],
      [false, true, null],
    );
    // A newer edition may have written it.
    assert.equal(blocksIn(/** @type {any} */ ('thawing'), 'online'), false);
  });

  it('knows what somebody must end', () =>
    assert.deepEqual(
      [
        { phase: 'switching' },
        { phase: 'aborting' },
        { phase: 'planned', reopened: {} },
        { phase: 'switched' },
      ].map((split) => isUnfinished(/** @type {any} */ (split))),
      [true, true, true, false],
    ));
  it('of an abort only what is written down, or is to be reopened, is left behind', () =>
    assert.deepEqual(
      [{ phase: 'draining' }, { phase: 'aborting' }, { phase: 'following', reopened: {} }].map(
        (split) => [false, true].map((undoes) => isLeftBehind(/** @type {any} */ (split), undoes)),
      ),
      [
        [true, false],
        [true, true],
        [true, true],
      ],
    ));
});
