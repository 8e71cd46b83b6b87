'use strict';

const { assign, balancedBy, unitsOf, weigh, worthOf } = require('./placement');
const { collectionBlockers, collectionWarnings } = require('./plan-collection');
const { dependentBlockers, viewsOf } = require('./dependents');
const { methodOf } = require('./method');
const { partsFor } = require('./parts');
const { targetRemarks } = require('./plan-target');
const { unknownOf } = require('./rights');
const { wholeBlockers, wholeWarnings } = require('./plan-checks');

/**
 * @import { Unit, Worth } from './placement'
 * @import { Around } from './plan-target'
 * @import { By, Mode, Sample } from './definitions'
 * @import { Asked, Move, SeenCollection, SplitPlan, Surroundings } from './types'
 */

/**
 * @typedef {{
 *   collections: SeenCollection[], server: Surroundings,
 *   sample: Sample | null
 * }} Seen `collections`: all collections and views of the database
 * @typedef {{ places: Map<string, string>, stays: { ns: string, because: string }[] }} Placed
 */

/** @param {Asked} asked @param {Seen} seen @returns {SplitPlan} */
function makePlan(asked, seen) {
  const { collections, server } = seen;
  /** @type {Mode} */ const mode = server.role === 'standalone' ? 'offline' : 'online';
  const stored = collections.filter(
    ({ type, name }) => type !== 'view' && !name.startsWith('system.'),
  );
  const common = { ...heading(asked, server), mode, unknown: unknownOf(server) };
  if (asked.by !== null) return { ...common, ...inParts(asked, seen, { mode, stored }) };
  const { places, stays } = place(asked, { collections, stored, mode });
  const around = {
    id: asked.id,
    places: new Map([...places].map(([ns, into]) => [ns.slice(asked.from.length + 1), into])),
    views: viewsOf(collections),
    names: collections.map(({ name }) => name),
    seenViews: collections.filter(({ type }) => type === 'view'),
    server,
    method: asked.method ?? null,
  };
  const going = collections.filter(({ ns }) => places.has(ns));
  const moves = going.map((one) =>
    moveOf(one, /** @type {string} */ (places.get(one.ns)), { mode, around }),
  );
  return {
    ...common,
    ...worthOf({
      from: asked.from,
      collections: stored,
      seconds: asked.seconds,
      moved: going,
      server,
      split: null,
    }),
    moves,
    stays,
    loads: loadsOf(asked, stored, places),
    balancedBy: balancedBy(stored),
    parts: [],
    route: null,
    views: movedViews(asked.from, around),
    blockers: [...missing(asked, collections), ...wholeBlockers({ ...asked, mode, moves, server })],
    warnings: wholeWarnings({ ...asked, mode, moves, server }),
    estimateSeconds: total(moves.map(({ estimateSeconds }) => estimateSeconds.total)),
    diskBytes: total(moves.map(({ diskBytes }) => diskBytes)),
  };
}

/** @param {Asked} asked @param {Surroundings} server */
const heading = ({ id, at, from, into, by, seconds }, { host, version }) => ({
  id,
  at,
  host,
  version,
  from,
  into,
  by,
  seconds,
});

/**
 * @param {Asked} asked
 * @param {{ collections: SeenCollection[], stored: SeenCollection[], mode: Mode }} seen
 * @returns {Placed}
 */
function place({ from, into, names }, { collections, stored, mode }) {
  const views = viewsOf(collections);
  const by = balancedBy(stored);
  if (names !== null)
    return {
      places: assign(
        unitsOf(
          collections.filter(({ name }) => names.includes(name)),
          views,
          by,
        ),
        into,
      ),
      stays: stored
        .filter(({ name }) => !names.includes(name))
        .map(({ ns }) => ({ ns, because: 'not requested' })),
    };
  const units = unitsOf(stored, views, by);
  const reasons = units.map((unit) => whyStays(unit, mode));
  const fixed = units
    .filter((_, i) => reasons[i] !== null)
    .reduce((sum, { weight }) => sum + weight, 0);
  const places = assign(
    units.filter((_, i) => reasons[i] === null),
    [from, ...into],
    { [from]: fixed },
  );
  const because = new Map(
    units.flatMap((unit, i) =>
      unit.collections.map(({ ns }) => [
        ns,
        reasons[i] ?? 'so that both databases have a share of the writes',
      ]),
    ),
  );
  return {
    places: new Map([...places].filter(([, database]) => database !== from)),
    stays: stored
      .filter(({ ns }) => (places.get(ns) ?? from) === from)
      .map(({ ns }) => ({ ns, because: /** @type {string} */ (because.get(ns)) })),
  };
}

/** @param {Unit} unit @param {Mode} mode @returns {string | null} */
function whyStays({ collections }, mode) {
  const blocked = collections.flatMap((one) =>
    collectionBlockers(one, mode).map(({ say }) => ({ one, say })),
  );
  if (blocked.length === 0) return null;
  return collections.length === 1
    ? blocked[0].say
    : `${blocked[0].one.ns} has to stay, and a view reads both: ${blocked[0].say}`;
}

/**
 * @param {SeenCollection} seen
 * @param {string} database
 * @param {{
 *   mode: Mode, around: Around & { seenViews: readonly SeenCollection[] }
 * }} where
 * @returns {Move}
 */
function moveOf(seen, database, { mode, around }) {
  const { ns, name, uuid, bytes, documents, indexBytes, storageBytes, writtenBytesPerSec } = seen;
  const move = {
    ns,
    into: `${database}.${name}`,
    uuid,
    bytes,
    documents,
    indexBytes,
    writtenBytesPerSec,
    ...methodOf(seen, { ...around.server, wanted: around.method }, mode),
    diskBytes: storageBytes === null ? null : storageBytes + (indexBytes ?? 0),
    blockers: collectionBlockers(seen, mode),
    warnings: collectionWarnings(seen, mode),
  };
  const more = targetRemarks(move, around);
  return {
    ...move,
    blockers: [
      ...move.blockers,
      ...more.blockers,
      ...dependentBlockers([
        { db: seen.database, name, views: around.seenViews },
        { db: database, name, views: around.server.views?.[database] ?? [] },
      ]),
    ],
    warnings: [...move.warnings, ...more.warnings],
  };
}

/**
 * @param {Asked} asked
 * @param {Seen} seen
 * @param {{ mode: Mode, stored: SeenCollection[] }} more
 */
function inParts(asked, { collections, server, sample }, { mode, stored }) {
  const by = /** @type {By} */ (asked.by);
  const split = collections.find(({ name }) => name === asked.names?.[0]) ?? null;
  const made =
    split === null || sample === null || sample.drawn.length === 0
      ? { parts: [], route: null, warnings: [] }
      : partsFor(split, by, asked.into, sample);
  return {
    ...worthOfParts(asked, { split, sample, server, stored }),
    moves: [],
    stays: [],
    loads: [],
    balancedBy: balancedBy(stored),
    ...made,
    views: [],
    blockers: [
      ...(split === null ? missing(asked, collections) : collectionBlockers(split, mode)),
      ...wholeBlockers({ ...asked, mode, moves: [], server }),
    ],
    estimateSeconds: null,
    diskBytes: split?.storageBytes ?? null,
  };
}

/**
 * @param {Asked} asked
 * @param {{
 *   split: SeenCollection | null, sample: Seen['sample'], server: Surroundings,
 *   stored: SeenCollection[]
 * }} seen
 * @returns {Worth}
 */
function worthOfParts(asked, { split, sample, server, stored }) {
  if (split === null)
    return {
      worthIt: 'no',
      because: `Database ${asked.from} has no such collection that this user can see.`,
    };
  if (sample?.drawn.length === 0)
    return {
      worthIt: 'no',
      because: `Collection ${split.ns} is empty, so the size of its parts is unknown.`,
    };
  return worthOf({ ...asked, collections: stored, moved: [], server, split });
}

/** @param {Asked} asked @param {SeenCollection[]} collections */
const missing = ({ from, names }, collections) =>
  (names ?? [])
    .filter((name) => !collections.some((one) => one.name === name))
    .map((name) => ({
      what: 'missing',
      say: `${from}.${name} does not exist, or this user cannot see it.`,
    }));

/**
 * @param {Asked} asked
 * @param {SeenCollection[]} stored
 * @param {Map<string, string>} places
 * @returns {SplitPlan['loads']}
 */
function loadsOf({ from, into }, stored, places) {
  const by = balancedBy(stored);
  const sum = (/** @type {(one: SeenCollection) => boolean} */ of) =>
    stored.filter(of).reduce((all, one) => all + (weigh(one, by) ?? 0), 0);
  return [...new Set([from, ...into])].map((database) => ({
    database,
    before: database === from ? sum(() => true) : 0,
    after: sum(({ ns }) => (places.get(ns) ?? from) === database),
  }));
}

/** @param {string} from @param {Around} around */
function movedViews(from, { views, places }) {
  return views
    .filter(
      ({ reads, elsewhere }) =>
        !elsewhere &&
        reads.length > 0 &&
        reads.every((name) => places.has(name) && places.get(name) === places.get(reads[0])),
    )
    .map(({ name, reads }) => ({ ns: `${from}.${name}`, into: `${places.get(reads[0])}.${name}` }));
}

/** @param {(number | null)[]} values @returns {number | null} the sum of the known values */
function total(values) {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
}

module.exports = { makePlan };
