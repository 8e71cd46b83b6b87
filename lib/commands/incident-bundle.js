'use strict';

const { defineCommand } = require('../base/pure/command');
const { TuneError } = require('../base/pure/errors');
const { flag, show } = require('../base/pure/options');
const { ownVersion } = require('../base/own-files');
const { targetFor, writePage } = require('../base/named-files');
const { INCIDENT_OPTIONS, wantedOf } = require('../incident/options');
const { liveSources } = require('../incident/sources');
const { report } = require('../text/report');

/**
 * @import { Given } from '../incident/options'
 * @import { Report } from '../text/report'
 * @import { Context } from '../base/types'
 */

module.exports = defineCommand({
  name: 'incident.bundle',
  group: 'Record and report',
  order: 1,
  takes: ['text', 'options'],
  usage: 'tune.incident.bundle(file, { at, … })',
  summary: 'Writes what tune.incident() needs into one file to be sent',
  details:
    'Events and charts, with aliases for hosts; no line of a log, no query, no document. The file ' +
    'is text, and says first what it holds',
  options: {
    ...INCIDENT_OPTIONS,
    names: {
      check: flag(),
      default: true,
      description: 'false: collections and indexes become aliases, too',
    },
    force: { check: flag(), default: false, description: 'overwrite an existing file' },
  },
  examples: [
    'tune.incident.bundle("night.json", { at: "2026-05-01T03:10:00Z" })',
    'tune incident bundle night.json --at 2026-05-01T03:10:00Z --no-names',
  ],
  changes: 'nothing',
  onMongos: 'connect to a member of the shard, or give the files of one',
  run: incidentBundle,
});

/**
 * A file that tune.incident() reads anywhere.
 * @param {Context} ctx
 * @param {string} file must not exist yet
 * @param {Given & { names: boolean, force: boolean }} options
 * @returns {Promise<{
 *   file: string, bytes: number, events: number, servers: number, holds: string[], notes: string[]
 * } & Report>} `holds`: what is in it, sentence by sentence
 * @throws {TuneError} TUNE-1xxxx for wrong options, TUNE-4xxxx for files, TUNE-2xxxx where the
 *   server must be asked for its files
 */
async function incidentBundle(ctx, file, { names, force, ...given }) {
  if (typeof file !== 'string' || file === '')
    throw new TuneError(
      'TUNE-10004',
      `tune.incident.bundle: give the name of a new file, such as "night.json", not ${show(file)}.`,
      { value: file, allowed: 'the name of a new file' },
    );
  const target = targetFor(file, force);
  const wanted = wantedOf('tune.incident.bundle', given);
  const sources = wanted.isLive ? await liveSources(ctx) : null;
  const { readIncident } = require('../incident/read-incident');
  const { bundleOf } = require('../incident/pure/bundle');
  const read = await readIncident(ctx, { ...wanted, ...sources }).finally(() => ctx.progress(null));
  const version = ownVersion();
  const bundle = bundleOf(read, { names, atMs: Date.now(), version });
  const data = {
    file: target.file,
    bytes: writePage(target, `${JSON.stringify(bundle, null, 1)}\n`),
    events: bundle.events.length,
    servers: bundle.hosts.length,
    holds: bundle.holds,
    notes: [...(sources?.notes ?? []), ...read.notes],
  };
  return report(data, (ink) => require('../incident/pure/bundle').renderBundle(data, ink));
}
