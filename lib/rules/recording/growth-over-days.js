'use strict';

const {
  bytes,
  count,
  duration,
  percent,
  timeText,
  shortPercent,
  MS_PER_DAY,
} = require('../../base/pure/units');
const { defineRecordingRule } = require('../recording-rule');
const { GROWN, NEAR_DAYS } = require('../../series/trends');
const { sources, manual, ticket } = require('../sources');

/** @import { Trend, TrendName } from '../../series/trends' */

/** A limit that is met sooner needs a person now (heuristic). */
const SOON_DAYS = 14;

/**
 * @typedef {{
 *   what: string, show(value: number): string, limit?: string, advice: string, isMild?: true
 * }} Words `isMild`: its limit is no trouble
 */

/** @type {Readonly<Record<TrendName, Words>>} */
const WORDS = Object.freeze({
  memory: {
    what: 'The memory beside the cache',
    show: bytes,
    limit: 'all that the cache leaves of the RAM',
    advice: 'tune.report() draws its parts: connections, the allocator, the rest.',
  },
  connections: {
    what: 'The number of connections',
    show: count,
    limit: 'the most that mongod accepts',
    advice: 'Check the pools of the clients: maxPoolSize, and MongoClients that are never closed.',
  },
  space: {
    what: 'The free space beside the data',
    show: bytes,
    limit: 'nothing',
    advice:
      'Add space in time, or delete data: tune.collections() shows space that files can use again.',
  },
  history: {
    what: 'The history store on disk',
    show: bytes,
    advice: 'Find what keeps old versions: tune.advise({ includeMembers: true }).',
  },
  cache: {
    what: 'The used share of the cache',
    show: percent,
    limit: 'the target of eviction, where reads begin to cost evictions',
    advice: 'Nothing yet: a full cache is normal. Check pages read into the cache after that day.',
    isMild: true,
  },
  checkpoints: {
    what: 'The duration of checkpoints',
    show: duration,
    limit: 'their interval',
    advice: 'Less dirty data, or a faster disk: tune.checkpoints() shows what they wait for.',
  },
  handles: {
    what: 'The number of open collections and indexes',
    show: count,
    advice: 'Check what creates collections: each one and each index is a file.',
  },
  readLatency: {
    what: 'The mean time of a read',
    show: duration,
    advice: 'Compare both days: tune.report.compare() of a recording of each.',
  },
  writeLatency: {
    what: 'The mean time of a write',
    show: duration,
    advice: 'Compare both days: tune.report.compare() of a recording of each.',
  },
});

module.exports = defineRecordingRule({
  id: 'growth-over-days',
  title: 'Something grows from day to day',
  why:
    'What grows slowly meets its limit at an hour that was not chosen. A recording of one minute does ' +
    'not show it; the same hours of several days do.',
  threshold:
    `Recordings of two days and more. Information: grown by ${shortPercent(GROWN)}, or its limit is met within ${NEAR_DAYS} days. ` +
    `Warning: the limit is met within ${SOON_DAYS} days. Nine of ten pairs of times, whole days apart, must agree.`,
  source: sources(
    ticket('SERVER-19954', 'checkpoints of minutes, then writes that stop'),
    manual('serverStatus', 'manual/reference/command/serverStatus/'),
    'slopes between the same hours of two days are the seasonal estimator of Sen; the shares are heuristics',
  ),
  advice: 'Act before the limit is met.',
  whenNot:
    'A load that grows makes figures grow that are healthy. A single rise, such as an import, does not ' +
    'count.',
  check: (trends) =>
    trends.map((trend) => {
      const { name, limitMs, toMs } = trend;
      const isSoon = limitMs !== null && limitMs - toMs <= SOON_DAYS * MS_PER_DAY;
      return {
        status: isSoon && !WORDS[name].isMild ? 'warning' : 'info',
        code: limitMs === null ? 'grows' : 'meets-limit',
        values: trend,
        evidence: { from: trend.from, to: trend.to, perDay: trend.perDay },
        subject: name,
      };
    }),
  messages: {
    fine: () => 'Nothing grows from day to day.',
    grows: (trend) => `${growth(trend)}.`,
    'meets-limit': (trend) => `${growth(trend)}. ${limit(trend)}.`,
  },
  adviceFor: {
    grows: ({ name }) => WORDS[name].advice,
    'meets-limit': ({ name }) => WORDS[name].advice,
  },
});

/** @param {Trend} trend */
function growth({ name, from, to, perDay, fromMs, toMs }) {
  const { what, show } = WORDS[name];
  return (
    `${what} ${perDay > 0 ? 'grew' : 'fell'} from ${show(from)} to ${show(to)} ` +
    `between ${dayOf(fromMs)} and ${dayOf(toMs)}, by ${show(Math.abs(perDay))} a day`
  );
}

/** @param {Trend} trend */
function limit({ name, to, limit: at, limitMs, toMs }) {
  const { show, limit: words } = WORDS[name];
  const said = name === 'space' ? 'there is none left' : `it meets ${show(Number(at))} (${words})`;
  return Number(limitMs) <= toMs
    ? `${show(to)} is beyond ${show(Number(at))} (${words})`
    : `At this pace ${said} on ${dayOf(Number(limitMs))}`;
}

/** @param {number} ms */
const dayOf = (ms) => timeText(ms).slice(0, 10);
