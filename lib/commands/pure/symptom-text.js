'use strict';

const { visible } = require('../../base/pure/printable');
const { callLines, part } = require('../../text/layout');

/**
 * @import { Ink } from '../../base/types'
 * @import { Symptom } from './symptoms'
 */

/** This many of the best matches are shown in full, the others by their names. */
const MAX_SHOWN = 3;

/**
 * Prints the answer of tune.symptom.
 * @param {{ all: boolean, symptoms: readonly Symptom[] }} found
 * @param {Ink} ink
 * @returns {string}
 */
function renderSymptoms({ all, symptoms }, ink) {
  if (all)
    return [
      ink('SYMPTOMS', 'strong'),
      ...symptoms.flatMap(({ id, title }) => [`  ${id.padEnd(22)}${title}`]),
      ...callLines([['Answer', 'tune.symptom("<name>")']], ink),
    ].join('\n');
  const rest = symptoms.slice(MAX_SHOWN).map(({ id }) => id);
  return [
    ...symptoms.slice(0, MAX_SHOWN).flatMap((symptom) => linesOf(symptom, ink)),
    ...(rest.length > 0 ? part('SEE ALSO', visible(rest.join(', ')), ink) : []),
  ].join('\n');
}

/** @param {Symptom} symptom @param {Ink} ink */
const linesOf = ({ title, command, answer, notIf }, ink) => [
  ink(title, 'strong'),
  ...callLines([['Run', command]], ink),
  ...part('IT SHOWS', answer, ink),
  ...part('NOT THIS IF', notIf, ink),
];

/**
 * Makes docs/symptoms.md.
 * @param {readonly Symptom[]} symptoms
 * @returns {string}
 */
const symptomsPage = (symptoms) =>
  [
    '# Symptoms',
    '',
    '<!-- Made by `npm run docs` from lib/commands/pure/symptoms.js; edit that, not this page. -->',
    '',
    'What you see, the command to run first, what it answers if this is it, and when it is something else.',
    '`tune.symptom("oom")` prints the same.',
    ...symptoms.flatMap(({ title, command, answer, notIf }) => [
      '',
      `## ${title}`,
      '',
      '```js',
      command,
      '```',
      '',
      `**It shows:** ${answer}`,
      '',
      `**Not this if:** ${notIf}`,
    ]),
    '',
  ].join('\n');

module.exports = { renderSymptoms, symptomsPage };
