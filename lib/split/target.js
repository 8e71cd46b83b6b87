'use strict';

const { callText } = require('../base/pure/printable');
const { TuneError } = require('../base/pure/errors');
const {
  findCollection,
  findIndexes,
  findOccupant,
  isTimeSeries,
  sameUuid,
  write,
} = require('./server');
const { textOf, textOfIndex, unordered } = require('./pure/definitions');
const { bucketsOf, isOurPipeline, ownId } = require('./pure/split-names');
const { retryAsViewsChange, viewAt } = require('./dependents');
const { isNoCollection, isThere } = require('./operations');
const { forward, nsOf, viewBeforeSwitch } = require('./directions');
const { runAtomicStep } = require('./atomic-step');
const { unexpiring } = require('./ttl');

/**
 * @import { Direction } from './directions'
 * @import { Port } from './server'
 * @import { SplitJob } from './split-job'
 * @import { Split } from './types'
 */

/**
 * @typedef {{ uuid: any, options: any, indexes: any[] }} Shape
 */

const SIMPLE = Object.freeze({ locale: 'simple' });

/**
 * Makes the staging copy with the options of the source, and puts a view that refuses everything
 * where it will be, so that an application that comes too early gets an error.
 * @param {SplitJob} job
 */
async function createTarget(job) {
  const { port, split } = job;
  const { into } = split;
  await createStaging(job);
  const staging = await job.again(() => findCollection(port, into.db, into.stagingName));
  const view = viewBeforeSwitch(split);
  await retryAsViewsChange(() =>
    runAtomicStep(job, {
      place: into,
      touches: [into],
      isDone: async () => {
        const there = await findOccupant(port, into);
        if (there && !isSplitView(there)) throw exists(into, there);
        return there !== null;
      },
      operations: async () => [
        isThere({ ...into, name: into.stagingName, uuid: staging?.info.uuid }),
        isNoCollection(into),
        ...(await viewAt(port, into, view)).made,
      ],
    }),
  );
}

/**
 * Makes the staging copy where it was dropped or was to get another name, while it is empty. It
 * gets the options that the source has now: they may have changed since the split was begun.
 * @param {SplitJob} job
 */
async function createStaging({ port, again, split }) {
  const { into, stagingUuid: known } = split;
  if (known) return;
  await again(async () => {
    if (await findCollection(port, into.db, into.stagingName)) return;
    const { options } = await readNow(port, forward(split));
    await write(port, into.db, { create: into.stagingName, ...unexpiringOptions(options) });
  });
}

/** Returns options without an expiry: nothing expires in a copy (ttl.js). @param {any} options */
const unexpiringOptions = ({ expireAfterSeconds: _seconds, ...options }) => options;

/**
 * Reads the present source, which is to be made in the copy.
 * @param {Port} port
 * @param {Direction} direction
 * @returns {Promise<Shape>}
 * @throws {TuneError} TUNE-35005; TUNE-35009: JavaScript would make it with another order of fields
 */
async function readNow(port, direction) {
  const place = { db: direction.from.db, name: await sourceName(port, direction) };
  const shape = await readSource(port, place);
  const lost = unordered(shape);
  if (lost.length > 0)
    throw new TuneError(
      'TUNE-35009',
      `${nsOf(place)} was changed since the split began: ${lost.join(', ')} has ` +
        'several fields in one document, one with a number as its name, and JavaScript ' +
        'would put that one first. Drop or undo it.',
      { value: lost },
    );
  return shape;
}

/**
 * Reads the present copy.
 * @param {SplitJob} job @returns {Promise<any>} its UUID
 * @throws {TuneError} TUNE-35005
 */
async function stagingUuid({ port, split }) {
  const { into, stagingUuid: expected } = split;
  const info = await findCollection(port, into.db, into.stagingName);
  if (info?.type !== 'collection' || (expected && !sameUuid(info.info.uuid, expected)))
    throw gone(split, { db: into.db, name: into.stagingName });
  return info.info.uuid;
}

/**
 * Checks the copy before applied changes count: any write makes a dropped or renamed collection
 * again, empty.
 * @param {SplitJob} job
 * @param {Direction} direction
 * @throws {TuneError} TUNE-35005
 */
async function checkStaging({ port, split }, { way, to }) {
  if (!to.uuid || (await isStaging(port, to))) return;
  throw gone(split, { db: to.db, name: to.stagingName, isCopy: way === 'forward' });
}

/**
 * @param {Port} port
 * @param {{ db: string, stagingName: string, uuid: any }} to
 * @returns {Promise<boolean>}
 */
async function isStaging(port, { db, stagingName, uuid }) {
  const info = await findCollection(port, db, stagingName);
  return info?.type === 'collection' && sameUuid(info.info.uuid, uuid);
}

/**
 * @param {Split} split
 * @param {{ db: string, name: string, isCopy?: boolean }} place `isCopy`: the collection can be
 *   made again
 */
function gone(split, { db, name, isCopy = true }) {
  const on = isCopy
    ? `the copy, was dropped or replaced: ` +
      `${callText('split.resume', ownId(split), { restart: true, confirm: true })} starts a new copy.`
    : 'the old data, was dropped or replaced. Nothing else was dropped or renamed.';
  return new TuneError('TUNE-35005', `${db}.${name}, ${on}`, { value: `${db}.${name}` });
}

/**
 * @param {{ db: string, name: string }} place
 * @param {any} there what has the name
 * @param {string} [on]
 */
const exists = (place, there, on = '') =>
  new TuneError('TUNE-35004', existsText(place, there, on), { value: nsOf(place) });

/** @param {{ db: string, name: string }} place @param {any} there @param {string} on */
function existsText(place, there, on) {
  const ns = nsOf(place);
  if (there.type === 'view') return `${ns} is a view of another session.${on} ${dropText(ns)}`;
  if (!isTimeSeries(there))
    return (
      `${ns} already exists${on ? `: another session created it.${on}` : '.'} ` +
      `Rename ${ns}, then retry the command.`
    );
  const buckets = nsOf({ db: place.db, name: bucketsOf(place.name) });
  return (
    `${ns} is a time series of another session, or ${buckets} is left of one.${on} ` +
    dropText(`${ns} or ${buckets}, whichever exists`)
  );
}

/** @param {string} what */
const dropText = (what) => `Drop ${what} (it cannot be renamed), then retry the command.`;

/** @param {any} info @returns {boolean} whether it is a view of tune */
const isSplitView = (info) => info?.type === 'view' && isOurPipeline(info.options.pipeline);

/**
 * @param {Port} port @param {{ db: string, name: string }} place
 * @returns {Promise<Shape>} `indexes`: as they have to be made
 */
async function readSource(port, { db, name }) {
  const info = await findCollection(port, db, name);
  if (info?.type !== 'collection')
    throw new TuneError('TUNE-35005', `The collection ${db}.${name} no longer exists.`, {
      value: `${db}.${name}`,
    });
  const collation = info.options?.collation;
  return {
    uuid: info.info.uuid,
    options: info.options,
    indexes: (await findIndexes(port, db, name))
      .filter(isSecondary)
      .map((index) => plainIndex(index, collation)),
  };
}

/** @param {any} index */
const isSecondary = ({ key, clustered }) =>
  !clustered && !(Object.keys(key).length === 1 && key._id === 1);

/**
 * Returns an index as it has to be made. Servers before 4.4 report its collection, and all report
 * its version. None reports the simple collation of an index, but an index that is made without any
 * gets that of its collection.
 * @param {any} index
 * @param {any} collation the collation of the collection
 */
const plainIndex = ({ ns: _ns, ...index }, collation) =>
  collation && !index.collation ? { ...index, collation: SIMPLE } : index;

/**
 * Lists the indexes and options that only one of two collections has.
 * @param {Port} port
 * @param {{ db: string, name: string }} one
 * @param {{ db: string, name: string }} other
 * @returns {Promise<string[]>} such as `the index x_1`; empty: the same
 */
async function differencesBetween(port, one, other) {
  const [first, second] = [await readSource(port, one), await readSource(port, other)];
  const texts = (/** @type {Shape} */ shape) =>
    new Map([
      ...Object.entries(unexpiringOptions(shape.options ?? {})).map(
        ([name, value]) => /** @type {[string, string]} */ ([`the option ${name}`, textOf(value)]),
      ),
      ...shape.indexes.map(
        (index) =>
          /** @type {[string, string]} */ ([
            `the index ${index.name}`,
            textOfIndex(unexpiring(index)),
          ]),
      ),
    ]);
  const [left, right] = [texts(first), texts(second)];
  return [...new Set([...left.keys(), ...right.keys()])].filter(
    (what) => left.get(what) !== right.get(what),
  );
}

/**
 * Returns the name under which the data of a direction can be read now. A view never counts: it
 * would make every document look deleted.
 * @param {Port} port
 * @param {Direction} direction
 * @returns {Promise<string>}
 */
async function sourceName(port, { from }) {
  for (const name of [from.name, from.renamedTo]) {
    const info = await findCollection(port, from.db, name);
    if (info?.type === 'collection' && sameUuid(info.info.uuid, from.uuid)) return name;
  }
  throw new TuneError(
    'TUNE-35005',
    `${nsOf(from)} no longer exists, or another collection has its name.`,
    { value: nsOf(from) },
  );
}

module.exports = {
  checkStaging,
  createStaging,
  isStaging,
  createTarget,
  exists,
  readNow,
  readSource,
  sourceName,
  differencesBetween,
  stagingUuid,
  isSplitView,
};
