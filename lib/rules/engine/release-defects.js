'use strict';

const { defineRule } = require('../rule');
const { sources, ticket } = require('../sources');

/**
 * Known defects of the engine and what has them: `from` the first release of a line, `fixed` in
 * each; lines that are not named do not have it, or it is not known. Releases as numbers, see
 * versionNumber.
 * @typedef {{
 *   id: string, what: string, lines: readonly (readonly [from: number, fixed: number])[]
 * }} Defect
 * @type {readonly Defect[]}
 */
const DEFECTS = Object.freeze([
  {
    id: 'WT-11300',
    what: 'eviction finds no pages although there are some',
    lines: [
      [70_000, 70_015],
      [80_000, 80_004],
    ],
  },
  { id: 'WT-14968', what: 'the history store grows by fragmentation', lines: [[80_000, 80_014]] },
  {
    id: 'WT-15225',
    what: 'drops of new empty collections fail as busy',
    lines: [
      [80_000, 80_016],
      [80_200, 80_201],
    ],
  },
  {
    id: 'WT-12657',
    what: 'checkpoints clean up the history store themselves and take longer',
    lines: [[70_000, 70_036]],
  },
  {
    id: 'SERVER-103841',
    what: 'transactions over several shards leak memory',
    lines: [[80_000, 80_014]],
  },
]);

module.exports = defineRule({
  id: 'release-defects',
  area: 'version',
  title: 'Release with known defects of the engine',
  why:
    'Some problems are defects of a release. No setting helps against them; a later patch release ' +
    'does.',
  needs: ['server.versionNumber'],
  wants: ['eviction.emptyScore', 'eviction.appPagesPerSec'],
  evidence: ['eviction.emptyScore', 'eviction.appPagesPerSec'],
  threshold:
    'Information: the release has one. Warning: WT-11300, and its sign is seen: the empty score is ' +
    '100 while application threads evict.',
  source: sources(...DEFECTS.map(({ id, what }) => ticket(id, what))),
  advice: 'Upgrade to the latest patch release of the series.',
  whenNot: 'A defect of another part of the server is not in this list.',
  check({
    'server.versionNumber': version,
    'eviction.emptyScore': emptyScore = 0,
    'eviction.appPagesPerSec': appPagesPerSec = 0,
  }) {
    const found = DEFECTS.filter(({ lines }) =>
      lines.some(([from, fixed]) => version >= from && version < fixed),
    );
    const values = {
      ids: found.map(({ id }) => id),
      defects: found.map(({ id, what }) => `${id} (${what})`),
    };
    if (found.length === 0) return { status: 'ok', code: 'none-known', values };
    return values.ids.includes('WT-11300') && emptyScore >= EMPTY_SCORE && appPagesPerSec > 0
      ? { status: 'warning', code: 'seen', values }
      : { status: 'info', code: 'known', values };
  },
  messages: {
    'none-known': () => 'No defect of the engine is known for this release.',
    known: ({ defects }) => `This release has ${defects.join(', ')}.`,
    seen: ({ defects }) =>
      `This release has ${defects.join(', ')}; eviction finds no pages, and application threads evict.`,
  },
  adviceFor: {
    known: () => 'Upgrade to the latest patch release of the series when it is convenient.',
  },
});

/** WiredTiger's highest: eviction found its queues empty all the time. */
const EMPTY_SCORE = 100;
