'use strict';

const { duration, count } = require('../../base/pure/units');
const { defineRule } = require('../rule');
const { sources, ticket } = require('../sources');

// The part of a checkpoint that operations which open or change a collection wait for: a few
// ms on every server measured. Heuristic.
const LONG_MS = 1000;

module.exports = defineRule({
  id: 'checkpoint-prepare',
  area: 'checkpoint',
  title: 'Checkpoints slow to start',
  why:
    'Before it writes, a checkpoint collects a handle for every collection and index. ' +
    'Meanwhile operations that create, drop or first open a collection wait for its locks. ' +
    'With very many collections this takes seconds.',
  needs: ['checkpoint.prepareMs'],
  wants: ['checkpoint.gatherMs', 'handles.active'],
  evidence: ['checkpoint.prepareMs', 'checkpoint.gatherMs', 'handles.active'],
  thresholds: { longMs: LONG_MS },
  threshold: `Warning: a checkpoint took ${duration(LONG_MS)} or more to start.`,
  source: sources(
    ticket('WT-5479', 'stalls with 210,000 handles'),
    ticket('SERVER-31704', 'many collections'),
    'the threshold is a heuristic',
  ),
  advice:
    'Reduce the number of collections and indexes: drop unused ones ($indexStats), merge small ' +
    'collections of one kind.',
  whenNot: 'Do not split data over more collections on this server.',
  speaksFor: ['checkpoint'],
  check(
    {
      'checkpoint.prepareMs': prepareMs,
      'checkpoint.gatherMs': gatherMs = null,
      'handles.active': handles = null,
    },
    { longMs },
  ) {
    const values = { prepareMs, gatherMs, handles };
    if (prepareMs === 0) return { status: 'unknown', code: 'none-yet', values };
    return prepareMs >= longMs
      ? { status: 'warning', code: 'long', values }
      : { status: 'ok', code: 'fine', values };
  },
  messages: {
    'none-yet': () => 'Not known: the server reports 0 ms for the preparation of checkpoints.',
    fine: (values) => time(values),
    long: (values) => time(values),
  },
});

/** @param {{ prepareMs: number, gatherMs: number | null, handles: number | null }} values */
const time = ({ prepareMs, gatherMs, handles }) =>
  `A checkpoint took ${duration(prepareMs)} to start` +
  `${gatherMs === null ? '' : `, ${duration(gatherMs)} of it to collect handles`}` +
  `${handles === null ? '' : ` (${count(handles)} handles active)`}.`;
