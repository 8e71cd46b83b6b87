'use strict';

const { seeded } = require('./chance');

/**
 * Damage by chance, the same in every run.
 * @typedef {{ below(n: number): number, pick<T>(list: readonly T[]): T }} Chance
 */

/** @param {number} seed @returns {Chance} */
function chanceOf(seed) {
  const next = seeded(seed);
  const below = (/** @type {number} */ n) => Math.floor(next() * n);
  return { below, pick: (list) => list[below(list.length)] };
}

/**
 * What disks, networks and people do to bytes.
 * @type {readonly ((bytes: Buffer, chance: Chance) => Buffer)[]}
 */
const INJURIES = [
  (bytes, { below }) =>
    changed(bytes, (made) => {
      made[below(made.length)] ^= 1 << below(8);
    }),
  (bytes, { below }) =>
    changed(bytes, (made) => {
      for (let i = 0; i < 20; i++) made[below(made.length)] = below(256);
    }),
  (bytes, { below }) => bytes.subarray(0, below(bytes.length)),
  (bytes, { below }) => bytes.subarray(below(bytes.length)),
  (bytes, { below }) => {
    const at = below(bytes.length);
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + below(200))]);
  },
  (bytes, { below }) => {
    const at = below(bytes.length);
    return Buffer.concat([
      bytes.subarray(0, at),
      Buffer.alloc(below(200), below(256)),
      bytes.subarray(at),
    ]);
  },
  (bytes, { below }) => {
    const at = below(bytes.length);
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(below(at + 1))]);
  },
  (bytes, { below }) =>
    changed(bytes, (made) => {
      made.fill(0, below(made.length));
    }),
  (bytes, { below, pick }) =>
    changed(bytes, (made) => {
      made.writeUInt32LE(
        pick([0xffffffff, 0x7fffffff, 0x80000000, 0, 1]),
        below(Math.max(1, made.length - 4)),
      );
    }),
];

/** @param {Buffer} bytes @param {(made: Buffer) => void} change */
function changed(bytes, change) {
  const made = Buffer.from(bytes);
  change(made);
  return made;
}

/** @param {Buffer} bytes five at least @param {Chance} chance @returns {Buffer} */
const injured = (bytes, chance) => chance.pick(INJURIES)(bytes, chance);

module.exports = { chanceOf, injured };
