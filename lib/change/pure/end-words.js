'use strict';

const { callText } = require('../../base/pure/printable');
const { settingsOf, showChange } = require('../../config/change');
const { quoteConfig } = require('../../config/engine-config');

/**
 * @import { Change } from '../../base/types'
 * @import { ChangeRun } from '../change-run'
 */

/** Says in words how a change ended, for its error. */

/**
 * @typedef {'same' | 'away' | 'restarted'} Answerer the server that answers after the error;
 *   `away`: none, or another server
 * @typedef {{
 *   sent: Change, gone: Change, some: boolean, open: boolean, answerer: Answerer,
 *   undo: string | null, isLost: boolean
 * }} End `sent`: its settings in effect; `gone`: those sent and not in effect any more; `some`:
 *   whether there is or may be something to undo; `undo`: null where an undo would refuse;
 *   `isLost`: whether an undo would have nothing to set
 */

/**
 * @param {Pick<ChangeRun, 'id' | 'external'>} changeRun @param {End} end
 * @returns {string[]} the further sentences of its error
 */
const endWords = ({ id, external }, { sent, gone, some, open, answerer, undo, isLost }) => [
  answerer === 'restarted' ? '' : activeWords(sent, answerer),
  ...(settingsOf(gone).length > 0
    ? [`${answerer === 'restarted' ? LOST : OVERWRITTEN}: ${showChange(gone)}.`]
    : []),
  ...external.flatMap(({ values: { config, overwritten } }) =>
    overwritten
      ? [`Another session had set ${quoteConfig(config)}, and a call of this change overwrote it.`]
      : [],
  ),
  ...(open ? [NOT_KNOWN] : []),
  ...(some && isLost ? [NOT_RESTORABLE] : []),
  ...(some && !isLost ? [undo ? `${undo} undoes it.` : byForce(id)] : []),
];

const NOT_RESTORABLE =
  'The values before are not known, so an undo cannot restore them: tune.apply() sets others.';
const LOST = 'A restart reverted';
const OVERWRITTEN = 'Set, and then set again by another session';

/** @param {string} id */
const byForce = (id) =>
  `${callText('undo', id, { confirm: true, force: true })} undoes it and overwrites what other sessions set.`;

const NOT_KNOWN =
  'Unknown whether the last call is active; tune.settings() shows the active settings.';

/** @param {Change} sent @param {Answerer} answerer */
function activeWords(sent, answerer) {
  if (settingsOf(sent).length === 0) return 'No setting of this change is known to be active.';
  return answerer === 'same'
    ? `Active of this change: ${showChange(sent)}.`
    : `Set before the connection was lost: ${showChange(sent)}. ${UNLESS_RESTARTED}`;
}

const UNLESS_RESTARTED = 'It is active unless the server was restarted since.';

module.exports = { endWords };
