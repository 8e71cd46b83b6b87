'use strict';

const { defineCommand } = require('../base/pure/command');
const { TuneError } = require('../base/pure/errors');
const { incidentAnswer } = require('../incident/pure/answer');
const { INCIDENT_OPTIONS, wantedOf } = require('../incident/options');
const { readBundle } = require('../incident/bundle-file');
const { liveSources } = require('../incident/sources');
const { momentOption } = require('../recording/pure/moment');

/**
 * @import { Incident } from '../incident/types'
 * @import { Given } from '../incident/options'
 * @import { Report } from '../text/report'
 * @import { Context } from '../base/types'
 */

module.exports = defineCommand({
  name: 'incident',
  group: 'Record and report',
  order: 5,
  takes: ['file', 'options'],
  idsOf: 'tune.incident.bundle()',
  usage: 'tune.incident(bundle, { at, log, … })',
  summary: 'Names what happened first in an incident, on one timeline',
  details:
    'It reads diagnostic.data and the logs of mongod and of the kernel. Without files or a bundle it ' +
    'reads those of the connected server, on its machine',
  options: {
    ...INCIDENT_OPTIONS,
    compareTo: {
      check: momentOption(),
      description: 'start of the same hour of a normal day, to be set beside it',
    },
  },
  examples: [
    'tune.incident({ at: "2026-05-01T03:10:00Z" })',
    'tune.incident({ dbpath: ["/var/lib/mongodb"], from: "2026-05-01T02:00Z" })',
    'tune incident --at 2026-05-01T03:10:00Z --dbpath /var/lib/mongodb',
    'tune.incident("night.json")',
  ],
  changes: 'nothing',
  onMongos: 'connect to a member of the shard, or give the files of one',
  run: incident,
});

/**
 * What happened: the events of all that was recorded, in one line of time, and of what went wrong
 * the first cause with its consequences.
 * @param {Context} ctx
 * @param {string | undefined} bundle the file of tune.incident.bundle()
 * @param {Given & { compareTo?: Date | string }} options
 * @returns {Promise<Incident & Report>}
 * @throws {TuneError} TUNE-1xxxx for wrong options, TUNE-4xxxx for files, TUNE-2xxxx where the
 *   server must be asked for its files
 */
async function incident(ctx, bundle, { compareTo, ...given }) {
  if (bundle !== undefined) {
    const other = Object.keys(given).find(
      (name) => given[/** @type {keyof Given} */ (name)] !== undefined,
    );
    if (other !== undefined || compareTo !== undefined)
      throw new TuneError(
        'TUNE-10002',
        `tune.incident: a bundle holds all that is read, so "${other ?? 'compareTo'}" has no use.`,
        { value: other, allowed: 'a bundle, or options' },
      );
    return incidentAnswer(await readBundle(bundle));
  }
  const wanted = wantedOf('tune.incident', given);
  const sources = wanted.isLive ? await liveSources(ctx) : null;
  const { readIncident } = require('../incident/read-incident');
  try {
    const read = await readIncident(ctx, { ...wanted, ...sources });
    const normal = await normalHour(ctx, read.members.at(0)?.place, { compareTo, ...wanted });
    return incidentAnswer({ ...read, notes: [...(sources?.notes ?? []), ...read.notes] }, normal);
  } finally {
    ctx.progress(null);
  }
}

/**
 * @param {Context} ctx
 * @param {string | undefined} place the place of diagnostic data
 * @param {{ compareTo?: Date | string, range: { fromMs: number, toMs: number } }} options
 */
async function normalHour(ctx, place, { compareTo, range }) {
  if (compareTo === undefined) return null;
  const { rangeBeside } = require('../incident/options');
  const { readMember } = require('../incident/read-member');
  const beside = rangeBeside('tune.incident', compareTo, range);
  return place === undefined ? null : (await readMember(place, beside, ctx.signal)).member;
}
