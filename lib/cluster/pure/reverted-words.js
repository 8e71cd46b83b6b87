'use strict';

const { callText } = require('../../base/pure/printable');

/**
 * Says in words what was proven of each member of a change that was stopped.
 * @typedef {{
 *   back: string[], restarted: string[], foreign: string[],
 *   left: { member: string, why: string, code: string | null }[], problem: string | null,
 *   spare: string | null
 * }} Reverted `back`: members with their former settings; `restarted`: members restarted since,
 *   which needed no call; `foreign`: members on which another session undid the change and set
 *   something else; `problem`: of the journal; `spare`: the folder of the journal that was written
 *   instead
 */

/** @param {readonly string[]} names */
const list = (names) => names.join(' and ');
/** @param {readonly string[]} names */
const were = (names) => (names.length === 1 ? 'was' : 'were');
/** Returns a sentence as it is written in brackets. @param {string} text */
const inside = (text) => text.replace(/\.$/, '');

/**
 * @param {Reverted} became
 * @param {{ id: string, host: string, at: number, of: number }} where the member at which the
 *   change stopped
 * @returns {{ sentences: string[], undo: string | null }} `undo`: the call to type, where a member
 *   was not reverted
 */
function revertedWords(became, { id, host, at, of }) {
  const { back, restarted, foreign, left, problem } = became;
  const externally = left.some(({ code }) => code === 'TUNE-30006');
  const force = externally || left.some(({ code }) => code === 'TUNE-30003');
  const undo = left.length > 0 ? callText('undo', id, { confirm: true, force }) : null;
  const sentences = [
    `Stopped at ${host} (${at + 1} of ${of}).`,
    ...(problem === null ? [] : [problem]),
    ...(back.length > 0 ? [`Undone on ${list(back)}.`] : []),
    ...(restarted.length > 0
      ? [
          `${list(restarted)} ${were(restarted)} restarted meanwhile, which reverted the change: ` +
            'nothing was sent there.',
        ]
      : []),
    ...(foreign.length > 0
      ? [`On ${list(foreign)} another session reverted it; its later settings remain.`]
      : []),
    ...(undo === null ? [endWords(became)] : [leftWords(became, undo, externally)]),
    ...spareWords(became),
  ];
  return { sentences, undo };
}

/** @param {Reverted} became */
const endWords = ({ restarted, foreign }) =>
  restarted.length + foreign.length === 0
    ? 'All members have their previous settings.'
    : 'The change is not active on any member.';

/** @param {Reverted} became @param {string} undo @param {boolean} externally */
function leftWords({ left, problem }, undo, externally) {
  const members = left.map(({ member, why }) => `${member} (${inside(why)})`);
  const once = problem === null ? '' : ' once the journal is readable and writable again';
  const over = externally ? ', which overwrites the external change' : '';
  return `Not undone on ${list(members)}: run ${undo}${once}${over}.`;
}

/** @param {Reverted} became */
const spareWords = ({ spare }) =>
  spare === null
    ? []
    : [
        `The undo is recorded in ${spare}, because the journal is not writable.`,
        'The journal gets these lines as soon as possible, while this shell is open.',
      ];

module.exports = { revertedWords };
