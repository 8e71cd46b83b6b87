'use strict';

const { callText } = require('../../base/pure/literal');

/**
 * What became of the members of a change that was stopped, in words: of each what was proven.
 * @typedef {{
 *   back: string[], restarted: string[], foreign: string[],
 *   left: { member: string, why: string, code: string | null }[], problem: string | null,
 *   spare: string | null
 * }} TakenBack `back`: has its settings again; `restarted`: since, so that nothing was to be sent;
 *   `foreign`: another session undid it and set something else; `problem`: of the journal; `spare`:
 *   the folder of the journal that was written instead
 */

/** @param {readonly string[]} names */
const list = (names) => names.join(' and ');
/** @param {readonly string[]} names */
const were = (names) => (names.length === 1 ? 'was' : 'were');
/** As it is written in brackets. @param {string} text */
const inside = (text) => text.replace(/\.$/, '');

/**
 * @param {TakenBack} became
 * @param {{ id: string, host: string, at: number, of: number }} where it stopped
 * @returns {{ sentences: string[], undo: string | null }} `undo`: what is to be typed, where
 *   something is left
 */
function revertedWords(became, { id, host, at, of }) {
  const { back, restarted, foreign, left, problem } = became;
  const externally = left.some(({ code }) => code === 'TUNE-30006');
  const undo = left.length > 0 ? callText('undo', id, { confirm: true, force: externally }) : null;
  const sentences = [
    `It stopped at ${host}, ${at + 1} of ${of}.`,
    ...(problem === null ? [] : [problem]),
    ...(back.length > 0 ? [`Taken back on ${list(back)}.`] : []),
    ...(restarted.length > 0
      ? [
          `${list(restarted)} ${were(restarted)} restarted meanwhile, which took the change back: ` +
            'nothing was sent there.',
        ]
      : []),
    ...(foreign.length > 0
      ? [`On ${list(foreign)} another session took it back, and what was set there since stays.`]
      : []),
    ...(undo === null ? [endWords(became)] : [leftWords(became, undo, externally)]),
    ...spareWords(became),
  ];
  return { sentences, undo };
}

/** @param {TakenBack} became */
const endWords = ({ restarted, foreign }) =>
  restarted.length + foreign.length === 0
    ? 'Every member has the settings it had before.'
    : 'The change is in effect on no member.';

/** @param {TakenBack} became @param {string} undo @param {boolean} externally */
function leftWords({ left, problem }, undo, externally) {
  const members = left.map(({ member, why }) => `${member} (${inside(why)})`);
  const once = problem === null ? '' : ' once the journal can be read and written again';
  const over = externally ? ', and overwrites what the other session set' : '';
  return `Not taken back on ${list(members)}: ${undo} does it${once}${over}.`;
}

/** @param {TakenBack} became */
const spareWords = ({ spare }) =>
  spare === null
    ? []
    : [`What was sent on the way back is in ${spare}, because the journal could not take it.`];

module.exports = { revertedWords };
