'use strict';

const { TuneError } = require('../errors');
const { nsOf } = require('./names');
const { write } = require('./server');
const { readSource } = require('./target');
const { unexpiring } = require('./ttl');

/**
 * What was done to the indexes of a source since it was copied is done to the copy, before a cut,
 * of either direction: nobody has to do it by hand, and none is lost by a move or by its rollback.
 *
 * @typedef {import('./work').Work} Work
 * @typedef {import('./names').Leg} Leg
 */

const DUPLICATE_KEY = 11000;
const UNIQUE_TRIES = 5;
/** Nothing expires in a copy (ttl.js): the time comes with the switch. */
const textOf = (/** @type {any} */ index) =>
  JSON.stringify(Object.entries(unexpiring(index)).sort());

/** @param {Work} work @param {Leg} leg @param {() => Promise<unknown>} catchUp */
async function sameIndexes(work, leg, catchUp) {
  const staging = { db: leg.to.db, name: leg.to.working };
  for (let tries = 1; ; tries += 1) {
    const [source, copy] = await work.again(async () => [
      await readSource(work.port, leg.from),
      await readSource(work.port, staging),
    ]);
    const has = (/** @type {any[]} */ indexes, /** @type {any} */ one) =>
      indexes.some((other) => textOf(other) === textOf(one));
    const missing = source.indexes.filter((one) => !has(copy.indexes, one));
    const surplus = copy.indexes.filter((one) => !has(source.indexes, one));
    if (missing.length + surplus.length === 0) return;
    work.say(
      `indexes changed meanwhile: ${[...missing, ...surplus].map(({ name }) => name).join(', ')}`,
    );
    try {
      if (surplus.length > 0)
        await work.again(() =>
          write(work.port, staging.db, {
            dropIndexes: staging.name,
            index: surplus.map(({ name }) => name),
          }),
        );
      if (missing.length > 0)
        await work.again(() =>
          write(work.port, staging.db, {
            createIndexes: staging.name,
            indexes: missing.map(unexpiring),
          }),
        );
    } catch (error) {
      if (/** @type {any} */ (error).code !== DUPLICATE_KEY) throw error;
      if (tries === UNIQUE_TRIES)
        throw new TuneError(
          'TUNE-35008',
          `The unique index ${missing.map(({ name }) => name).join(', ')}, made in ` +
            `${nsOf(leg.from)} since it was copied, cannot be built in ${nsOf(staging)}. ` +
            `${nsOf(leg.from)} goes on answering.`,
          { value: missing.map(({ name }) => name), cause: error },
        );
      await catchUp();
    }
  }
}

module.exports = { sameIndexes };
