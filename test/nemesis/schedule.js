'use strict';

/**
 * What happens in a round: of seed and number alone, so that one round can be had again without
 * those before it.
 */
const { seeded } = require('../support/chance');

/** @typedef {'moved' | 'rolled back' | 'given up'} Goal */
/**
 * @typedef {{ kind: string, moment: string, forMs: number, detail: string, tail: string }} Fault
 *   `moment`: which
 *   command of a shell brings it about, or `time`; `tail`: when what was held is let go
 */
/**
 * @typedef {{
 *   round: number, goal: Goal, method: 'out' | 'ranges', faults: Fault[], squat: boolean
 * }} Schedule `squat`:
 *   an application takes a name that is free in the end
 */

const GOALS = Object.freeze(['moved', 'moved', 'rolled back', 'given up']);

const ON_THE_WAY = Object.freeze({
  moved: ['cut', 'place', 'merge', 'delete', 'copy', 'save', 'create', 'lease'],
  'rolled back': [
    'cut',
    'place',
    'cutBack',
    'putBack',
    'dropData',
    'merge',
    'delete',
    'save',
    'lease',
  ],
  'given up': [
    'cut',
    'putBack',
    'dropView',
    'dropData',
    'merge',
    'delete',
    'copy',
    'save',
    'create',
  ],
});

/**
 * How often each comes; those that take long, half a minute or so, only where they are asked for.
 */
const KINDS = Object.freeze({
  late: 6,
  killShell: 2,
  cutConnections: 2,
  stepDown: 1,
  indexBuild: 3,
  schema: 2,
  operatorDrops: 2,
  transaction: 1,
  secondOperator: 3,
  stall: 1,
  longerTtl: 1,
  targetGone: 1,
});
const SLOW_KINDS = Object.freeze({ stopShell: 4, killPrimary: 2 });
const MAX = 4;

/**
 * @param {{
 *   seed: number, round: number, slow: boolean, only?: string | null, wanted?: string | null
 * }} of `only`: this
 *   kind of fault alone; `wanted`: this goal alone
 * @returns {Schedule}
 */
function scheduleOf({ seed, round, slow, only = null, wanted = null }) {
  const random = seeded((seed * 1_000_003 + round * 7919) | 0);
  // The first numbers of two neighbours are much alike.
  for (let i = 0; i < 5; i += 1) random();
  const pick = (/** @type {readonly any[]} */ list) => list[Math.floor(random() * list.length)];
  const drawn = pick(GOALS);
  const goal = wanted ?? drawn;
  const kinds = Object.entries({ ...KINDS, ...(slow && SLOW_KINDS) })
    .filter(([kind]) => only === null || kind === only)
    .flatMap(([kind, weight]) => Array(weight).fill(kind));
  const faults = Array.from({ length: 1 + Math.floor(random() * MAX) }, () => ({
    kind: pick(kinds),
    moment: pick([...ON_THE_WAY[/** @type {Goal} */ (goal)], 'time']),
    forMs: Math.floor(200 + random() * random() * 6_000),
    detail: pick([
      'source',
      'target',
      'staging',
      'renamedTo',
      'view of the source',
      'view of the target',
    ]),
    tail: pick(['later', 'later', 'after the end']),
  }));
  const isGone = faults.some(({ kind }) => kind === 'targetGone');
  // One at a time: both take the only majority that is left.
  const heavy = (/** @type {Fault} */ { kind }) =>
    kind === 'killPrimary' || kind === 'stepDown' || kind === 'stopShell';
  return {
    round,
    goal,
    method: random() < 0.25 ? 'ranges' : 'out',
    // Whether the old data is dropped is the question then.
    squat: random() < 0.5 || isGone,
    faults: faults.filter((one, i) => !heavy(one) || !faults.slice(0, i).some(heavy)),
  };
}

module.exports = { scheduleOf };
