'use strict';

const { makeDice, roll } = require('./random');
const { STREAMS } = require('./streams');

/**
 * @import { Directed } from './directed'
 */

/**
 * What becomes of a message. Each that is not ordinary has a name, `m<shell>.<n>`, by which it can
 * be left out (shrink.js) and is told.
 */

/**
 * A step of a split, or what saves how far it is: whatever goes wrong with these counts most.
 * @param {any} request
 */
function weightOf({ command }) {
  if (command.applyOps) return 8;
  if (
    command.drop ||
    command.create ||
    command.renameCollection ||
    command.collMod ||
    command.delete
  )
    return 8;
  if (command.findAndModify) return 3;
  if (command.aggregate) return command.pipeline[command.pipeline.length - 1].$merge ? 10 : 1;
  return command.changeStream ? 0.3 : 1;
}

const KINDS = Object.freeze([
  'late',
  'late',
  'late',
  'lostReply',
  'lostReply',
  'slow',
  'stopped',
  'stopped',
  'pausedAfter',
  'killed',
  'broken',
]);
const KINDS_OF_STEP = Object.freeze([...KINDS, 'twice', 'twice']);

/**
 * @param {any} sim
 * @param {{
 *   rate: number, disabled: ReadonlySet<string>, directed?: Directed
 * }} options `rate`: of an ordinary message
 */
function makeFates(sim, { rate, disabled, directed }) {
  /** @type {string[]} */ const taken = [];
  return {
    taken,
    /** @param {any} shell @param {number} n @param {any} request */
    of(shell, n, request) {
      if (directed) return sim.isCalm || shell.isHonest ? null : directed.fate(sim, shell, request);
      if (sim.isCalm || rate === 0 || shell.isHonest) return null;
      if (roll(sim.seed, STREAMS.fates + shell.number, n) >= rate * weightOf(request)) return null;
      const name = `m${shell.number}.${n}`;
      if (disabled.has(name)) return null;
      const dice = makeDice(sim.seed ^ Math.imul(n + 1, 7919), STREAMS.fates + 50 + shell.number);
      const fate = FATES[dice.pick(request.command.applyOps ? KINDS_OF_STEP : KINDS)](dice);
      taken.push(`${name} ${fate.kind} ${Object.keys(request.command)[0]}`);
      return fate;
    },
  };
}

/** @typedef {ReturnType<typeof makeDice>} Dice @type {Record<string, (dice: Dice) => any>} */
const FATES = {
  // The sender is told early that the connection is broken; what it sent arrives all the same.
  late: (dice) => {
    const breaksMs = dice.log(1, 2_000);
    return { kind: 'late', breaksMs, thereMs: breaksMs + dice.log(1, 300_000), isDeaf: true };
  },
  lostReply: (dice) => ({ kind: 'lostReply', breaksMs: dice.log(1, 30_000), isDeaf: true }),
  lost: (dice) => ({ kind: 'lost', breaksMs: dice.log(1, 30_000), isLost: true }),
  broken: (dice) =>
    dice.chance(0.5) ? FATES.lost(dice) : { kind: 'broken', breaksMs: 0.05, isDeaf: true },
  slow: (dice) => ({ kind: 'slow', thereMs: dice.log(1, 60_000), backMs: dice.log(1, 10_000) }),
  stopped: (dice) => ({ kind: 'stopped', ms: dice.log(1_000, 400_000), asleep: dice.chance(0.3) }),
  pausedAfter: (dice) => ({
    kind: 'pausedAfter',
    ms: dice.log(1_000, 400_000),
    asleep: dice.chance(0.3),
  }),
  killed: () => ({ kind: 'killed' }),
  twice: (dice) => ({
    kind: 'twice',
    againMs: dice.log(0.05, 2_000),
    isFirstLost: dice.chance(0.7),
  }),
};

module.exports = { makeFates };
