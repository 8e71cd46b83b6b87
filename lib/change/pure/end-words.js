'use strict';

const { callText } = require('../../base/pure/printable');
const { settingsOf, showChange } = require('../../config/change');
const { quoteConfig } = require('../../config/engine-config');

/**
 * @import { Change } from '../../base/types'
 * @import { ChangeRun } from '../change-run'
 */

/** What the error of a change that was ended says of it. */

/**
 * @typedef {'same' | 'away' | 'restarted'} Answerer what answers after the error; `away`: nothing, or
 *   another server
 * @typedef {{
 *   sent: Change, gone: Change, some: boolean, open: boolean, answerer: Answerer,
 *   undo: string | null, isLost: boolean
 * }} End `sent`: what is in effect of it; `gone`: what was sent and is not any more; `some`: there is
 *   or may be something to take back; `undo`: null where an undo would refuse; `isLost`: where it
 *   would have nothing to set
 */

/**
 * @param {Pick<ChangeRun, 'id' | 'external'>} changeRun @param {End} end
 * @returns {string[]} what its error says besides
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
