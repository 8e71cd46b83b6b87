'use strict';

const { TuneError } = require('../errors');
const { asideName, workingName } = require('../model/split-names');
const { isCut, putInPlace } = require('./cut');
const { nsOf } = require('./names');
const { isPassing } = require('./retry');
const { InDoubt } = require('./work');

/**
 * What fails between the cut and the new name's first answer is undone: the name that was cut off answers again, with all its data, and the copy stays for another try.
 *
 * @typedef {import('./work').Work} Work @typedef {import('./names').Leg} Leg
 */

/** Of a direction: in which phases its source is cut off, or may be, and where it is when it is put back. */
const WAYS = Object.freeze({
  forth: { cutting: 'cutting', blocked: ['draining', 'switching'], before: /** @type {const} */ ('following') },
  back: { cutting: 'cutting-back', blocked: ['draining-back', 'switching-back'], before: /** @type {const} */ ('switched') },
});
/** Another shell has it; the server does not answer: this one can undo nothing. */
const NOT_OURS = Object.freeze(['TUNE-35003', 'TUNE-20006']);

/** @param {Work} work @param {() => Leg} leg @param {() => Promise<void>} doIt */
async function reopening(work, leg, doIt) {
  try {
    await doIt();
  } catch (error) {
    if (work.split.mode === 'offline' || error instanceof InDoubt || isPassing(error) || NOT_OURS.includes(/** @type {any} */ (error).code)) throw error;
    throw await undone(work, leg(), error);
  }
}

/** @param {Work} work @param {Leg} leg @param {any} error @returns {Promise<any>} what is to be thrown */
async function undone(work, leg, error) {
  const way = WAYS[leg.way];
  const { phase } = work.split;
  if (phase !== way.cutting && !way.blocked.includes(phase)) return error;
  // Ctrl-C must not leave both names blocked.
  work.signal = new AbortController().signal;
  try {
    const wasCut = await work.again(() => isCut(work, leg)).catch(() => true);
    if (wasCut) await putInPlace(work, { ...leg.from, working: leg.from.aside }, work.split.ttl[leg.way]);
    await work.save({ phase: way.before, ...nextName(work, leg, wasCut) });
    return wasCut ? said(error, leg) : error;
  } catch (failed) {
    return Object.assign(error, { reopen: failed });
  }
}

/** The stream of changes still holds the mark of this cut: the next one has another name. @param {Work} work @param {Leg} leg @param {boolean} wasCut */
function nextName({ split }, { way }, wasCut) {
  if (!wasCut) return {};
  const renamed = split.renamed + 1;
  const { from, into, planId } = split;
  if (way === 'forth') return { renamed, former: [...split.former, from.aside], from: { ...from, aside: asideName(from.name, planId, renamed) } };
  return { renamed, former: [...split.former, into.working], into: { ...into, working: workingName(into.name, planId, renamed) } };
}

/** @param {any} error @param {Leg} leg */
function said(error, { from, to }) {
  const words = `It was undone: ${nsOf(from)} answers again with all its data, and ${nsOf(to)} refuses as before.`;
  if (!(error instanceof TuneError)) return Object.assign(error, { undone: words });
  return Object.assign(error, { message: `${error.message} ${words}`, undone: words });
}

module.exports = { reopening, WAYS };
