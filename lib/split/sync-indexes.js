'use strict';

const { DUPLICATE_KEY, INDEX_NOT_FOUND } = require('../base/pure/server-codes');
const { TuneError } = require('../base/pure/errors');
const { indexLosesOrder, textOfIndex } = require('./pure/definitions');
const { nsOf } = require('./directions');
const { findIndexes, write } = require('./server');
const { readSource, sourceName } = require('./target');
const { makeIndexes, merged, ttlIn, unexpiring } = require('./ttl');

/**
 * @import { Direction } from './directions'
 * @import { CollectionName, Port } from './server'
 * @import { SplitJob } from './split-job'
 */

/**
 * Makes and drops the indexes of the copy as those of the source were since the copy, before a cut
 * in either direction: a move and its rollback lose none.
 */

const UNIQUE_TRIES = 5;
/** After so many the lists never become the same; heuristic. */
const MAX_ROUNDS = 20;
/** Nothing expires in a copy (ttl.js): the time comes with the switch. */
const textOf = (/** @type {any} */ index) => textOfIndex(unexpiring(index));

/** @param {SplitJob} job @param {Direction} direction @param {() => Promise<unknown>} catchUp */
async function sameIndexes(job, direction, catchUp) {
  const staging = { db: direction.to.db, name: direction.to.stagingName };
  for (let tries = 1; ; tries += 1) {
    const { missing, surplus } = await differencesOf(job, direction);
    if (missing.length + surplus.length === 0) return;
    if (tries > MAX_ROUNDS) throw neverTheSame(direction, [...missing, ...surplus]);
    const unordered = missing.filter(indexLosesOrder).map(({ name }) => name);
    if (unordered.length > 0)
      throw new TuneError(
        'TUNE-35009',
        `The index ${unordered.join(', ')}, created in ${nsOf(direction.from)} since ` +
          'the copy, has several fields in its key or in a document of its filter, one ' +
          'with a number as its name: JavaScript would put that one first. Create it ' +
          `in ${nsOf(staging)} with a client that keeps the order, or drop it. ` +
          `${nsOf(direction.from)} stays active.`,
        { value: unordered },
      );
    job.say(
      'indexes were changed during the split: ' +
        `${[...missing, ...surplus].map(({ name }) => name).join(', ')}`,
    );
    try {
      if (surplus.length > 0) await drop(job, direction, surplus);
      if (missing.length > 0) await make(job, direction, missing);
    } catch (error) {
      if (/** @type {any} */ (error).code !== DUPLICATE_KEY) throw error;
      if (tries >= UNIQUE_TRIES)
        throw new TuneError(
          'TUNE-35008',
          `The unique index ${missing.map(({ name }) => name).join(', ')}, created ` +
            `in ${nsOf(direction.from)} since the copy, cannot be built in ` +
            `${nsOf(staging)}. ${nsOf(direction.from)} stays active.`,
          { value: missing.map(({ name }) => name), cause: error },
        );
      await catchUp();
    }
  }
}

/** @param {Direction} direction @param {any[]} indexes */
function neverTheSame({ from, to }, indexes) {
  const names = [...new Set(indexes.map(({ name }) => name))];
  const [source, staging] = [nsOf(from), `${to.db}.${to.stagingName}`];
  return new TuneError(
    'TUNE-35009',
    `${source} and ${staging} differ in the index ${names.join(', ')} after ${MAX_ROUNDS} builds. ` +
      `Drop it in ${source}, then retry the command. ${source} stays active.`,
    { value: names },
  );
}

/**
 * Makes the missing indexes, by which nothing expires yet. Their times are saved first, for a
 * rollback after the source is gone.
 * @param {SplitJob} job @param {Direction} direction @param {any[]} missing
 */
async function make(job, { way, to }, missing) {
  const { ttl } = job.split;
  const more = ttlIn(missing);
  if (more.length > 0) await job.save({ ttl: { ...ttl, [way]: merged(ttl[way], more) } });
  await job.again(() => makeIndexes(job.port, { db: to.db, name: to.stagingName }, missing));
}

/**
 * @param {SplitJob} job
 * @param {Direction} direction
 * @returns {Promise<{ missing: any[], surplus: any[] }>} the missing and the surplus indexes of the
 *   copy
 */
async function differencesOf(job, direction) {
  const [source, copy] = await job.again(async () => [
    await readSource(job.port, {
      db: direction.from.db,
      name: await sourceName(job.port, direction),
    }),
    await readSource(job.port, { db: direction.to.db, name: direction.to.stagingName }),
  ]);
  const has = (/** @type {any[]} */ indexes, /** @type {any} */ one) =>
    indexes.some((other) => textOf(other) === textOf(one));
  return {
    missing: source.indexes.filter((one) => !has(copy.indexes, one)),
    surplus: copy.indexes.filter((one) => !has(source.indexes, one)),
  };
}

/** @param {SplitJob} job @param {Direction} direction @param {any[]} indexes */
const drop = (job, { to }, indexes) =>
  job.again(() =>
    dropNamed(
      job.port,
      { db: to.db, name: to.stagingName },
      indexes.map(({ name }) => name),
    ),
  );

/**
 * Drops indexes by name. An earlier try whose answer was lost may have dropped them, or another
 * session some: then none of the others is dropped.
 * @param {Port} port @param {CollectionName} place @param {string[]} names
 */
async function dropNamed(port, place, names) {
  try {
    await write(port, place.db, { dropIndexes: place.name, index: names });
  } catch (error) {
    if (/** @type {any} */ (error).code !== INDEX_NOT_FOUND) throw error;
    const there = await findIndexes(port, place.db, place.name);
    const left = names.filter((name) => there.some((one) => one.name === name));
    if (left.length === names.length) throw error;
    if (left.length > 0) await dropNamed(port, place, left);
  }
}

/**
 * Drops indexes that the source has no more: one may be why a document does not fit into the copy,
 * such as one with two arrays.
 * @param {SplitJob} job
 * @param {Direction} direction
 * @returns {Promise<boolean>} whether there was such an index
 */
async function dropSurplus(job, direction) {
  const { surplus } = await differencesOf(job, direction);
  if (surplus.length > 0) await drop(job, direction, surplus);
  return surplus.length > 0;
}

module.exports = { dropSurplus, sameIndexes };
