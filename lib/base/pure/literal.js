'use strict';

const { visible } = require('./visible');

/**
 * A string as mongosh reads it, without a character that a terminal would act upon.
 * @param {string} text
 */
const quoted = (text) => visible(JSON.stringify(text));

/**
 * A value of plain objects, arrays, strings and numbers as a person writes it for mongosh: names
 * without quotes where they need none.
 * @param {unknown} value
 * @returns {string}
 */
function literal(value) {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (value === null || typeof value !== 'object') return visible(JSON.stringify(value));
  const parts = Object.entries(value).map(
    ([name, one]) => `${/^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name)}: ${literal(one)}`,
  );
  return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`;
}

/**
 * A call as a person types it; options that are false or not given are left out.
 * @param {string} command without "tune."
 * @param {...unknown} args
 * @returns {string}
 */
function callText(command, ...args) {
  const typed = args.filter((arg) => arg !== undefined).map((arg) => literal(withoutUnset(arg)));
  return `tune.${command}(${typed.join(', ')})`;
}

/** @param {unknown} arg */
const withoutUnset = (arg) =>
  arg === null || typeof arg !== 'object' || Array.isArray(arg)
    ? arg
    : Object.fromEntries(
        Object.entries(arg).filter(([, value]) => value !== undefined && value !== false),
      );

/**
 * A collection as mongosh reaches it: `db.getSiblingDB("shop").getCollection("orders")`.
 * @param {string} database @param {string} name
 */
const collectionText = (database, name) =>
  `db.getSiblingDB(${quoted(database)}).getCollection(${quoted(name)})`;

/** @param {{ db: string, name: string }} place @param {string} to */
const renameText = ({ db, name }, to) =>
  `${collectionText(db, name)}.renameCollection(${quoted(to)})`;

module.exports = { callText, collectionText, renameText, literal, quoted };
