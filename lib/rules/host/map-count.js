'use strict';

const { count } = require('../../base/pure/units');
const { defineHostRule } = require('../define-host-rule');
const { setSysctl } = require('../fixes');
const { whole } = require('../../signals/words');

// The operations checklist said 128,000 up to MongoDB 7.0, and says 131,060 today: two maps for
// each connection.
const RECOMMENDED = 131_060;
const MIN = 128_000;
// Share in use from which the next wave of connections may meet the limit; ours.
const NEAR_RATIO = 0.8;

module.exports = defineHostRule({
  id: 'map-count',
  area: 'host',
  title: 'How many areas of memory mongod may map',
  why:
    'The stack of each thread, and so each connection, takes two maps, and the allocator takes ' +
    'more. At the limit the next thread or allocation fails, and mongod ends.',
  needs: ['sysctl.maxMapCount'],
  wants: ['process.maps'],
  threshold: `Information below ${count(MIN)}; critical when ${whole(NEAR_RATIO)} of the limit are in use.`,
  source: 'MongoDB manual, operations checklist (vm.max_map_count)',
  advice: `Set vm.max_map_count to ${count(RECOMMENDED)}.`,
  whenNot: 'Where connections are limited to some thousands.',
  check({ 'sysctl.maxMapCount': max, 'process.maps': maps }) {
    const evidence = { 'sysctl.maxMapCount': max, 'process.maps': maps ?? null };
    const say =
      `A process may map ${count(max)} areas of ` +
      `memory${maps === undefined ? '' : `, and mongod has ${count(maps)}`}.`;
    const near = maps !== undefined && maps >= NEAR_RATIO * max;
    if (max >= MIN && !near) return { status: 'ok', say, evidence };
    const to = Math.max(RECOMMENDED, near ? 2 * max : 0);
    return {
      status: near ? 'critical' : 'info',
      say,
      evidence,
      advice: `Set vm.max_map_count to ${count(to)}.`,
      fixes: [setSysctl('vm.max_map_count', to, max)],
    };
  },
});
