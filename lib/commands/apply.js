'use strict';

const { callText } = require('../base/pure/printable');
const { defineCommand, confirmOption } = require('../base/pure/command');
const { flag } = require('../base/pure/options');
const { checkChange, plainChange, checkForm, settingsOf } = require('../config/change');
const { externalBelow } = require('../change/pure/later-changes');
const { pendingBeside } = require('../change/pending-calls');
const { report } = require('../text/report');
const { requestedChange, checkHost, planChange } = require('../change/plan-change');
const { readFactsAndSettings, settingsAfter } = require('../observe/settings');
const { checkProcess } = require('../change/check-server');
const { applyPlan } = require('../change/apply-plan');
const { onOwnConnection } = require('../change/own-connection');
const { changeReport } = require('../change/change-report');
const { SETTING_RISKS } = require('../change/pure/risks');

/**
 * @import { Option } from '../base/pure/options'
 * @import { Change, Context } from '../base/types'
 * @import { Wanted } from '../cluster/pure/rollout-plan'
 * @import { Report } from '../text/report'
 * @import { ChangeData } from '../change/types'
 * @import { GroupData } from '../cluster/types'
 */

/** @type {Option} */
const MEMBERS = {
  allowed: '"all", "secondaries" or a list of names such as ["db2:27017"]',
  schema: (v) =>
    v.union([
      v.picklist(['all', 'secondaries']),
      v.pipe(v.array(v.pipe(v.string(), v.minLength(1))), v.minLength(1)),
    ]),
};
module.exports = defineCommand({
  name: 'apply',
  group: 'Change',
  order: 1,
  takes: ['change', 'options'],
  usage: 'tune.apply(change, { members, confirm, … })',
  summary: 'Changes settings; without confirm only a dry run',
  details:
    'change: what tune.advise() answered, or settings such as { cacheSizeGB: 2, ' +
    'evictionThreadsMax: 8 }',
  options: {
    confirm: confirmOption('a DRY RUN shows what would be sent'),
    force: {
      check: flag(),
      default: false,
      description: 'continue although it looks unsafe, or another session changed it',
    },
    members: {
      check: MEMBERS,
      defaultText: 'this server alone',
      description:
        '"all", "secondaries" or a list of names: one by one, primaries last, undone as one',
    },
  },
  examples: [
    'tune.apply({ evictionThreadsMax: 6 })',
    'tune.apply({ evictionThreadsMax: 6 }, { members: "all" })',
    'tune.apply({ evictionThreadsMax: 6 }, { confirm: true })',
    'tune apply --evictionDirtyTarget 6 --confirm',
  ],
  changes: 'settings',
  onMongos: 'tune.apply(change, { members: "all" }) changes the members of every shard, one by one',
  risks: [
    ...SETTING_RISKS,
    'With members, their settings differ until the last member is changed.',
  ],
  run: apply,
});

/**
 * Changes settings of the engine, live. Without `confirm` it shows what it would send, and changes
 * nothing.
 * @param {Context} ctx
 * @param {unknown} what a change such as { cacheSizeGB: 4 }, or an advice that has one
 * @param {{ confirm: boolean, force: boolean, members?: Wanted }} options
 * @returns {Promise<(ChangeData |
 *   GroupData) & Report>}
 * @throws {TuneError} TUNE-1xxxx, TUNE-2xxxx, TUNE-3xxxx, TUNE-40001
 */
async function apply(ctx, what, { confirm, force, members }) {
  if (members !== undefined)
    return require('../cluster/apply-group').applyGroup(ctx, what, { members, confirm, force });
  const { change, host, warnings } = requestedChange('tune.apply', what);
  const original = plainChange(change);
  checkForm(original);
  const wanted = { original, host, warnings, confirm, force };
  // What is shown, sent and read back must be of one server, also after an election.
  return confirm ? onOwnConnection(ctx, (own) => applyHere(own, wanted)) : applyHere(ctx, wanted);
}

/**
 * @param {Context} ctx
 * @param {{
 *   original: Change, host: string | null, warnings: string[], confirm: boolean, force: boolean
 * }} wanted
 * @returns {Promise<ChangeData & Report>}
 */
async function applyHere(ctx, { original, host, warnings, confirm, force }) {
  const { facts, settings } = await readFactsAndSettings(ctx);
  checkHost(host, settings.run.host);
  if (confirm) await checkProcess(ctx, settings);
  const asked = checkChange(original, settings.run.version);
  const planned = planChange(asked, settings, { force, cores: facts.cores, original });
  planned.warnings.unshift(
    ...warnings,
    ...externalBelow(settings.timeline, settings.entries, settings.run, planned.change),
    ...pendingBeside(settings, asked),
  );
  const done =
    confirm && settingsOf(planned.change).length > 0
      ? await applyPlan(ctx, { action: 'apply', undoes: null, ...planned, force }, settings)
      : null;
  const after = done && (await settingsAfter(ctx, facts));
  const data = changeReport({
    settings,
    planned,
    asked,
    confirm,
    done,
    after,
    force,
    confirmCall: callText('apply', asked, { confirm: true, force }),
  });
  return report(data, (ink) => require('../change/pure/change-text').renderChange(data, ink));
}
