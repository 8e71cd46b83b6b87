'use strict';

const { checkOptions, flag, show } = require('../options');
const { knobsOf } = require('../model/change');
const { noWayBack } = require('../model/journal');
const { TuneError } = require('../errors');
const { report } = require('../render/report');
const { writeLine } = require('../apply/journal');
const { isAlive } = require('../apply/writers');
const { entryToUndo, inverseOf, hasWayBack, leftBehind, notBroughtBack, howFar } = require('../plan/undoable');
const { othersSince } = require('../plan/others');
const { examine } = require('./shared/examine');
const { collectSettings } = require('./shared/settings');
const { planChange } = require('./shared/planned');
const { carryOut } = require('./shared/carry-out');
const { changeReport } = require('./shared/change-report');

const OPTIONS = { confirm: flag(), force: flag() };

/**
 * Returns to the settings before a change: the last one that stands, or the one named. Without `confirm` it shows what it would
 * send. An undo is a change like any other, so that `tune.undo("<its id>")` takes it back.
 * @param {import('../context').Context} ctx
 * @param {string | { confirm?: boolean, force?: boolean }} [id] of tune.history(); may be left out
 * @param {{ confirm?: boolean, force?: boolean }} [options] `force`: even if somebody else has changed the same settings since
 * @returns {Promise<import('./shared/change-report').ChangeData & { undoes: string } & import('../render/report').Report>}
 * @throws {TuneError} TUNE-1xxxx, TUNE-20010, TUNE-30006, TUNE-30007, TUNE-40001
 */
async function undo(ctx, id, options) {
  const { name, given } = readArguments(id, options);
  const { confirm = false, force = false } = checkOptions('tune.undo', OPTIONS, given);
  const { facts, settings } = await examine(ctx);
  const entry = entryToUndo(settings.entries, name, settings.run);
  checkWriter(entry, force);
  const warnings = [...howFar(entry), ...checkOthers(entry, settings, force)];
  const asked = inverseOf(entry);
  const planned = planChange(asked, settings, { force, cores: facts.cores });
  planned.warnings.unshift(...warnings, ...notBroughtBack(entry), ...(name === undefined ? leftBehind(settings.entries, entry, settings.run) : []));
  const done = confirm ? await bringBack(ctx, entry, planned, settings) : null;
  const after = done && await collectSettings(ctx, facts);
  const data = { ...changeReport({ settings, planned, asked, confirm, done, after, confirmCall: `tune.undo("${entry.id}", { confirm: true${force ? ', force: true' : ''} })` }), undoes: entry.id };
  return report(data, (ink) => require('../render/apply').renderChange({ ...data, action: 'undo' }, ink));
}

/** A trial that still runs goes back by itself. @param {import('../model/journal').Entry} entry @param {boolean} force */
function checkWriter({ id, action, outcome, writerPid }, force) {
  if (action !== 'trial' || outcome !== 'unknown' || force || !isAlive(writerPid)) return;
  throw new TuneError('TUNE-30010', `The trial ${id} still runs in another shell (process ${writerPid}): Ctrl-C there ends it. If that process is no shell any more, pass { force: true }.`, { value: id });
}

/** `tune.undo({ confirm: true })` leaves out the id. @param {unknown} id @param {unknown} options @returns {{ name: string | undefined, given: unknown }} */
function readArguments(id, options) {
  if (id === undefined || id === null) return { name: undefined, given: options };
  if (typeof id === 'object' && options === undefined) return { name: undefined, given: id };
  if (typeof id === 'string') return { name: id, given: options };
  throw new TuneError('TUNE-10002', `tune.undo: the id must be one of tune.history(), not ${show(id)}.`, { value: id, allowed: 'an id of tune.history()' });
}

/**
 * @param {import('../model/journal').Entry} entry @param {import('./shared/settings').Settings} settings @param {boolean} force
 * @returns {string[]} warnings
 */
function checkOthers(entry, { timeline, drift }, force) {
  const { overwritten, beside, unknown } = othersSince(timeline, entry);
  const drifted = drift.filter(({ knob }) => entry.change[knob] !== undefined).map(({ say }) => say.replace(/\.$/, ''));
  const reasons = [...overwritten.map((text) => `somebody set "${text}"`), ...drifted, ...(unknown ? ['the log does not reach back, so somebody may have set something'] : [])];
  if (reasons.length > 0 && !force) {
    throw new TuneError('TUNE-30006', `Since the change ${entry.id}, ${reasons.join('; ')}.`, { value: entry.id, seen: reasons });
  }
  return [...reasons.map((reason) => `Overwritten by force: ${reason}.`), ...beside.map((text) => `Somebody set "${text}" since; it stays.`)];
}

/**
 * Where nothing is to be sent the journal learns it, unless that is because nothing of it has a way back: then the change stands.
 * @param {import('../context').Context} ctx @param {import('../model/journal').Entry} entry @param {import('./shared/planned').Planned} planned
 * @param {import('./shared/settings').Settings} settings
 */
async function bringBack(ctx, entry, planned, settings) {
  if (knobsOf(planned.change).length > 0) return carryOut(ctx, { action: 'undo', undoes: entry.id, ...planned }, settings);
  if (!hasWayBack(entry)) return null;
  const left = noWayBack(entry);
  const [outcome, reason] = left.length > 0 ? /** @type {const} */ (['partly-undone', `not brought back: ${left.join(', ')}`]) : /** @type {const} */ (['undone', 'nothing of it was in force']);
  writeLine(ctx.home, { kind: 'outcome', id: entry.id, at: new Date().toISOString(), outcome, after: null, verified: null, reason });
  return null;
}

module.exports = { undo };
