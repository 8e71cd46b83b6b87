'use strict';

const { checkOptions, flag } = require('../base/pure/options');
const { checkChange, plainChange } = require('../config/check-change');
const { externalBelow } = require('../change/pure/external-changes');
const { settingsOf, showChange } = require('../config/change');
const { report } = require('../text/report');
const { requestedChange, checkHost } = require('../change/requested-change');
const { examine } = require('../observe/examine');
const { settingsAfter } = require('../observe/settings');
const { planChange } = require('../change/plan-change');
const { applyPlan } = require('../change/apply-plan');
const { onOwnConnection } = require('../change/own-connection');
const { changeReport } = require('../change/change-report');

/**
 * @import { Context } from '../base/context'
 * @import { Option } from '../base/pure/options'
 * @import { ChangeData } from '../change/change-report'
 * @import { GroupData } from '../cluster/group-report'
 * @import { Wanted } from '../cluster/pure/rollout-plan'
 * @import { Report } from '../text/report'
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
const OPTIONS = { confirm: flag(), force: flag(), members: MEMBERS };

/**
 * Changes settings of the engine, live. Without `confirm` it shows what it would send, and changes
 * nothing.
 * @param {Context} ctx
 * @param {unknown} what a change such as { cacheSizeGB: 4 }, or an advice that has one
 * @param {{ confirm?: boolean, force?: boolean, members?: Wanted }}
 *   [options] `force`: also outside the safe range, while another shell is at a change, and over
 *   what another session sets meanwhile; `members`: on each of these members of the replica set, or of the
 *   shards behind a mongos, one after the other, primaries last
 * @returns {Promise<(ChangeData |
 *   GroupData) & Report>}
 * @throws {TuneError} TUNE-1xxxx, TUNE-2xxxx, TUNE-3xxxx, TUNE-40001
 */
async function apply(ctx, what, options) {
  const { confirm = false, force = false, members } = checkOptions('tune.apply', OPTIONS, options);
  if (members !== undefined)
    return require('../cluster/apply-group').applyGroup(ctx, what, { members, confirm, force });
  const { change, host, warnings } = requestedChange('tune.apply', what);
  const original = plainChange(change);
  checkChange(original, null);
  const { facts, settings } = await examine(ctx);
  checkHost(host, settings.run.host);
  const asked = checkChange(original, settings.run.version);
  const planned = planChange(asked, settings, { force, cores: facts.cores, original });
  planned.warnings.unshift(
    ...warnings,
    ...externalBelow(settings.timeline, settings.entries, settings.run, planned.change),
  );
  const done =
    confirm && settingsOf(planned.change).length > 0
      ? await onOwnConnection(ctx, settings, (own) =>
          applyPlan(own, { action: 'apply', undoes: null, ...planned, force }, settings),
        )
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
    confirmCall: `tune.apply(${showChange(asked)}, { confirm: true${force ? ', force: true' : ''} })`,
  });
  return report(data, (ink) => require('../change/pure/change-text').renderChange(data, ink));
}

module.exports = { apply };
