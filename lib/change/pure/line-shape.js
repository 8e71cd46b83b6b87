'use strict';

/**
 * @import { JournalLine } from './journal'
 */

/**
 * Says whether a line of the journal has every field that is needed later: the file may be cut,
 * edited, or of another release.
 * @typedef {(value: any) => boolean} Is
 */

/** @type {Is} */
const text = (value) => typeof value === 'string';
/** @type {Is} */
const number = (value) => Number.isFinite(value);
/** @type {Is} */
const object = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);
/** Checks a change; settings of a later release of tune may be in it. @type {Is} */
const change = (value) => object(value) && Object.values(value).every(number);
/** @type {Is} */
const texts = (value) => Array.isArray(value) && value.every(text);
/** @param {Is} is @returns {Is} */
const orNull = (is) => (value) => value === null || is(value);
/** @param {...unknown} values @returns {Is} */
const among =
  (...values) =>
  (value) =>
    values.includes(value);
/** @param {Record<string, Is>} fields @returns {Is} further fields are ignored */
const shape = (fields) => (value) =>
  object(value) && Object.entries(fields).every(([name, is]) => is(value[name]));

/** @param {Is} is @returns {Is} */
const optional = (is) => (value) => value === undefined || is(value);

const flag = among(true, false);

const run = shape({
  host: orNull(text),
  processId: orNull(text),
  pid: orNull(number),
  startedAtMs: orNull(number),
  me: optional(orNull(text)),
});

const writer = shape({
  host: text,
  bootId: orNull(text),
  bootedAtMs: number,
  pidNamespace: orNull(text),
  startedTicks: orNull(text),
});

/** The shapes of the lines by their kind. */
const LINES = Object.freeze(
  /** @type {Record<JournalLine['kind'], Is>} */ ({
    intent: shape({
      id: text,
      at: text,
      atMs: number,
      action: among('apply', 'undo', 'trial'),
      undoes: orNull(text),
      host: orNull(text),
      version: orNull(text),
      run,
      change,
      before: change,
      commands: texts,
      memoryBytes: optional(orNull(number)),
      was: orNull(text),
      known: optional(
        orNull(
          (value) => Array.isArray(value) && value.every(shape({ config: text, id: orNull(text) })),
        ),
      ),
      group: optional(
        shape({
          id: text,
          member: text,
          members: texts,
          names: optional(texts),
          setId: optional(orNull(text)),
        }),
      ),
      writer: optional(writer),
      comment: optional(text),
      ticket: optional(text),
      logged: optional(orNull(shape({ atMs: number, config: text }))),
      force: optional(flag),
      unsettled: optional(flag),
    }),
    asking: shape({ id: text, atMs: number, command: text, again: optional(flag) }),
    sent: shape({
      id: text,
      atMs: number,
      command: text,
      was: orNull(text),
      again: optional(flag),
      answeredAtMs: optional(number),
    }),
    refused: shape({ id: text, atMs: number, command: text }),
    external: shape({ id: text, atMs: number, configs: texts, planned: orNull(text) }),
    outcome: shape({
      id: text,
      at: text,
      outcome: among('applied', 'refused', 'interrupted', 'unknown', 'undone', 'partly-undone'),
      after: orNull(change),
      verified: orNull(among(true, false)),
      reason: orNull(text),
    }),
  }),
);

/** @param {any} value @returns {value is JournalLine} */
const isLine = (value) =>
  object(value) &&
  Object.hasOwn(LINES, value.kind) &&
  LINES[/** @type {keyof typeof LINES} */ (value.kind)](value);

module.exports = { isLine };
