'use strict';

/**
 * @import { QueryFields, Shape } from '../types'
 */

/** Recognizes an operation: by the shape of its query, or as a task of the server. */

/**
 * Work that no application just requested: tasks of the server, and programs that read everything.
 * They are recognized by the name of the thread (`ctx` of the log, `desc` of $currentOp; seen on
 * 4.4 to 6.0) or of the application.
 */
const THREADS = Object.freeze(
  /** @type {const} */ ([
    [/^TTLMonitor/, 'ttl'],
    [/^IndexBuildsCoordinator/, 'index build'],
    [/^(range-deleter|Collection-Range-Deleter|RangeDeleter)/i, 'range deleter'],
    [/^(migrateThread|moveChunk|MoveChunk|batchApplier|sessionMigration)/i, 'migration'],
    [/^(ReplWriterWorker|OplogApplier|repl-writer)/, 'replication'],
    [/^(initialSync|CollectionCloner|InitialSyncInserters)/i, 'initial sync'],
    [/^LogicalSessionCache/, 'sessions'],
  ]),
);
const PROGRAMS = /^(mongodump|mongoexport|mongorestore|mongoimport|pbm-agent)\b/i;

/** These commands are tasks by themselves, from any client. */
const BY_COMMAND = Object.freeze(
  /** @type {Record<string, string>} */ ({
    compact: 'compact',
    validate: 'validate',
    createIndexes: 'index build',
    _recvChunkStart: 'migration',
    moveChunk: 'migration',
    moveRange: 'migration',
  }),
);

/**
 * @param {{ thread: string, app: string | null, kind: string }} operation
 * @returns {string | null} null: an operation of an application
 */
function taskOf({ thread, app, kind }) {
  const [, task] = THREADS.find(([pattern]) => pattern.test(thread)) ?? [];
  if (task !== undefined) return task;
  const program = PROGRAMS.exec(app ?? '')?.[1];
  if (program) return program.toLowerCase();
  return Object.hasOwn(BY_COMMAND, kind) ? BY_COMMAND[kind] : null;
}

/**
 * Whether it waits for a builder of indexes, which is another thread and is seen by itself.
 * @param {any} command @param {string} thread
 */
const waitsForBuilder = (command, thread) =>
  command?.createIndexes !== undefined && !thread.startsWith('IndexBuilds');

/**
 * Shapes of commands: names of fields and operators stay, every value becomes `?`. What is not
 * certain to be a name is a value.
 */

/** Levels, names and characters of a shape: a log line of any size gives a short one (heuristic). */
const MAX_DEPTH = 8;
const MAX_NAMES = 24;
const MAX_TEXT = 240;
/** Longer names, and those that look like data, are keys of a map: they are values. */
const MAX_NAME = 60;
const NAME = /^\$?[\p{L}_][\p{L}\p{N}_$. -]*$/u;
const DATA = /^[0-9a-f]{12,}$|@|\d{6,}|^[0-9a-f]{8}-[0-9a-f]{4}-/i;

/** The parts of a command beside the query itself. */
const QUERY_PARTS = Object.freeze({
  find: ['filter', 'sort', 'limit'],
  count: ['query'],
  distinct: ['query'],
  aggregate: ['pipeline'],
  findAndModify: ['query', 'sort'],
  findandmodify: ['query', 'sort'],
});
/** Commands of several writes. */
const WRITES = new Set(['update', 'delete']);
/** Numbers that are part of a shape: the direction of a sort, a field that is kept or left out. */
const DIRECTED = new Set(['sort', '$sort', '$project', 'projection', 'key']);
/** @type {Readonly<Shape>} */
const NOT_SHOWN = Object.freeze({ kind: 'unknown', text: '(not shown)', fields: null });

/**
 * The shape of a command, as the log, the profiler or $currentOp has it.
 * @param {unknown} command
 * @param {{ type?: string, originating?: unknown }} [more] `type`: of the entry, where single writes
 *   have no name of a command; `originating`: the query behind a getMore
 * @returns {Shape}
 */
function shapeOf(command, { type = '', originating } = {}) {
  if (!isObject(command)) return NOT_SHOWN;
  const [name = ''] = Object.keys(command);
  if (name === 'getMore' && isQuery(originating)) return shapeOf(originating);
  if (WRITES.has(name)) return ofWrites(name, command);
  if (name === 'q') return ofWrite(type, command);
  return Object.hasOwn(QUERY_PARTS, name) ? ofQuery(name, command) : named(name);
}

/** Whether a getMore continues a query. @param {unknown} command @returns {command is object} */
const isQuery = (command) => isObject(command) && command.getMore === undefined;

/** A command of which nothing but its name is shown. @param {string} name @returns {Shape} */
const named = (name) =>
  NAME.test(name) && name.length <= MAX_NAME && !name.startsWith('$')
    ? { kind: name, text: name, fields: null }
    : NOT_SHOWN;

/** @param {string} name @param {Record<string, any>} command @returns {Shape} */
function ofQuery(name, command) {
  const kept = QUERY_PARTS[/** @type {keyof typeof QUERY_PARTS} */ (name)]
    .filter((part) => command[part] !== undefined)
    .map((part) => [part, command[part]]);
  const only = kept.length === 1 ? kept[0][1] : Object.fromEntries(kept);
  return {
    kind: name,
    text: short(`${name} ${shown(only, 0, false)}`),
    fields: fieldsOf(name, command),
  };
}

/** A single update or delete. @param {string} type @param {Record<string, unknown>} write */
const ofWrite = (type, write) => {
  const kind = type === 'remove' || (type === '' && write.u === undefined) ? 'delete' : 'update';
  const many = write.multi === true || write.limit === 0 ? 'many' : 'one';
  const kept = { q: write.q, ...(isObject(write.u) && { u: operatorsOf(write.u) }) };
  return {
    kind,
    text: short(`${kind} ${many} ${shown(kept, 0, false)}`),
    fields: queryFields(write.q, undefined),
  };
};

/** @param {string} name @param {Record<string, unknown>} command of one write or more */
function ofWrites(name, command) {
  const writes = command[name === 'update' ? 'updates' : 'deletes'];
  const [first] = Array.isArray(writes) ? writes : [];
  if (!isObject(first)) return { kind: name, text: name, fields: null };
  const shape = ofWrite(name === 'update' ? 'update' : 'remove', first);
  return { ...shape, kind: name };
}

/** `$set: { a: ?, b: ? }`: what is written, not what with. @param {Record<string, unknown>} update */
const operatorsOf = (update) =>
  Object.keys(update).every((name) => name.startsWith('$')) ? update : {};

/** @param {string} text */
const short = (text) => (text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT - 1)}…` : text);

/**
 * @param {unknown} value
 * @param {number} depth
 * @param {boolean} isDirected numbers 1, 0 and -1 are kept
 * @returns {string}
 */
function shown(value, depth, isDirected) {
  if (Array.isArray(value)) return list(value, depth, isDirected);
  if (!isObject(value)) return isDirected && isDirection(value) ? String(value) : '?';
  if (isLiteral(value)) return '?';
  if (depth >= MAX_DEPTH) return '…';
  const names = Object.keys(value);
  const parts = names
    .slice(0, MAX_NAMES)
    .map(
      (name) =>
        `${nameOf(name)}: ${shown(value[name], depth + 1, isDirected || DIRECTED.has(name))}`,
    );
  // Keys of a map are values: however many there are, the shape is one.
  const distinct = [...new Set(parts)];
  if (names.length > MAX_NAMES) distinct.push('…');
  return distinct.length === 0 ? '{}' : `{ ${distinct.join(', ')} }`;
}

/** @param {unknown[]} values @param {number} depth @param {boolean} isDirected */
const list = (values, depth, isDirected) => {
  const parts = values
    .slice(0, MAX_NAMES)
    .map((item) =>
      isObject(item) || Array.isArray(item) ? shown(item, depth + 1, isDirected) : '?',
    );
  const distinct = parts.filter((part, i) => i === 0 || part !== parts[i - 1]);
  return `[${distinct.join(', ')}${values.length > MAX_NAMES ? ', …' : ''}]`;
};

/** @param {string} name of a field or operator, or a key that is data */
const nameOf = (name) =>
  name.length <= MAX_NAME && NAME.test(name) && !DATA.test(name) ? name : '<key>';

/** @param {unknown} value */
const isDirection = (value) => value === 1 || value === -1 || value === 0;

/** @param {unknown} value @returns {value is Record<string, any>} */
const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);

const LITERAL =
  /^\$(oid|date|numberLong|numberInt|numberDouble|numberDecimal|binary|uuid|regularExpression|timestamp|minKey|maxKey|symbol|code|literal)$/;
/** A value of extended JSON, or one of the driver. @param {Record<string, any>} value */
const isLiteral = (value) =>
  value._bsontype !== undefined ||
  value instanceof Date ||
  Object.keys(value).some((name) => LITERAL.test(name));

/**
 * @param {string} name
 * @param {Record<string, any>} command
 * @returns {QueryFields | null}
 */
function fieldsOf(name, command) {
  if (name !== 'aggregate') return queryFields(command.filter ?? command.query, command.sort);
  const stages = Array.isArray(command.pipeline) ? command.pipeline : [];
  const at = stages[0]?.$match === undefined ? 0 : 1;
  return queryFields(at === 1 ? stages[0].$match : {}, stages[at]?.$sort);
}

const EQUAL = new Set(['$eq', '$in']);
const RANGE = new Set(['$gt', '$gte', '$lt', '$lte']);

/**
 * @param {unknown} filter
 * @param {unknown} sort
 * @returns {QueryFields | null} null: no filter is known
 */
function queryFields(filter, sort) {
  if (!isObject(filter)) return null;
  /** @type {QueryFields} */
  const fields = { equal: [], range: [], sort: sortOf(sort), isWhole: true };
  const conditions = [filter, ...(Array.isArray(filter.$and) ? filter.$and.filter(isObject) : [])];
  for (const [name, value] of conditions.flatMap((condition) => Object.entries(condition))) {
    if (name === '$and') continue;
    if (nameOf(name) !== name || name.startsWith('$')) fields.isWhole = false;
    else add(fields, name, value);
  }
  return fields;
}

/** @param {QueryFields} fields @param {string} name @param {unknown} value */
function add(fields, name, value) {
  const operators =
    isObject(value) && !isLiteral(value)
      ? Object.keys(value).filter((key) => key.startsWith('$'))
      : [];
  if (operators.length === 0 || operators.every((operator) => EQUAL.has(operator)))
    fields.equal.push(name);
  else if (operators.every((operator) => RANGE.has(operator) || EQUAL.has(operator)))
    fields.range.push(name);
  else fields.isWhole = false;
}

/** @param {unknown} sort @returns {[string, 1 | -1][]} */
const sortOf = (sort) =>
  isObject(sort)
    ? Object.entries(sort).flatMap(([name, direction]) =>
        nameOf(name) === name && (direction === 1 || direction === -1)
          ? [/** @type {[string, 1 | -1]} */ ([name, direction])]
          : [],
      )
    : [];

module.exports = { shapeOf, isObject, NOT_SHOWN, taskOf, waitsForBuilder };
