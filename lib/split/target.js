'use strict';

const { TuneError } = require('../errors');
const { findCollection, findIndexes, sameUuid, write } = require('./server');
const { isOurPipeline, notYetSentence, refusal } = require('../model/split-names');
const { nsOf } = require('./names');

/** @typedef {import('./work').Work} Work */

/**
 * Makes the working collection with the options of the source, and puts a view that refuses everything where it will be, so that
 * an application that comes too early gets an error.
 * @param {Work} work
 */
async function createTarget({ port, split }) {
  const { into, from, options } = split;
  const there = await findCollection(port, into.db, into.name);
  if (there && !isOurs(there)) throw new TuneError('TUNE-35004', `${nsOf(into)} is there already.`, { value: nsOf(into) });
  if (!await findCollection(port, into.db, into.working)) await write(port, into.db, { create: into.working, ...options });
  if (!there) await write(port, into.db, { create: into.name, viewOn: into.working, pipeline: refusal(notYetSentence(nsOf(into), nsOf(from))) });
}

/**
 * The copy as it is now. A collection that was dropped is made again by whatever is written to it, and would miss what was copied before.
 * @param {Work} work @returns {Promise<any>} its UUID
 * @throws {TuneError} TUNE-35005
 */
async function workingUuid({ port, split: { into, workingUuid: expected, planId } }) {
  const info = await findCollection(port, into.db, into.working);
  if (info?.type === 'collection' && (!expected || sameUuid(info.info.uuid, expected))) return info.info.uuid;
  throw new TuneError('TUNE-35005', `${into.db}.${into.working}, which has the copy, is gone or another one: tune.split.resume("${planId}", { again: true, confirm: true }) begins the copy anew.`, { value: `${into.db}.${into.working}` });
}

/** @param {any} info @returns {boolean} a view of ours */
const isOurs = (info) => info?.type === 'view' && isOurPipeline(info.options.pipeline);

/**
 * @param {import('./server').Port} port @param {{ db: string, name: string }} place
 * @returns {Promise<{ uuid: any, options: any, indexes: any[] }>}
 */
async function readSource(port, { db, name }) {
  const info = await findCollection(port, db, name);
  if (info?.type !== 'collection') throw new TuneError('TUNE-35005', `There is no collection ${db}.${name} any more.`, { value: `${db}.${name}` });
  return { uuid: info.info.uuid, options: info.options, indexes: (await findIndexes(port, db, name)).filter(isSecondary).map(plainIndex) };
}

/** @param {any} index */
const isSecondary = ({ key, clustered }) => !clustered && !(Object.keys(key).length === 1 && key._id === 1);

/** Servers before 4.4 say the collection, and all say the version of the index. @param {any} index */
const plainIndex = ({ ns: _ns, ...index }) => index;

/**
 * The name under which the data of a leg is to be read now. A view is never taken for it: it would make every document look deleted.
 * @param {import('./server').Port} port @param {import('./names').Leg} leg
 * @returns {Promise<string>}
 */
async function sourceName(port, { from }) {
  for (const name of [from.name, from.aside]) {
    const info = await findCollection(port, from.db, name);
    if (info?.type === 'collection' && sameUuid(info.info.uuid, from.uuid)) return name;
  }
  throw new TuneError('TUNE-35005', `${nsOf(from)} is gone, or another collection has its name.`, { value: nsOf(from) });
}

module.exports = { createTarget, readSource, sourceName, workingUuid, isOurs };
