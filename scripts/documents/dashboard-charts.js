'use strict';

const { PREFIX } = require('../../lib/report/pure/prometheus/families');

/**
 * The charts of the dashboard: what each shows, and the queries behind it.
 * @typedef {{ expr: string, legend: string }} Query
 * @typedef {{
 *   title: string, unit: string, rules: readonly string[], queries: readonly Query[],
 *   steps?: readonly number[], max?: number
 * }} Chart `steps`: from where on it
 *   is drawn in orange, in red; `rules`: which judge what it shows
 */

/** @param {string} name @param {string} [labels] beside those that are chosen above the charts */
const series = (name, labels = '') =>
  `${PREFIX}${name}{server=~"$server"${labels && `,${labels}`}}`;
/**
 * What grows is shown by the second; runs are minutes apart.
 * @param {string} name
 * @param {string} [labels]
 */
const rate = (name, labels) => `rate(${series(name, labels)}[$window])`;
/** @param {string} expr @param {string} legend @returns {Query} */
const query = (expr, legend) => ({ expr, legend: `{{server}} ${legend}`.trim() });

/**
 * All of them, in their order.
 * @param {(rule: string, limit: string) => number} limit of a rule
 * @returns {Chart[]}
 */
const charts = (limit) => [...cacheCharts(limit), ...workCharts()];

/**
 * What the cache holds and what it costs, first of all.
 * @param {(rule: string, limit: string) => number} limit
 * @returns {Chart[]}
 */
const cacheCharts = (limit) => [
  level('Cache used (% of cache)', 'used', ['cache-fill', 'cache-size']),
  level('Dirty data (% of cache)', 'dirty', ['dirty-ratio', 'dirty-volume']),
  level('Updates (% of cache)', 'updates', ['updates-ratio']),
  {
    title: 'Application threads blocked by the cache (mean number)',
    unit: 'none',
    rules: ['cache-wait', 'app-eviction', 'page-reads'],
    steps: [limit('cache-wait', 'minThreads')],
    queries: [
      query(rate('app_threads_waiting_seconds_total'), 'waiting for cache space'),
      query(rate('app_threads_evicting_seconds_total'), 'evicting'),
      query(rate('app_threads_reading_seconds_total'), 'reading pages'),
    ],
  },
  {
    title: 'Duration of the last checkpoint',
    unit: 's',
    rules: ['checkpoint-duration', 'checkpoint-interval'],
    steps: [
      limit('checkpoint-duration', 'longMs') / 1000,
      limit('checkpoint-duration', 'veryLongMs') / 1000,
    ],
    queries: [query(series('checkpoint_last_seconds'), '')],
  },
];

/**
 * How much work is done, and how fast.
 * @returns {Chart[]}
 */
const workCharts = () => [
  {
    title: 'Pages evicted per second',
    unit: 'ops',
    rules: ['app-eviction', 'eviction-threads-busy'],
    queries: [
      query(rate('eviction_pages_total'), 'all threads'),
      query(rate('eviction_client_pages_total'), 'application threads'),
    ],
  },
  {
    title: 'Data read and written by the cache',
    unit: 'Bps',
    rules: ['page-reads', 'dirty-volume'],
    queries: [
      query(rate('cache_read_bytes_total'), 'read into cache'),
      query(rate('cache_written_bytes_total'), 'written from cache'),
    ],
  },
  {
    title: 'Operations per second',
    unit: 'ops',
    rules: [],
    queries: [query(rate('operations_total'), '{{kind}}')],
  },
  {
    title: 'Mean latency of an operation',
    unit: 's',
    rules: [],
    queries: [
      query(`${rate('operation_seconds_total')} / ${rate('timed_operations_total')}`, '{{kind}}'),
    ],
  },
  {
    title: 'Tickets in use (% of total)',
    unit: 'percentunit',
    rules: ['tickets'],
    max: 1,
    queries: [query(`${series('tickets_in_use')} / ${series('tickets_limit')}`, '{{kind}}')],
  },
];

/**
 * A level with its target and trigger, as they are in effect.
 * @param {string} title
 * @param {string} what
 * @param {string[]} rules
 * @returns {Chart}
 */
const level = (title, what, rules) => ({
  title,
  unit: 'percentunit',
  rules,
  queries: [
    query(series(`cache_${what}_ratio`), ''),
    query(series(`cache_${what}_target_ratio`), 'target'),
    query(series(`cache_${what}_trigger_ratio`), 'trigger'),
  ],
});

module.exports = { charts, query, series };
