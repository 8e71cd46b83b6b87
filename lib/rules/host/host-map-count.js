'use strict';

const { count, shortPercent } = require('../../base/pure/units');
const { defineHostRule } = require('../rule');
const { setSysctl } = require('../fixes');
const { sources, manual } = require('../sources');

// The operations checklist said 128,000 up to MongoDB 7.0, and says 131,060 today: two maps for
// each connection.
const RECOMMENDED = 131_060;
const MIN = 128_000;
// Share in use from which the next wave of connections may meet the limit; heuristic.
const NEAR_RATIO = 0.8;

module.exports = defineHostRule({
  id: 'host-map-count',
  title: 'Memory map limit too low for mongod',
  why:
    'Each thread stack, and so each connection, needs two memory maps; the allocator needs ' +
    'more. At the limit the next thread or allocation fails, and mongod terminates.',
  needs: ['sysctl.maxMapCount'],
  wants: ['process.maps'],
  evidence: ['sysctl.maxMapCount', 'process.maps'],
  threshold: `Information: below ${count(MIN)}. Critical: ${shortPercent(NEAR_RATIO)} of the limit used.`,
  source: sources(
    manual(
      'Operations Checklist: vm.max_map_count',
      'manual/administration/production-checklist-operations/',
    ),
    '80% is a heuristic',
  ),
  advice: `Set vm.max_map_count to ${count(RECOMMENDED)}.`,
  whenNot: 'Not if connections are limited to some thousands.',
  check({ 'sysctl.maxMapCount': max, 'process.maps': maps = null }) {
    const isNear = maps !== null && maps >= NEAR_RATIO * max;
    const to = Math.max(RECOMMENDED, isNear ? 2 * max : 0);
    const values = { max, maps, to };
    if (max >= MIN && !isNear) return { status: 'ok', code: 'fine', values };
    const fixes = [setSysctl('vm.max_map_count', to, max)];
    return isNear
      ? { status: 'critical', code: 'near-limit', values, fixes }
      : { status: 'info', code: 'low', values, fixes };
  },
  messages: {
    fine: (values) => areas(values),
    low: (values) => areas(values, `, below the recommended ${count(RECOMMENDED)}`),
    'near-limit': (values) => areas(values),
  },
  adviceFor: { low: (values) => raise(values), 'near-limit': (values) => raise(values) },
});

/** @param {{ max: number, maps: number | null }} values */
const areas = ({ max, maps }, judged = '') =>
  `vm.max_map_count is ${count(max)}${judged}${maps === null ? '' : `; mongod uses ${count(maps)}`}.`;

/** @param {{ to: number }} values the number advised */
const raise = ({ to }) => `Set vm.max_map_count to ${count(to)}.`;
