'use strict';

const { duration, count } = require('../../base/pure/units');
const { defineRule } = require('../rule');

// The part of a checkpoint that everybody who opens or changes a collection has to wait for: a few
// ms on every server measured. Heuristic.
const LONG_MS = 1000;

module.exports = defineRule({
  id: 'checkpoint-prepare',
  area: 'checkpoint',
  title: 'Checkpoints slow to begin',
  why:
    'Before it writes, a checkpoint gathers a handle of every collection and index, with locks ' +
    'held that whoever creates, drops or first opens one must wait for. With very many of them ' +
    'that alone takes seconds.',
  needs: ['checkpoint.prepareMs'],
  wants: ['checkpoint.gatherMs', 'handles.active'],
  evidence: ['checkpoint.prepareMs', 'checkpoint.gatherMs', 'handles.active'],
  thresholds: { longMs: LONG_MS },
  threshold: `From ${duration(LONG_MS)} on: warning.`,
  source: 'WT-5479 (stalls with 210,000 handles), SERVER-31704; the threshold is ours',
  advice:
    'Have fewer collections and indexes: drop what nobody uses ($indexStats), join small ' +
    'collections of one kind into one.',
  whenNot: 'Do not split data over more collections here, whatever else that would help.',
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
    return prepareMs >= longMs
      ? { status: 'warning', code: 'long', values }
      : { status: 'ok', code: 'fine', values };
  },
  messages: { fine: (values) => time(values), long: (values) => time(values) },
});

/** @param {{ prepareMs: number, gatherMs: number | null, handles: number | null }} values */
const time = ({ prepareMs, gatherMs, handles }) =>
  `A checkpoint took ${duration(prepareMs)} to ` +
  `begin${gatherMs === null ? '' : `, ${duration(gatherMs)} of it for gathering handles`}` +
  `${handles === null ? '' : `; ${count(handles)} are active`}.`;
