'use strict';

const { defineCommand } = require('../base/pure/command');
const { TuneError } = require('../base/pure/errors');
const { compareVersions, seriesOf } = require('../base/pure/version');
const { collectServer } = require('../server/facts');
const { mapServerError } = require('../base/server-errors');
const { RELEASE } = require('../config/lint/lint');
const { reportedOptions } = require('../cluster/reported-options');
const { defectsOf } = require('../defects/pure/defects');
const { readDefectReplies } = require('../defects/read-defects');
const { readUpgradeFacts } = require('../upgrade/read-server');
const {
  changesBetween,
  defectsBetween,
  goneBetween,
  hasWayBack,
  orderOf,
  pathOf,
} = require('../upgrade/pure/upgrade');
const { report } = require('../text/report');

/**
 * @import { UpgradeData } from '../upgrade/types'
 * @import { Report } from '../text/report'
 * @import { Context } from '../base/types'
 */

const TARGET = {
  allowed: 'a release such as "8.0.10"',
  schema: (/** @type {typeof import('../base/pure/checks')} */ v) =>
    v.pipe(v.string(), v.regex(RELEASE)),
};

module.exports = defineCommand({
  name: 'upgrade',
  group: 'Diagnose',
  order: 10,
  takes: ['options'],
  usage: 'tune.upgrade({ to })',
  summary: 'Shows what an upgrade changes for this server',
  details: 'It upgrades nothing. Afterwards tune.report.compare() shows before and after',
  options: { to: { check: TARGET, description: 'the release to upgrade to' } },
  examples: ['tune.upgrade({ to: "8.0.17" })', 'tune upgrade --to 8.0.17'],
  changes: 'nothing',
  onMongos: 'connect to a member of each shard; upgrade config servers, then shards, then mongos',
  run: upgrade,
});

/**
 * What changes for this server on the way to a release.
 * @param {Context} ctx
 * @param {{ to?: string }} options
 * @returns {Promise<UpgradeData & Report>}
 * @throws {TuneError} TUNE-1xxxx for a release that is not later, TUNE-2xxxx where the server
 *   cannot be examined
 */
async function upgrade(ctx, { to }) {
  if (to === undefined)
    throw new TuneError('TUNE-10004', 'tune.upgrade needs { to: "8.0.17" }.', {
      allowed: '{ to }',
    });
  const { facts } = await collectServer(ctx.port).catch((error) => {
    throw mapServerError(error, 'serverStatus', ctx.signal);
  });
  const { version, host, role } = facts;
  if (version === null || compareVersions(to, version) <= 0)
    throw new TuneError(
      'TUNE-10002',
      `tune.upgrade: to must be later than ${version ?? 'the release of this server'}, not ${to}.`,
      { value: to, allowed: 'a later release' },
    );
  const reported = await reportedOptions(ctx, host ?? 'this server');
  const seen = await readUpgradeFacts(ctx.port, { version, reported });
  const replies = await readDefectReplies(ctx.port);
  const shown = defectsOf({ version, ...replies }).found.map(({ ticket }) => ticket);
  const { gained, lost } = defectsBetween(version, to);
  /** @type {UpgradeData} */
  const data = {
    at: new Date(),
    host,
    role,
    version,
    to,
    compatibility: seen.compatibility,
    path: pathOf(version, to),
    changes: changesBetween(version, to, seen.server),
    gone: goneBetween(version, to, seen),
    gained,
    lost,
    shownNow: lost.map(({ ticket }) => ticket).filter((ticket) => shown.includes(ticket)),
    order: orderOf(seen.members),
    notes: [
      ...reported.notes,
      ...compatibilityNotes(seen.compatibility, version),
      ...(hasWayBack(version, to) ? [] : [NO_WAY_BACK]),
      ...(seen.members.length === 2 ? [TWO_MEMBERS] : []),
      GLIBC,
    ],
  };
  const { renderUpgrade } = require('../upgrade/pure/upgrade-text');
  return report(data, (ink) => renderUpgrade(data, ink));
}

const GLIBC = 'Check kernel and glibc against the list of platforms of that release.';

const NO_WAY_BACK = "Back up first: from 7.0 on, a downgrade needs the help of MongoDB's support.";
const TWO_MEMBERS = 'With two members, no member takes writes while one of them restarts.';

/** @param {string | null} compatibility @param {string} version */
function compatibilityNotes(compatibility, version) {
  if (compatibility === null || compatibility === seriesOf(version)) return [];
  return [
    `The feature compatibility version is ${compatibility}: set ${seriesOf(version)} before the ` +
      'next step.',
  ];
}
