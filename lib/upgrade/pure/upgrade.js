'use strict';

const { compareVersions, seriesOf } = require('../../base/pure/version');
const { defectsOfRelease } = require('../../defects/pure/defects');
const { lintConf } = require('../../config/lint/lint-conf');
const { lintText } = require('../../config/lint/lint');
const { RELEASE_CHANGES } = require('./release-changes');

/**
 * @import { Problem } from '../../config/lint/problem'
 * @import { ReleaseChange, UpgradedServer } from './release-changes'
 * @import { DefectOfRelease, Gone, Step, UpgradeItem } from '../types'
 */

/** Series that cannot be left out, oldest first (MongoDB manual, upgrade of each release). */
const SERIES = Object.freeze(['4.4', '5.0', '6.0', '7.0', '8.0']);

/** https://www.mongodb.com/docs/manual/release-notes/7.0-downgrade/ */
const NO_WAY_BACK_FROM = '7.0.0';

/**
 * Whether a downgrade is possible: from 7.0 on only within a series, except with the help of
 * MongoDB's support.
 * @param {string} from
 * @param {string} to
 */
const hasWayBack = (from, to) =>
  compareVersions(to, NO_WAY_BACK_FROM) < 0 || seriesOf(to) === seriesOf(from);

/**
 * Each series on the way, with the feature compatibility version that is set before the next.
 * @param {string} from
 * @param {string} to
 * @returns {Step[]} one step within a series
 */
function pathOf(from, to) {
  const between = SERIES.filter(
    (series) =>
      compareVersions(series, seriesOf(from)) > 0 && compareVersions(series, seriesOf(to)) < 0,
  );
  const stops = [seriesOf(from), ...between, seriesOf(to)];
  if (seriesOf(from) === seriesOf(to)) return [{ to, compatibility: null }];
  return stops
    .slice(1)
    .map((series, i, all) => ({
      to: i === all.length - 1 ? to : `${series}, newest patch release`,
      compatibility: series,
    }));
}

/**
 * @param {ReleaseChange} change
 * @param {string} from
 * @param {string} to
 */
const isOnTheWay = ({ since, until, from: only }, from, to) =>
  compareVersions(from, since) < 0 &&
  compareVersions(to, since) >= 0 &&
  (until === undefined || compareVersions(to, until) < 0) &&
  (only === undefined ||
    (compareVersions(from, only[0]) >= 0 && compareVersions(from, only[1]) < 0));

/**
 * Lists what changes between two releases.
 * @param {string} from
 * @param {string} to
 * @param {UpgradedServer | null} server null: any server
 * @returns {UpgradeItem[]} blockers first; what does not count for this server is left out
 */
function changesBetween(from, to, server) {
  const order = ['blocker', 'change', 'check'];
  return RELEASE_CHANGES.filter((change) => isOnTheWay(change, from, to))
    .flatMap(({ id, since, area, level, what, todo, source, applies }) => {
      const counts = applies === undefined || (server === null ? null : applies(server));
      if (counts === false) return [];
      return [{ id, since, area, level: counts === null ? 'check' : level, what, todo, source }];
    })
    .toSorted((a, b) => order.indexOf(a.level) - order.indexOf(b.level));
}

/**
 * Finds the known defects that an upgrade brings, and those that it removes.
 * @param {string} from
 * @param {string} to
 * @returns {{ gained: DefectOfRelease[], lost: DefectOfRelease[] }}
 */
function defectsBetween(from, to) {
  const [before, after] = [defectsOfRelease(from), defectsOfRelease(to)];
  const shown = (/** @type {typeof before} */ some) =>
    some.map(({ ticket, title, status }) => ({ ticket, title, status }));
  return {
    gained: shown(after.filter((key) => !before.includes(key))),
    lost: shown(before.filter((key) => !after.includes(key))),
  };
}

/**
 * Options and keys that this server uses and the target does not take, by lint's own tables.
 * @param {string} to
 * @param {string} from
 * @param {{ options: any, startString: string | null, runtimeString: string | null }} given null:
 *   not known, or none
 * @returns {Gone[]}
 */
function goneBetween(from, to, { options, startString, runtimeString }) {
  const conf = (/** @type {string} */ version) =>
    lintConf({ value: withoutString(options ?? {}), positionOf: () => null, version });
  const text =
    (/** @type {string | null} */ content, /** @type {'start' | 'runtime'} */ at) =>
    (/** @type {string} */ version) =>
      content === null || content === ''
        ? []
        : lintText(content, 'string', { version, at, memoryBytes: null, base: null });
  return [
    ...newProblems(conf, from, to, 'option'),
    ...newProblems(text(startString, 'start'), from, to, 'configString'),
    ...newProblems(text(runtimeString, 'runtime'), from, to, 'runtime'),
  ];
}

/** The engine's string is judged apart. @param {any} options */
function withoutString(options) {
  const engine = options.storage?.wiredTiger?.engineConfig;
  if (engine?.configString === undefined) return options;
  const engineConfig = Object.fromEntries(
    Object.entries(engine).filter(([name]) => name !== 'configString'),
  );
  const { storage } = options;
  return {
    ...options,
    storage: { ...storage, wiredTiger: { ...storage.wiredTiger, engineConfig } },
  };
}

/**
 * @param {(version: string) => Problem[]} check
 * @param {string} from
 * @param {string} to
 * @param {Gone['where']} where
 * @returns {Gone[]} errors at the target that are none today
 */
function newProblems(check, from, to, where) {
  const known = new Set(errorsOf(check(from)).map(({ key }) => key));
  return errorsOf(check(to))
    .filter(({ key }) => !known.has(key))
    .map(({ key, say, todo }) => ({ where, name: String(key ?? ''), what: say, todo }));
}

/** @param {Problem[]} problems */
const errorsOf = (problems) => problems.filter(({ level }) => level === 'error');

/**
 * The order of members: those that do not serve writes first, the primary last.
 * @param {readonly { host: string, state: string | null }[]} members
 * @returns {string[]}
 */
function orderOf(members) {
  const rank = (/** @type {string | null} */ state) =>
    ['SECONDARY', 'ARBITER', null, 'PRIMARY'].indexOf(state);
  return members
    .toSorted((a, b) => rank(a.state) - rank(b.state))
    .map(({ host, state }) => (state === 'PRIMARY' ? `${host} (step down first)` : host));
}

module.exports = { hasWayBack, pathOf, changesBetween, defectsBetween, goneBetween, orderOf };
