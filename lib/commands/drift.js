'use strict';

const { defineCommand } = require('../base/pure/command');
const { flag, text } = require('../base/pure/options');
const { SETTING_NAMES } = require('../config/setting-table');
const { hasData } = require('../server/pure/replica-set');
const { fileDrift, runtimeDrift, memberDrift, compareSettings } = require('../config/drift');
const { report } = require('../text/report');
const { showValue } = require('../config/change');
const { readFactsAndSettings } = require('../observe/settings');
const { serversFile, namedFile } = require('../host/conf-file');
const { findCluster } = require('../cluster/find-cluster');
const { reportedOptions } = require('../cluster/reported-options');

/**
 * @import { TuneError } from '../base/pure/errors'
 * @import { Drift, Set } from '../config/drift'
 * @import { Config } from '../config/effective-config'
 * @import { Report } from '../text/report'
 * @import { Context } from '../base/types'
 * @import { Settings } from '../change/types'
 * @import { DriftData } from './types'
 */

module.exports = defineCommand({
  name: 'drift',
  group: 'Diagnose',
  order: 6,
  takes: ['options'],
  usage: 'tune.drift({ file, includeMembers })',
  summary: 'Compares running settings with mongod.conf and members',
  options: {
    file: {
      check: text(),
      defaultText: "the server's own file, if mongod runs on this machine",
      description: 'a mongod.conf to compare with',
    },
    includeMembers: {
      check: flag(),
      default: true,
      description: 'compare with the other members of the set too',
    },
  },
  examples: [
    'tune.drift()',
    'tune.drift({ includeMembers: false }).drift',
    'tune drift --no-includeMembers',
  ],
  changes: 'nothing',
  onMongos:
    'tune.members() shows options and parameters that differ; connect to one member to compare it with its mongod.conf',
  run: drift,
});

/**
 * What runs against what is written: mongod.conf against what the server was started with, that
 * against what is in effect now, and this member against the others.
 * @param {Context} ctx
 * @param {{ file?: string, includeMembers: boolean }} options
 * @returns {Promise<DriftData & Report>}
 * @throws {TuneError} TUNE-1xxxx, TUNE-2xxxx, TUNE-40002, TUNE-40003
 */
async function drift(ctx, { file, includeMembers }) {
  const named = file === undefined ? null : await namedFile(file);
  const { facts, settings } = await readFactsAndSettings(ctx);
  const here = await reportedOptions(ctx, facts.host ?? 'this server');
  const written = named ?? (await serversFile(ctx.port, settings.history.configFile));
  const others = includeMembers ? await othersOf(ctx) : { reported: [], notes: [] };
  const found = [
    ...(written.options === null ? [] : fileDrift(written.options, here)),
    ...runtimeDrift(here),
    ...settingDrift(settings),
    ...memberDrift(here, others.reported),
    ...compareSettings({ ...here, settings: shownSettings(settings.config) }, others.reported),
  ];
  const notes = [
    ...(written.why === null ? [] : [`mongod.conf is not compared: ${written.why}.`]),
    ...here.notes,
    ...others.notes,
  ];
  const data = {
    at: new Date(),
    host: facts.host,
    version: facts.version,
    file: written.path,
    fileRead: written.options !== null,
    comparedWith: others.reported.map(({ host }) => host),
    drift: found,
    notes,
    exitCode: /** @type {0 | 1} */ (found.length > 0 ? 1 : 0),
  };
  return report(data, (ink) => require('../config/drift-text').renderDrift(data, ink));
}

/**
 * Finds settings of the engine that a restart would revert; none where the start-up options are not
 * known.
 * @param {Settings} settings
 * @returns {Drift[]}
 */
function settingDrift({ config, startValues, history, startDoubt }) {
  if (history.engineConfig === null || startDoubt) return [];
  return SETTING_NAMES.flatMap((setting) => {
    const { set, sinceRestart } = config[setting];
    const atStart = startValues?.[setting] ?? null;
    if (!sinceRestart || set === null || set === atStart || setting === 'syncdelaySeconds')
      return [];
    return [
      {
        kind: /** @type {const} */ ('runtime'),
        name: setting,
        running: showValue(setting, set),
        other: atStart === null ? 'the default' : showValue(setting, atStart),
        hosts: [],
      },
    ];
  });
}

/**
 * Leaves out syncdelay, which is among the parameters.
 * @param {Config} config
 * @returns {Set['settings']}
 */
const shownSettings = (config) =>
  Object.fromEntries(
    SETTING_NAMES.flatMap((setting) => {
      const { value, sinceRestart } = config[setting];
      return value === null || setting === 'syncdelaySeconds'
        ? []
        : [[setting, { text: showValue(setting, value), sinceRestart }]];
    }),
  );

/** Reads the settings of the other members. @param {Context} ctx */
async function othersOf(ctx) {
  const { each, atMember, limitsFor } = require('../cluster/reach');
  const [set] = (await findCluster(ctx)).sets;
  const places = set.members.filter((member) => hasData(member) && member.host !== set.self);
  const found = await each(
    ctx,
    places,
    ({ host }, limitMs) =>
      atMember(ctx, host, limitMs, async (there) => ({
        ...(await reportedOptions(there, host)),
        settings: shownSettings((await readFactsAndSettings(there)).settings.config),
      })),
    limitsFor(),
  );
  return {
    reported: found.flatMap(({ value }) => (value === null ? [] : [value])),
    notes: found.flatMap(({ place, error }) =>
      error === null ? [] : [`${place.host} is not compared: ${error.message}`],
    ),
  };
}
