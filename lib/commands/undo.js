'use strict';

const { checkOptions, flag, show } = require('../base/pure/options');
const { TuneError } = require('../base/pure/errors');
const { report } = require('../text/report');
const { entryToUndo, leftBehind } = require('../change/pure/undoable');
const { examine } = require('../observe/examine');
const { settingsAfter } = require('../observe/settings');
const { planUndo, revert } = require('../change/undo-entry');
const { onOwnConnection } = require('../change/own-connection');
const { changeReport } = require('../change/change-report');
const { groupToUndo, undoGroup } = require('../cluster/undo-group');

/**
 * @import { Context } from '../base/context'
 * @import { ChangeData } from '../change/change-report'
 * @import { GroupData } from '../cluster/group-report'
 * @import { Report } from '../text/report'
 */

const OPTIONS = { confirm: flag(), force: flag() };

/**
 * Returns to the settings before a change: the last one that stands, or the one named. Without
 * `confirm` it shows what it would send. An undo is a change like any other, so that
 * `tune.undo("<its id>")` takes it back.
 * @param {Context} ctx
 * @param {string | { confirm?: boolean, force?: boolean }} [id] of tune.history(), or of a change
 *   of several members, which is taken back on all of
 *   them; may be left out
 * @param {{ confirm?: boolean, force?: boolean }} [options] `force`: even if somebody else has
 *   changed the same settings since, or another shell is at a change
 * @returns {Promise<((ChangeData & { undoes: string }) |
 *   GroupData) & Report>}
 * @throws {TuneError} TUNE-1xxxx, TUNE-20010, TUNE-30006, TUNE-30007, TUNE-30010, TUNE-40001
 */
async function undo(ctx, id, options) {
  const { name, given } = readArguments(id, options);
  const { confirm = false, force = false } = checkOptions('tune.undo', OPTIONS, given);
  const group = await groupToUndo(ctx, name);
  if (group !== null) return undoGroup(ctx, group, { confirm, force });
  const { facts, settings } = await examine(ctx);
  const entry = entryToUndo(settings.entries, name, settings.run);
  const passedOver = name === undefined ? leftBehind(settings.entries, entry, settings.run) : [];
  const { asked, planned } = planUndo(entry, { settings, force, cores: facts.cores, passedOver });
  const done = confirm
    ? await onOwnConnection(ctx, settings, (own) =>
        revert(own, entry, planned, { settings, force }),
      )
    : null;
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
      confirmCall: `tune.undo("${entry.id}", { confirm: true${force ? ', force: true' : ''} })`,
    }),
    undoes: entry.id,
  };
  return report(data, (ink) =>
    require('../change/pure/change-text').renderChange({ ...data, action: 'undo' }, ink),
  );
}

/**
 * `tune.undo({ confirm: true })` leaves out the id.
 * @param {unknown} id
 * @param {unknown} options
 * @returns {{ name: string | undefined, given: unknown }}
 */
function readArguments(id, options) {
  if (id === undefined || id === null) return { name: undefined, given: options };
  if (typeof id === 'object' && options === undefined) return { name: undefined, given: id };
  if (typeof id === 'string') return { name: id, given: options };
  throw new TuneError(
    'TUNE-10002',
    `tune.undo: the id must be one of tune.history(), not ${show(id)}.`,
    { value: id, allowed: 'an id of tune.history()' },
  );
}

module.exports = { undo };
