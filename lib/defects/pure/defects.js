'use strict';

const { versionNumber } = require('../../base/pure/version');
const { STATUSES } = require('../../base/pure/finding');
const { DATA } = require('./table/data');
const { ENGINE } = require('./table/engine');
const { SERVER } = require('./table/server');

/**
 * @import { Metric } from '../../server/pure/metrics'
 * @import { LogCounts, LogSignature, ReplyValue } from './evidence'
 */

/**
 * Known defects of MongoDB as data. A defect is reported where both its release and its mark are
 * found; a release alone is only information.
 *
 * @typedef {{ value: Metric | ReplyValue, min?: number, max?: number }} ValueMark both limits are
 *   included
 * @typedef {{ log: LogSignature, min: number }} LogMark at least this many lines of the log
 * @typedef {{ from: string, fixed: string | null }} Range affected releases of one series: from the
 *   first to the one before `fixed`; null: the fixed release is not known
 * @typedef {{
 *   ticket: string, title: string, effect: string, shows: 'trouble' | 'use',
 *   certainty: 'sure' | 'likely', status: 'critical' | 'warning' | 'info', rule?: string,
 *   ranges: readonly Range[], signature: readonly (readonly (ValueMark | LogMark)[])[],
 *   workaround: string | null, source: string
 * }} Defect `shows`: the mark is that of the trouble itself, or of the use of what the defect needs;
 *   `certainty`: whether other causes leave the same mark; `rule`: the rule of tune.advise() that
 *   says it; `signature`: one of these lists, all marks of it
 *
 * @typedef {{ [name in Metric | ReplyValue]?: number }} DefectValues what is not known is absent
 * @typedef {{
 *   version: string | null, values: Readonly<DefectValues>,
 *   logSignatures: Readonly<LogCounts> | null
 * }} Seen `logSignatures`: null where the log was not read
 *
 * @typedef {{ name: string, value: number }} Evidence
 * @typedef {{
 *   ticket: string, title: string, effect: string, shows: 'trouble' | 'use',
 *   certainty: 'sure' | 'likely', status: 'critical' | 'warning' | 'info', rule: string | null,
 *   evidence: Evidence[], fixedIn: string | null, workaround: string | null, source: string,
 *   url: string
 * }} FoundDefect `fixedIn`: the first release of this series without it, null: not known
 * @typedef {{
 *   found: FoundDefect[], absent: string[], undecided: { ticket: string, missing: string[] }[]
 * }} DefectsFound `found`: severest first; `absent`: tickets of this release whose mark is not
 *   there; `undecided`: those whose mark is not known, with what is missing
 */

/** @type {readonly Defect[]} */
const DEFECTS = Object.freeze([...DATA, ...SERVER, ...ENGINE]);

const RELEASE = /^\d+\.\d+/;

/**
 * Finds the range of affected releases that contains a release.
 * @param {Defect} defect
 * @param {number} version from versionNumber()
 * @returns {Range | null}
 */
const rangeOf = ({ ranges }, version) =>
  ranges.find(
    ({ from, fixed }) =>
      version >= versionNumber(from) &&
      version < (fixed === null ? endOfSeries(from) : versionNumber(fixed)),
  ) ?? null;

/** Ends a range without a known fix with its series. @param {string} from */
const endOfSeries = (from) => {
  const SERIES = 100;
  return (Math.floor(versionNumber(from) / SERIES) + 1) * SERIES;
};

/**
 * Lists the defects of a release, whether or not the server shows their marks.
 * @param {string} version
 * @returns {readonly Defect[]} empty where it is no release
 */
const defectsOfRelease = (version) =>
  RELEASE.test(version)
    ? DEFECTS.filter((defect) => rangeOf(defect, versionNumber(version)) !== null)
    : [];

/**
 * Finds the known defects that a server shows.
 * @param {Seen} seen
 * @returns {DefectsFound}
 */
function defectsOf({ version, values, logSignatures }) {
  /** @type {DefectsFound} */
  const answer = { found: [], absent: [], undecided: [] };
  for (const defect of version === null ? [] : defectsOfRelease(version)) {
    const { state, evidence, missing } = matchOf(defect, values, logSignatures);
    const { ticket } = defect;
    if (state === 'there')
      answer.found.push(foundOf(defect, evidence, /** @type {string} */ (version)));
    else if (state === 'absent') answer.absent.push(ticket);
    else answer.undecided.push({ ticket, missing });
  }
  const rank = (/** @type {FoundDefect} */ { status }) => STATUSES.indexOf(status);
  return { ...answer, found: answer.found.toSorted((a, b) => rank(a) - rank(b)) };
}

/**
 * @param {Defect} defect
 * @param {Readonly<DefectValues>} values
 * @param {Readonly<LogCounts> | null} log
 * @returns {{ state: 'there' | 'absent' | 'unknown', evidence: Evidence[], missing: string[] }}
 */
function matchOf({ signature }, values, log) {
  const alternatives = signature.map((marks) => marks.map((mark) => judge(mark, values, log)));
  const there = alternatives.find((marks) => marks.every(({ isThere }) => isThere === true));
  if (there)
    return {
      state: 'there',
      evidence: there.map(({ name, value }) => ({ name, value: Number(value) })),
      missing: [],
    };
  const open = alternatives.filter((marks) => !marks.some(({ isThere }) => isThere === false));
  const missing = open.flat().flatMap(({ name, isThere }) => (isThere === null ? [name] : []));
  return {
    state: open.length === 0 ? 'absent' : 'unknown',
    evidence: [],
    missing: [...new Set(missing)],
  };
}

/**
 * @param {ValueMark | LogMark} mark
 * @param {Readonly<DefectValues>} values
 * @param {Readonly<LogCounts> | null} log
 * @returns {{ name: string, value: number | null, isThere: boolean | null }} null: not known
 */
function judge(mark, values, log) {
  if ('log' in mark) {
    const lines = log === null ? null : (log[mark.log] ?? 0);
    return {
      name: `log.${mark.log}`,
      value: lines,
      isThere: lines === null ? null : lines >= mark.min,
    };
  }
  const { value: name, min = -Infinity, max = Infinity } = mark;
  const value = values[name] ?? null;
  return { name, value, isThere: value === null ? null : value >= min && value <= max };
}

/**
 * @param {Defect} defect
 * @param {Evidence[]} evidence
 * @param {string} version
 * @returns {FoundDefect}
 */
function foundOf(defect, evidence, version) {
  const { ticket, title, effect, shows, certainty, status, rule = null } = defect;
  const { workaround, source } = defect;
  return {
    ticket,
    title,
    effect,
    shows,
    certainty,
    status,
    rule,
    evidence,
    fixedIn: rangeOf(defect, versionNumber(version))?.fixed ?? null,
    workaround,
    source,
    url: `https://jira.mongodb.org/browse/${ticket}`,
  };
}

module.exports = { DEFECTS, defectsOf, defectsOfRelease };
