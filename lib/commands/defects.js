'use strict';

const { defineCommand } = require('../base/pure/command');
const { number } = require('../base/pure/options');
const { compareVersions } = require('../base/pure/version');
const { metricsOf } = require('../server/pure/metrics');
const { report } = require('../text/report');
const { observe, everyFor } = require('../observe/observe');
const { defectsOf } = require('../defects/pure/defects');
const { readDefectReplies } = require('../defects/read-defects');

/**
 * @import { TuneError } from '../base/pure/errors'
 * @import { FoundDefect } from '../defects/pure/defects'
 * @import { DefectReplies } from '../defects/read-defects'
 * @import { DefectsData } from '../defects/types'
 * @import { Report } from '../text/report'
 * @import { Context } from '../base/types'
 */

module.exports = defineCommand({
  name: 'defects',
  group: 'Diagnose',
  order: 9,
  takes: ['options'],
  usage: 'tune.defects({ seconds })',
  summary: 'Names known defects that can affect this server',
  details:
    'A defect is named where counters, log or settings show a sign of it; the release alone is not enough',
  options: {
    seconds: {
      check: number({ min: 0.1, max: 3600 }),
      default: 10,
      description: 'how long to sample',
    },
  },
  examples: ['tune.defects()', 'tune.defects({ seconds: 30 }).found', 'tune defects --seconds 30'],
  changes: 'nothing',
  onMongos: 'connect to a member of each shard: each can run another release',
  run: defects,
});

/**
 * Which known defects of its release this server shows: by a window of samples, one whole status
 * and the log in memory.
 * @param {Context} ctx
 * @param {{ seconds: number }} options
 * @returns {Promise<DefectsData & Report>}
 * @throws {TuneError} TUNE-1xxxx for wrong options, TUNE-2xxxx where the server
 *   cannot be examined
 */
async function defects(ctx, { seconds }) {
  const { window, facts, notes } = await observe(ctx, { seconds, every: everyFor(seconds) });
  const replies = await readDefectReplies(ctx.port);
  const { version, host, role } = facts;
  const { found, absent, undecided } = defectsOf({
    version,
    values: { ...metricsOf(window, facts), ...replies.values },
    logSignatures: replies.logSignatures,
  });
  /** @type {DefectsData} */
  const data = {
    at: new Date(),
    host,
    role,
    version,
    seconds: window.seconds,
    found,
    absent,
    undecided,
    upgradeTo: upgradeOf(found),
    logFrom: replies.logFromMs === null ? null : new Date(replies.logFromMs),
    notes: [...notes, ...logNotes(replies)],
  };
  const { renderDefects } = require('../defects/pure/defects-text');
  return report(data, (ink) => renderDefects(data, ink));
}

/** @param {readonly FoundDefect[]} found */
const upgradeOf = (found) =>
  found
    .flatMap(({ fixedIn }) => fixedIn ?? [])
    .toSorted(compareVersions)
    .at(-1) ?? null;

/** @param {DefectReplies} replies */
function logNotes({ logSignatures, isLogWhole }) {
  if (logSignatures === null)
    return ['The log was not read (privilege getLog): signs in the log are not known.'];
  return isLogWhole
    ? []
    : ['The log in memory no longer has its first lines: an older sign in the log is not seen.'];
}
