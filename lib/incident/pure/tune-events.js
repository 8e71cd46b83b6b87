'use strict';

const { hostWithPort } = require('./reconcile');

/**
 * @import { JournalLine } from '../../change/pure/journal'
 * @import { RawEvent } from '../types'
 */

/**
 * Changes that tune made, by its journal.
 * @param {readonly JournalLine[]} lines
 * @param {ReadonlySet<string>} hosts
 * @returns {RawEvent[]}
 */
const tuneEvents = (lines, hosts) =>
  lines.flatMap((line) => {
    if (line.kind !== 'intent' || line.host === null) return [];
    const host = hostWithPort(line.host);
    if (!hosts.has(host)) return [];
    return [
      {
        code: 'tune-changed',
        fromMs: line.atMs,
        toMs: null,
        host,
        count: 1,
        values: {
          settings: Object.entries(line.change)
            .map(([name, value]) => `${name} to ${value}`)
            .join(', '),
        },
        evidence: { source: 'journal', file: null, id: null },
      },
    ];
  });

module.exports = { tuneEvents };
