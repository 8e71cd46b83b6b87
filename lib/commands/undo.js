'use strict';

const { callText } = require('../base/pure/printable');
const { defineCommand, confirmOption } = require('../base/pure/command');
const { flag } = require('../base/pure/options');
const { report } = require('../text/report');
const { entryToUndo, partlyUndoneAfter } = require('../change/pure/undoable');
const { readFactsAndSettings, settingsAfter } = require('../observe/settings');
const { planUndo, revert, doubtOf } = require('../change/undo-entry');
const { checkProcess } = require('../change/check-server');
const { onOwnConnection } = require('../change/own-connection');
const { changeReport } = require('../change/change-report');
const { groupToUndo, undoGroup } = require('../cluster/undo-group');

/**
 * @import { TuneError } from '../base/pure/errors'
 * @import { Report } from '../text/report'
 * @import { Context } from '../base/types'
 * @import { ChangeData } from '../change/types'
 * @import { GroupData } from '../cluster/types'
 */

module.exports = defineCommand({
  name: 'undo',
  group: 'Change',
  order: 4,
  takes: ['id', 'options'],
  idsOf: 'tune.history()',
  withoutId: 'undoes the last change',
  usage: 'tune.undo(id, { confirm, force })',
  summary: 'Undoes a change: restores the earlier settings',
  details:
    'Without an id it undoes the last change of this server, or of several members. If another ' +
    'member has a newer one, it refuses',
  options: {
    confirm: confirmOption('a DRY RUN shows what would be sent'),
    force: {
      check: flag(),
      default: false,
      description: 'continue although it looks unsafe, or another session changed it',
    },
  },
  examples: ['tune.undo()', 'tune undo --confirm'],
  changes: 'settings',
  onMongos: 'tune.undo("<id>") reverts a change of several members by its id, here too',
  risks: [
    'It sends the same kind of call as the change, with the same risks: see ' +
      'tune.apply.help().',
    'It restores settings, not the earlier performance: the load may have changed.',
    'With { force: true } it overwrites what another session set since.',
  ],
  run: undo,
});

/**
 * Returns to the settings before a change: the last one in effect, or the one named. Without
 * `confirm` it shows what it would send. An undo is a change like any other, so that
 * `tune.undo("<its id>")` takes it back.
 * @param {Context} ctx
 * @param {string | undefined} name the id of a change, or of one on several members, which is
 *   undone on all of them
 * @param {{ confirm: boolean, force: boolean }} how
 * @returns {Promise<((ChangeData & { undoes: string }) |
 *   GroupData) & Report>}
 * @throws {TuneError} TUNE-1xxxx, TUNE-20010, TUNE-30006, TUNE-30007, TUNE-30010, TUNE-40001
 */
async function undo(ctx, name, how) {
  // The last change, what is shown, sent and read back must be of one server, also after an
  // election.
  if (how.confirm && name === undefined)
    return onOwnConnection(ctx, async (own) => {
      const last = await groupToUndo(own, name);
      return last === null ? undoHere(own, name, how) : undoGroup(ctx, last, how);
    });
  const group = await groupToUndo(ctx, name);
  if (group !== null) return undoGroup(ctx, group, how);
  return how.confirm
    ? onOwnConnection(ctx, (own) => undoHere(own, name, how))
    : undoHere(ctx, name, how);
}

/**
 * @param {Context} ctx
 * @param {string | undefined} name
 * @param {{ confirm: boolean, force: boolean }} options
 * @returns {Promise<ChangeData & { undoes: string } & Report>}
 */
async function undoHere(ctx, name, { confirm, force }) {
  const { facts, settings } = await readFactsAndSettings(ctx);
  if (confirm) await checkProcess(ctx, settings);
  const entry = entryToUndo(settings.entries, name, settings.run);
  const passedOver =
    name === undefined ? partlyUndoneAfter(settings.entries, entry, settings.run) : [];
  const { asked, planned } = planUndo(entry, { settings, force, cores: facts.cores, passedOver });
  const done = confirm ? await revert(ctx, entry, planned, { settings, force }) : null;
  const after = done && (await settingsAfter(ctx, facts));
  const data = {
    ...changeReport({
      settings,
      planned,
      asked,
      confirm,
      done,
      after,
      force,
      confirmCall: callText('undo', entry.id, { confirm: true, force }),
      isUndo: true,
      wasForced: entry.force,
    }),
    ...(confirm && doubtOf(entry, settings)),
    undoes: entry.id,
  };
  return report(data, (ink) =>
    require('../change/pure/change-text').renderChange({ ...data, action: 'undo' }, ink),
  );
}
