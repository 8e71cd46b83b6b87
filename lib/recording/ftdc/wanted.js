'use strict';

const { COUNTERS } = require('../../server/pure/counters');
const { SYSTEM_COUNTERS, DISK_COUNTERS, ROLES } = require('../../server/pure/system-counters');
const { SEPARATOR } = require('./layout');

/**
 * What we look for in a recording, and what the paths in it mean. Made when the first recording is
 * read, not when the file is loaded.
 *
 * @typedef {{
 *   name: string, terms: readonly (readonly { path: string, scale: number }[])[],
 *   isOfDisk?: boolean
 * }} Wanted a sum of
 *   terms, each by the first of its spellings that is present; `isOfDisk`: one of each disk instead
 * @typedef {{ path: string, rank: number }} Meaning a path without its role, and how far behind
 *   others it comes
 */

const EVERY = '*';
/** Layouts change, but mostly hold the same paths: what each of them means is worked out once. */
const MAX_REMEMBERED = 20_000;

/**
 * @type {{
 *   wanted: Wanted[], known: Map<string, Meaning>, prefixes: string[],
 *   meanings: Map<string, Meaning | null>
 * } | null}
 */
let tables = null;

function makeTables() {
  const wanted = [...clocks(), ...ofServerStatus(), ...ofSystem(), ...ofDisks()];
  /** @type {Map<string, Meaning>} */
  const known = new Map();
  for (const { path } of wanted.flatMap(({ terms }) => terms.flat())) {
    [null, ...ROLES].forEach((role, i) =>
      known.set(role === null ? path : join([role, path]), { path, rank: i - 1 }),
    );
  }
  // What stands before the `*` of a path; more than one of them in a path is not needed.
  const prefixes = [
    ...new Set(
      [...known.keys()]
        .filter((path) => path.includes(EVERY))
        .map((path) => path.slice(0, path.indexOf(EVERY))),
    ),
  ];
  return { wanted, known, prefixes, meanings: new Map() };
}

/** @param {readonly string[]} path */
const join = (path) => path.join(SEPARATOR);

/**
 * Names that no metric has: the clocks, and what a member of a replica set is.
 * @returns {Wanted[]}
 */
const clocks = () =>
  /** @type {[string, string[], number][]} */ ([
    ['at', ['serverStatus', 'localTime'], 1],
    ['uptimeMs', ['serverStatus', 'uptimeMillis'], 1],
    ['uptimeSeconds', ['serverStatus', 'uptime'], 1000],
    ['start', ['start'], 1],
    ['state', ['replSetGetStatus', 'myState'], 1],
  ]).map(([name, path, scale]) => ({ name, terms: [[{ path: join(path), scale }]] }));

/** @returns {Wanted[]} */
const ofServerStatus = () =>
  Object.entries(COUNTERS).map(([name, { spellings }]) => ({
    name,
    terms: [
      spellings.map(({ path, scale = 1 }) => ({ path: join(['serverStatus', ...path]), scale })),
    ],
  }));

/** @returns {Wanted[]} */
const ofSystem = () =>
  Object.entries(SYSTEM_COUNTERS).map(([name, { terms }]) => ({
    name,
    terms: terms.map((spellings) =>
      spellings.map(({ path, scale = 1 }) => ({ path: join(path), scale })),
    ),
  }));

/** @returns {Wanted[]} */
const ofDisks = () =>
  Object.entries(DISK_COUNTERS).map(([name, { field, scale }]) => ({
    name,
    terms: [[{ path: join(['systemMetrics', 'disks', EVERY, field]), scale }]],
    isOfDisk: true,
  }));

/** @returns {readonly Wanted[]} */
const wantedMetrics = () => (tables ??= makeTables()).wanted;

/** @param {string} path @returns {Meaning | null} null: not one that we look for */
function meaningOf(path) {
  const { known, prefixes, meanings } = (tables ??= makeTables());
  const remembered = meanings.get(path);
  if (remembered !== undefined) return remembered;
  const meaning = known.get(path) ?? known.get(generic(path, prefixes) ?? path) ?? null;
  if (meanings.size >= MAX_REMEMBERED) meanings.clear();
  meanings.set(path, meaning);
  return meaning;
}

/**
 * @param {string} path
 * @param {readonly string[]} prefixes
 * @returns {string | null} the same with a `*`, where we look for such a one
 */
function generic(path, prefixes) {
  const prefix = prefixes.find((start) => path.startsWith(start));
  return prefix === undefined
    ? null
    : prefix + EVERY + path.slice(Math.max(prefix.length, path.indexOf(SEPARATOR, prefix.length)));
}

module.exports = { wantedMetrics, meaningOf, EVERY };
