'use strict';

const { kernelText } = require('../../base/pure/version');
const { bytes, count, many, percent } = require('../../base/pure/units');
const { callLines, firstLine, marked, noteLines, part, WORD } = require('../../text/layout');
const { fitBlocks } = require('../../text/fit');
const { wrap } = require('../../text/wrap');
const { METRIC_WORDS } = require('../../server/pure/metric-words');

/**
 * @import { Ink } from '../../base/types'
 * @import { DefectsData } from '../types'
 * @import { Evidence, FoundDefect } from './defects'
 */

const INDENT = ' '.repeat(WORD);
/**
 * @param {DefectsData} data
 * @param {Ink} ink
 * @returns {string}
 */
function renderDefects(data, ink) {
  const { found, absent, undecided, upgradeTo, notes } = data;
  const all = found.length + absent.length + undecided.length;
  const head = [firstLine(data, '', ink), ...part('DEFECTS', summary(data), ink, toneOf(found))];
  const tail = [
    ...(absent.length > 0
      ? part('NO SIGN OF', `${absent.length} of ${all}: ${absent.join(', ')}`, ink)
      : []),
    ...(undecided.length > 0
      ? part('NOT KNOWN', `${undecided.length} of ${all}: ${ticketsOf(undecided)}`, ink)
      : []),
    ...noteLines(notes, ink),
    ...callLines([['Upgrade', upgradeTo && `tune.upgrade({ to: "${upgradeTo}" })`]], ink),
  ];
  const blocks = found.map((defect) => ({ name: defect.ticket, lines: defectLines(defect, ink) }));
  return [...head, ...fitBlocks(blocks, head.length + tail.length, ink), ...tail].join('\n');
}

/** @param {readonly { ticket: string }[]} some */
const ticketsOf = (some) => some.map(({ ticket }) => ticket).join(', ');

/** @param {readonly FoundDefect[]} found */
function toneOf(found) {
  if (found.length === 0) return 'good';
  return found[0].status === 'critical' ? 'bad' : 'warn';
}

/** @param {DefectsData} data */
function summary({ found, absent, undecided, version }) {
  const all = found.length + absent.length + undecided.length;
  if (version === null) return 'not known: the server does not report its release';
  if (all === 0) return 'tune knows no defect of this release';
  if (found.length > 0) return foundWords(found, `${all} known defects of ${version}`);
  return undecided.length === 0
    ? 'no sign of a known defect of this release'
    : 'no sign of a known defect in what could be read';
}

/**
 * Says which defects show, and which are only possible.
 * @param {readonly FoundDefect[]} found
 * @param {string} ofAll
 */
function foundWords(found, ofAll) {
  const exposed = found.filter(({ shows }) => shows === 'use').length;
  const seen = found.length - exposed;
  if (seen === 0) return `${exposed} of ${ofAll} can affect this server`;
  return `signs of ${seen} of ${ofAll}${exposed === 0 ? '' : `; ${exposed} more can affect this server`}`;
}

/**
 * @param {FoundDefect} defect
 * @param {Ink} ink
 * @returns {string[]}
 */
function defectLines(defect, ink) {
  const { status, ticket, title, effect, fixedIn, workaround } = defect;
  return [
    ...marked(status, `${ticket}: ${title}`, ink),
    ...wrap(effect, INDENT),
    ...wrap(`${kindOf(defect)}: ${evidenceText(defect.evidence)}`, `${INDENT}  `, INDENT),
    ...wrap(
      `→ ${fixedIn === null ? 'A fixed release is not known.' : `Fixed in ${fixedIn}.`}` +
        `${workaround === null ? '' : ` Until then: ${workaround}`}`,
      `${INDENT}  `,
      INDENT,
    ),
  ];
}

/** @param {FoundDefect} defect */
function kindOf({ shows, certainty }) {
  if (shows === 'use') return 'exposed';
  return certainty === 'sure' ? 'seen' : 'likely';
}

/** @param {readonly Evidence[]} evidence */
const evidenceText = (evidence) =>
  evidence
    .map(({ name, value }) =>
      isFlag(name) ? wordsOfMark(name) : `${wordsOfMark(name)} ${shownValue(name, value)}`,
    )
    .join(', ');

/** @param {string} name */
const isFlag = (name) => /\.is[A-Z]|cursorOpen$/.test(name);

/** @param {string} name with its unit @param {number} value */
function shownValue(name, value) {
  if (name.startsWith('log.')) return `(${many(value, 'line')})`;
  if (name === 'host.kernelNumber') return kernelText(value);
  if (name.endsWith('Bytes')) return bytes(value);
  if (/(?:Ratio|RatioMax|Share)$/.test(name)) return percent(value);
  if (name.endsWith('Seconds')) return `${count(value)} s`;
  if (name.endsWith('Ms')) return `${count(value)} ms`;
  return `${count(value)}${name.endsWith('PerSec') ? '/s' : ''}`;
}

/** Words for marks that no metric names. */
const WORDS = Object.freeze(
  /** @type {Record<string, string>} */ ({
    'backup.cursorOpen': 'open backup cursor',
    'cache.updatesHardShare': 'time above the updates trigger',
    'clients.handleWaitThreads': 'application threads waiting for handles',
    'eviction.emptyScore': 'empty eviction queues',
    'eviction.forcedUnableRatio': 'forced evictions that failed',
    'history.diskBytes': 'history store on disk',
    'host.kernelNumber': 'kernel release',
    'insert.batchMax': 'internalInsertMaxBatchSize',
    'log.compact-begun': 'log: compact was run',
    'log.cross-database-rename': 'log: rename to another database',
    'log.drop-pending-busy': 'log: dropped table still in use',
    'log.find-and-modify-conflict': 'log: write conflicts of findAndModify',
    'log.rstl-timeout': 'log: time-out waiting for the state transition lock',
    'log.session-limit': 'log: out of sessions',
    'log.slow-batch-insert': 'log: slow inserts of 100 documents or more',
    'log.step-down': 'log: step-down was asked for',
    'log.unclean-start': 'log: start after an unclean shutdown',
    'log.weakly-ordered-build': 'log: build for ARM64 or POWER',
    'ops.deletesTotal': 'deletes',
    'process.otherBytes': 'memory beside the cache',
    'server.isReplicated': 'member of a replica set',
    'server.isSharded': 'part of a sharded cluster',
    'server.isWeaklyOrdered': 'ARM64 or POWER CPU',
    'sorts.spilled': 'sorts that spilled to disk',
    'tcmalloc.perCpuBytes': 'size of a per-CPU cache',
    'tickets.readEmptyShare': 'time without read tickets',
    'tickets.timesDecreased': 'decreases of the tickets',
    'tickets.timesIncreased': 'increases of the tickets',
    'timeseries.collections': 'time-series collections',
    'transactions.coordinated': 'transactions over several shards',
    'transactions.started': 'transactions',
    'window.longestGapSeconds': 'longest gap between samples',
    'zlib.isAccepted': 'compressor zlib is accepted',
  }),
);

/** @param {string} name of a mark */
const wordsOfMark = (name) => WORDS[name] ?? METRIC_WORDS[name] ?? name;

module.exports = { renderDefects, shownValue, wordsOfMark };
