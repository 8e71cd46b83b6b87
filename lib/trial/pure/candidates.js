'use strict';

const { SETTINGS, MAX_EVICTION_THREADS } = require('../../config/setting-table');
const { settingsOf, showChange, pick } = require('../../config/change');
const { newConflicts } = require('../../config/thresholds');
const { GiB, wholeMB } = require('../../base/pure/units');

/**
 * @import { Bottleneck } from '../../base/pure/finding'
 * @import { SettingName, Change } from '../../base/types'
 * @import { Raw } from '../../config/thresholds'
 */

/**
 * Chooses what a search may try: a few values of one kind of setting after the other, beginning
 * with the kind that the diagnosis names first.
 * @typedef {{ kind: Kind, changes: Change[] }} Dimension
 * @typedef {{
 *   raw: Raw, memoryBytes: number | null, cores: number | null, diagnosed: Change | null,
 *   settings?: readonly SettingName[]
 * }} Known `diagnosed`: the
 *   change of the advice; `settings`: the only ones that may be changed
 * @typedef {keyof typeof KINDS} Kind
 */

/** The manual's default share of memory: a search does not exceed it by itself. */
const MEMORY_SHARE = 0.5;
/** The cache sizes to try, as multiples of the present one. */
const CACHE_FACTORS = Object.freeze([2, 4, 8]);
/**
 * The values to try: the default, OPPO's, and the pair that gained most in
 * docs/evidence/dirty-thresholds.md.
 */
const DIRTY = Object.freeze([
  [5, 20],
  [3, 25],
  [10, 40],
]);
/** The thread counts to try: mongod's own number, twice and three times as many. */
const THREADS = Object.freeze([4, 8, 12]);
/** A search has no time to distinguish more candidates than this. */
const MAX_CHANGES = 4;

const KINDS = Object.freeze({
  cache: { settings: /** @type {SettingName[]} */ (['cacheSizeGB']), changes: cacheSizes },
  dirty: {
    settings: /** @type {SettingName[]} */ (['evictionDirtyTarget', 'evictionDirtyTrigger']),
    changes: dirtyThresholds,
  },
  threads: {
    settings: /** @type {SettingName[]} */ (['evictionThreadsMax']),
    changes: threadCounts,
  },
});

/** The settings that a search can choose. @type {readonly SettingName[]} */
const SEARCHED = Object.freeze(Object.values(KINDS).flatMap(({ settings }) => settings));

/**
 * The kinds of settings that are the mechanism of a bottleneck.
 * @type {{ [bottleneck in Bottleneck]?: readonly Kind[] }}
 */
const KINDS_OF = Object.freeze({
  'cache-read': ['cache'],
  'cache-dirty': ['cache', 'dirty'],
  'eviction-threads': ['threads'],
});

/**
 * @param {Bottleneck} bottleneck @param {Known} known
 * @returns {Dimension[]} empty where no setting is the mechanism, or no setting may be tried
 */
function dimensionsFor(bottleneck, known) {
  const kinds = [...(KINDS_OF[bottleneck] ?? [])];
  const first = kinds.find((kind) =>
    KINDS[kind].settings.some((setting) => known.diagnosed?.[setting] !== undefined),
  );
  const ordered = first ? [first, ...kinds.filter((kind) => kind !== first)] : kinds;
  return ordered
    .filter(
      (kind) =>
        !known.settings ||
        KINDS[kind].settings.some((setting) => known.settings?.includes(setting)),
    )
    .map((kind) => ({ kind, changes: changesOf(kind, known) }))
    .filter(({ changes }) => changes.length > 0);
}

/**
 * @param {Kind} kind
 * @param {Known} known
 * @returns {Change[]} the changes that differ from the active setting and contradict no other one
 */
function changesOf(kind, known) {
  const { raw, diagnosed } = known;
  const { changes } = KINDS[kind];
  const settings = KINDS[kind].settings.filter(
    (setting) => known.settings?.includes(setting) ?? true,
  );
  const all = [diagnosed ?? {}, ...changes(known)]
    .map((change) => pick(change, settings))
    .filter((change) => settingsOf(change).length > 0);
  const differing = all.filter(
    (change) =>
      settingsOf(change).some((setting) => raw[setting] !== change[setting]) &&
      newConflicts(raw, change).length === 0,
  );
  return differing
    .filter(
      (change, i) => differing.findIndex((other) => showChange(other) === showChange(change)) === i,
    )
    .slice(0, MAX_CHANGES);
}

/** @param {Known} known @returns {Change[]} */
function cacheSizes({ raw, memoryBytes }) {
  const now = raw.cacheSizeGB;
  if (typeof now !== 'number' || memoryBytes === null) return [];
  const maxGB = (memoryBytes * MEMORY_SHARE) / GiB;
  return CACHE_FACTORS.map((factor) => wholeMB(Math.min(now * factor, maxGB)))
    .filter((size) => size > now)
    .map((cacheSizeGB) => ({ cacheSizeGB }));
}

/** @returns {Change[]} */
function dirtyThresholds() {
  return DIRTY.map(([evictionDirtyTarget, evictionDirtyTrigger]) => ({
    evictionDirtyTarget,
    evictionDirtyTrigger,
  }));
}

/**
 * @param {Known} known
 * @returns {Change[]} at most as many threads as cores, except mongod's own number
 */
function threadCounts({ cores }) {
  const max = Math.min(
    MAX_EVICTION_THREADS,
    Math.max(Number(SETTINGS.evictionThreadsMax.wtDefault), cores ?? 0),
  );
  return THREADS.filter((threads) => threads <= max).map((evictionThreadsMax) => ({
    evictionThreadsMax,
  }));
}

/**
 * Successive halving: all candidates get a short trial, the better half a longer one, until one is
 * left (Jamieson and Talwalkar 2016).
 * @template T
 * @typedef {{ candidate: T, score: number }} Scored `score`: how many times as good as the active
 *   setting; 0 where the guardrail ended the trial
 */

/**
 * @template T
 * @param {readonly Scored<T>[]} round in their given order
 * @returns {T[]} the better half, in that order, without those far worse than the active setting
 */
function betterHalf(round) {
  const ranked = [...round]
    .filter(({ score }) => score > HOPELESS)
    .sort((a, b) => b.score - a.score);
  const kept = new Set(
    ranked.slice(0, Math.ceil(round.length / 2)).map(({ candidate }) => candidate),
  );
  return round.map(({ candidate }) => candidate).filter((candidate) => kept.has(candidate));
}

/**
 * Chance alone makes a tenth after one pair of short blocks: a candidate below that is not tried
 * again.
 */
const HOPELESS = 0.9;

module.exports = { dimensionsFor, SEARCHED, betterHalf };
