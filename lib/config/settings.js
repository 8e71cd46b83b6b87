'use strict';

const { KNOB_NAMES } = require('./knobs');
const { GiB, figure } = require('../base/pure/units');
const { THRESHOLDS, inForce } = require('./thresholds');
const {
  defaultsFor,
  askedAtStart,
  layersOf,
  setSince,
  collapse,
  knobsIn,
} = require('./config-layers');

/**
 * The effective configuration: the record of what was asked for, against what the server tells of
 * itself (cache size and threads; thresholds from 9.0 on), which wins.
 *
 * @typedef {import('./knobs').Knob} Knob
 * @typedef {import('../server/pure/facts').Setting & { set: number | null }} Setting `set`: as configured,
 *   before WiredTiger mends it
 * @typedef {Record<Knob, Setting>} Config
 * @typedef {{ knob: Knob, recorded: number, value: number, say: string }} Drift the server shows
 *   another value than the record
 * @typedef {import('../server/pure/counters').Metrics} Metrics
 * @typedef {{
 *   startup: import('./config-layers').Startup | null,
 *   runTime: readonly import('./config-layers').RunTime[], memoryBytes: number | null,
 *   live: Metrics
 * }} Known `startup` null: unknown; `memoryBytes`: what the server may use
 */

/** Thresholds told live are percent with two decimals; a number of bytes comes out rounded. */
const ROUNDING_PERCENT = 0.011;

const LIVE = Object.freeze(
  /** @type {[Knob, keyof Metrics][]} */ ([
    ['evictionTarget', 'eviction.targetPercent'],
    ['evictionTrigger', 'eviction.triggerPercent'],
    ['evictionDirtyTarget', 'eviction.dirtyTargetPercent'],
    ['evictionDirtyTrigger', 'eviction.dirtyTriggerPercent'],
    ['evictionUpdatesTarget', 'eviction.updatesTargetPercent'],
    ['evictionUpdatesTrigger', 'eviction.updatesTriggerPercent'],
  ]),
);

/**
 * @param {Known} known
 * @returns {{
 *   config: Config, drift: Drift[], mended: string[], startValues: import('./knobs').Change | null
 * }} `mended`: what
 *   WiredTiger makes of contradictions, where they come from somebody's setting; `startValues`: as
 *   a restart would set them
 */
function makeConfig(known) {
  const { startup, runTime, live } = known;
  const defaults = defaultsSeen(known);
  const asked = startup && askedAtStart(startup, defaults);
  const config = layersOf(asked, runTime, defaults);
  const drift = [...readBackCache(config, live), ...readBackThreads(config, live)];
  collapse(config, asked, defaults);
  const { percent, mended } = inForce(
    Object.fromEntries(KNOB_NAMES.map((knob) => [knob, config[knob].set])),
  );
  const byDefault = inForce(defaults).percent;
  for (const knob of THRESHOLDS)
    Object.assign(config[knob], { value: percent[knob], default: byDefault[knob] });
  drift.push(...readBackThresholds(config, live));
  return {
    config,
    drift,
    startValues: asked && { .../** @type {any} */ (defaults), ...asked },
    mended: mended.filter(({ knob }) => config[knob].from !== 'default').map(({ say }) => say),
  };
}

/**
 * mongod may have seen another amount of memory than hostInfo tells: where nobody ever set the
 * size, the one it has is the default.
 * @param {Known} known
 * @returns {import('./config-layers').Values}
 */
function defaultsSeen({ startup, runTime, memoryBytes, live }) {
  const defaults = defaultsFor(memoryBytes);
  if (
    startup === null ||
    startup.cacheSizeGB !== null ||
    knobsIn(startup.configString ?? '').cacheSizeGB !== undefined
  )
    return defaults;
  const untouched = runTime.every(
    (event) => event.kind === 'set' && knobsIn(event.config).cacheSizeGB === undefined,
  );
  const seenGB =
    knobsIn(startup.opened ?? '').cacheSizeGB ??
    (untouched && live['cache.maxBytes'] !== undefined ? live['cache.maxBytes'] / GiB : null);
  return { ...defaults, cacheSizeGB: seenGB ?? defaults.cacheSizeGB };
}

/** @param {Config} config @param {Metrics} live @returns {Drift[]} */
function readBackCache(config, live) {
  const maxBytes = live['cache.maxBytes'];
  return maxBytes === undefined ? [] : readBack(config, 'cacheSizeGB', maxBytes / GiB);
}

/**
 * The number of threads moves between its limits.
 * @param {Config} config
 * @param {Metrics} live
 * @returns {Drift[]}
 */
function readBackThreads(config, live) {
  const active = live['eviction.threadsActive'];
  const {
    evictionThreadsMin: { value: min },
    evictionThreadsMax: { value: max },
  } = config;
  if (active === undefined || min === null || max === null) return [];
  const fixed = min === max;
  return [
    ...(active > max || fixed ? readBack(config, 'evictionThreadsMax', active) : []),
    ...(active < min || fixed ? readBack(config, 'evictionThreadsMin', active) : []),
  ];
}

/** @param {Config} config @param {Metrics} live @returns {Drift[]} */
const readBackThresholds = (config, live) =>
  LIVE.flatMap(([knob, metric]) => {
    const value = live[metric];
    return value === undefined ||
      Math.abs(value - (config[knob].value ?? Infinity)) <= ROUNDING_PERCENT
      ? []
      : readBack(config, knob, value);
  });

/** @param {Config} config @param {Knob} knob @param {number} value @returns {Drift[]} */
function readBack(config, knob, value) {
  const recorded = config[knob].value;
  if (recorded === value) return [];
  setSince(config[knob], value);
  return recorded === null
    ? []
    : [
        {
          knob,
          recorded,
          value,
          say:
            `${knob} is ${figure(value)}, but the record says ${figure(recorded)}: something ` +
            'else changed it.',
        },
      ];
}

module.exports = { makeConfig, knobsIn };
