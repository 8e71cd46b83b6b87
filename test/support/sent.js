'use strict';

/** What a command that a proxy sees does, however deep it is within an applyOps. */

/** @param {any} value @param {(one: any) => boolean} is @returns {boolean} */
const some = (value, is) =>
  value instanceof Object &&
  !Buffer.isBuffer(value) &&
  (is(value) || Object.values(value).some((one) => some(one, is)));

/**
 * Gives a collection another name.
 * @param {any} command
 * @param {string} from its start is enough
 * @param {string} [to]
 */
const renames = (command, from, to) =>
  some(
    command,
    (one) =>
      typeof one.renameCollection === 'string' &&
      one.renameCollection.startsWith(from) &&
      (to === undefined || one.to === to || String(one.to).startsWith(`${to}__`)),
  );

/** @param {any} command @param {string} db @param {string} name */
const drops = (command, db, name) =>
  (command.drop === name && command.$db === db) ||
  some(command.applyOps, (one) => String(one.ns).startsWith(`${db}.`) && one.o?.drop === name);

/**
 * Writes by a stage of an aggregation.
 * @param {any} command
 * @param {'$out' | '$merge'} stage
 * @param {string} db
 */
const writesBy = (command, stage, db) =>
  Boolean(command.aggregate) &&
  command.$db === db &&
  command.pipeline.some((/** @type {any} */ one) => one[stage]);

/** @param {any} command @param {string} db @param {string} name its start */
const deletes = (command, db, name) =>
  command.$db === db && typeof command.delete === 'string' && command.delete.startsWith(name);

/** Writes a phase down. @param {any} command @param {string} phase */
const saves = (command, phase) =>
  command.findAndModify === 'splits' &&
  some(command.update, (one) => one.phase === phase || one.phase?.$literal === phase);

module.exports = { renames, drops, writesBy, deletes, saves };
