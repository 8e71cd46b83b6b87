'use strict';

const { mergeHost } = require('./pure/host');
const { sleep } = require('../base/context');
const { modulesIn } = require('../base/own-files');
const { collectPart, makeSnapshot } = require('./snapshot');
const { MS_PER_SECOND } = require('../base/pure/units');

/**
 * @import { Area, Files, Gathered, Getters, Subject } from './snapshot'
 * @import { HostPart } from './pure/host'
 */

/**
 * The folder is the registry.
 * @param {readonly string[]} [names] of the files wanted, all of them otherwise
 * @returns {Area[]}
 */
const loadAreas = (names) =>
  modulesIn('lib/host/areas')
    .filter(({ name }) => names === undefined || names.includes(name))
    .map(({ load }) => load());

/**
 * Reads what the areas want of one moment.
 * @param {Files} files
 * @param {Subject} subject
 * @param {readonly string[]} [names] of the areas, all of them otherwise
 * @returns {Promise<Gathered>}
 */
async function takeSnapshot(files, subject, names) {
  const snapshot = makeSnapshot(files, Date.now());
  await Promise.allSettled(loadAreas(names).map((area) => area.snap?.(snapshot, subject)));
  return snapshot;
}

/**
 * Takes a snapshot each second; Ctrl-C keeps those taken until then.
 * @param {Files} files @param {Subject} subject
 * @param {{ seconds: number, signal: AbortSignal, onSnapshot?: (snapshots: number) => void }} options
 * @returns {Promise<Gathered[]>}
 */
async function takeSnapshots(files, subject, { seconds, signal, onSnapshot = () => {} }) {
  const started = performance.now();
  /** @type {Gathered[]} */
  const snapshots = [];
  for (let due = 0; due <= seconds; due++) {
    try {
      await sleep(Math.max(0, started + due * MS_PER_SECOND - performance.now()), signal);
    } catch (interrupted) {
      if (snapshots.length === 0) throw interrupted;
      return snapshots;
    }
    snapshots.push(await takeSnapshot(files, subject));
    onSnapshot(snapshots.length);
  }
  return snapshots;
}

/**
 * Works out the values of all areas from the samples.
 * @param {readonly Gathered[]} snapshots in the order of time
 * @param {Subject} subject
 * @param {ReadonlySet<string>} [names] of the values wanted, all of them otherwise
 * @returns {Promise<HostPart>}
 */
async function readAreas(snapshots, subject, names) {
  const wanted = (/** @type {Getters} */ getters) =>
    Object.fromEntries(
      Object.entries(getters).filter(([name]) => names === undefined || names.has(name)),
    );
  return mergeHost(
    ...(await Promise.all(
      loadAreas().map((area) => collectPart(wanted(area.values(snapshots, subject)))),
    )),
  );
}

module.exports = { takeSnapshot, takeSnapshots, readAreas };
