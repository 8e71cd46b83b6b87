'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { COUNTERS } = require('../../lib/server/pure/counters');
const { readSample } = require('../../lib/server/pure/sample');
const { compareVersions, parseVersion } = require('../../lib/base/pure/version');
const { status902 } = require('../../test/support/status-9.0');

/**
 * Which counter of the map each release reports, from answers of real servers that lie beside the
 * checkout where they are at hand; elsewhere the page stays as it is.
 */

const FOLDER = path.join(__dirname, '..', '..', '..', 'shared', 'field', 'serverstatus');
const PAGE = path.join(__dirname, '..', '..', 'docs', 'counters.md');
const MADE =
  '<!-- Made by `npm run docs` from scripts/documents/counters-page.js and answers of real servers. -->';

/**
 * Counters that came later: the first release of each line that has it. Lines after the last one
 * have it, lines before the first one do not.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
const SINCE = Object.freeze({
  'cache.dirtyLeafBytes': ['7.0.18', '8.0.5'],
  'eviction.stateMark': ['7.0.0'],
  'eviction.skippedInCheckpoint': ['6.0.24', '7.0.5'],
  'eviction.targetPercent': ['9.0.0'],
  'eviction.triggerPercent': ['9.0.0'],
  'eviction.dirtyTargetPercent': ['9.0.0'],
  'eviction.dirtyTriggerPercent': ['9.0.0'],
  'eviction.updatesTargetPercent': ['9.0.0'],
  'eviction.updatesTriggerPercent': ['9.0.0'],
  'eviction.triggerReached': ['8.0.13', '8.2.0'],
  'eviction.dirtyTriggerReached': ['8.0.13', '8.2.0'],
  'eviction.updatesTriggerReached': ['8.0.13', '8.2.0'],
  'indexBuilds.active': ['6.0.0'],
  'indexBuilds.started': ['6.0.0'],
  'transaction.tooLarge': ['6.0.0'],
  'query.sortSpills': ['7.0.0'],
  'eviction.mandatoryMicros': ['8.1.0'],
  'eviction.interruptibleMicros': ['8.1.0'],
  'eviction.slowestMs': ['8.2.2'],
  'eviction.slowestSinceStartMs': ['6.0.19', '7.0.0'],
  'transaction.uncommittedBytes': ['8.2.1'],
  'cachePressure.waits': ['8.2.0'],
  'cachePressure.dirty': ['8.2.0'],
  'cachePressure.updates': ['8.2.0'],
  'cachePressure.kills': ['8.3.0'],
  'spill.maxBytes': ['8.2.0'],
  'spill.usedBytes': ['8.2.0'],
  'spill.appMicros': ['8.2.0'],
  'queue.lowPriority': ['8.3.0'],
  'tickets.delinquentMs': ['8.2.0'],
  'tickets.usesProbing': ['8.3.0'],
  'tickets.gate': ['8.3.0'],
  'tickets.probing': ['7.0.0'],
  'ingress.queued': ['8.0.0'],
  'ingress.rejected': ['8.0.20', '8.2.0'],
  'ingress.shed': ['9.0.0'],
  'ingress.throttledWrites': ['9.0.0'],
  'ops.aggregates': ['9.0.0'],
  'tcmalloc.perCpuCaches': ['8.0.0'],
  'blockReads.50Ms': ['8.2.0'],
  'blockReads.100Ms': ['8.2.0'],
  'blockReads.250Ms': ['8.2.0'],
  'blockReads.500Ms': ['8.2.0'],
  'blockReads.1000Ms': ['8.2.0'],
});

/** 9.0.2 was published without these sections. */
const NOT_PUBLISHED =
  /^(wiredTiger\.(?!cache$)|metrics|transactions|spillWiredTiger|tcmalloc|opLatencies|opcountersRepl|extra_info)/;

/** @param {string} version */
const lineOf = (version) => parseVersion(version).slice(0, 2).join('.');

/** Of releases before 4.4, of members of a replica set, of shards, of $currentOp, or only where asked for. */
const ELSEWHERE = new Set([
  'eviction.oldStateMark',
  'indexBuilds.running',
  'member.isPrimary',
  'member.isSecondary',
  'migrations.received',
  'migrations.sent',
  'mirrored.processed',
  'mirrored.sent',
  'rangeDeleter.deleted',
  'ttl.passOpid',
  'ttl.passYields',
]);

/** @param {string} name @param {string} version @returns {boolean} whether such a release has it */
function isExpected(name, version) {
  if (ELSEWHERE.has(name)) return false;
  const since = SINCE[name];
  if (since === undefined) return true;
  const own = since.find((first) => lineOf(first) === lineOf(version));
  return compareVersions(version, own ?? since[since.length - 1]) >= 0;
}

/** @typedef {'found' | 'absent' | 'missing' | 'unpublished'} State */

/**
 * @param {string} name @param {{ version: string, counters: object, isPart: boolean }} release
 * @returns {State}
 */
function stateOf(name, { version, counters, isPart }) {
  if (Object.hasOwn(counters, name)) return 'found';
  if (!isExpected(name, version)) return 'absent';
  return isPart && isUnpublished(name) ? 'unpublished' : 'missing';
}

/** @param {string} name */
const isUnpublished = (name) =>
  COUNTERS[/** @type {keyof typeof COUNTERS} */ (name)].spellings.every(({ path: [a, b] }) =>
    NOT_PUBLISHED.test(a === 'wiredTiger' ? `${a}.${b}` : a),
  );

/** The oldest that this project supports. */
const OLDEST = '4.4.0';

/** @returns {{ version: string, counters: object, isPart: boolean }[]} the oldest first */
function releases() {
  const files = fs.readdirSync(FOLDER).filter((name) => /standalone/.test(name));
  return [
    ...files.map((name) => ({
      version: String(/__(\d+\.\d+\.\d+)/.exec(name)?.[1]),
      counters: readSample(
        JSON.parse(fs.readFileSync(path.join(FOLDER, name), 'utf8')).serverStatus,
      ).counters,
      isPart: false,
    })),
    { version: '9.0.2', counters: readSample(status902()).counters, isPart: true },
  ]
    .filter(({ version }) => compareVersions(version, OLDEST) >= 0)
    .toSorted((a, b) => compareVersions(a.version, b.version));
}

const MARKS = Object.freeze({
  found: 'yes',
  absent: '-',
  missing: '**missing**',
  unpublished: '?',
});

/** @returns {string} the page as it is where the answers are not at hand */
function countersPage() {
  if (!fs.existsSync(FOLDER)) return fs.readFileSync(PAGE, 'utf8');
  const all = releases();
  // Those of $currentOp are in no answer of serverStatus.
  const names = Object.keys(COUNTERS).filter((name) => !name.startsWith('ttl.pass'));
  const rows = names.map((name) => ({ name, states: all.map((one) => stateOf(name, one)) }));
  const everywhere = rows.filter(({ states }) => states.every((state) => state === 'found'));
  const others = rows.filter((row) => !everywhere.includes(row));
  const missing = rows.flatMap(({ states }) => states.filter((state) => state === 'missing'));
  return `${[
    MADE,
    '# Counters by release',
    '',
    `Which of the ${names.length} counters of \`serverStatus\` that tune reads each release reports, from answers of real servers.`,
    'Of 9.0.2 the names were read in a published answer that has a part of the sections.',
    '',
    `Found on all of these releases: ${everywhere.length}. Missing where they should be: ${missing.length}.`,
    '',
    'In the table: `yes` found, `-` not reported by design (another release, or another role of the ' +
      'server), `?` the section is not in the published answer, **missing** not found although it ' +
      'should be there.',
    '',
    `| counter | ${all.map(({ version }) => version).join(' | ')} |`,
    `|---|${all.map(() => '---|').join('')}`,
    ...others.map(
      ({ name, states }) => `| ${name} | ${states.map((state) => MARKS[state]).join(' | ')} |`,
    ),
    '',
    'What a release does not report is `unknown` in a finding, never 0.',
  ].join('\n')}\n`;
}

module.exports = { countersPage, isExpected };
