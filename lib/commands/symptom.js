'use strict';

const { defineCommand } = require('../base/pure/command');
const { TuneError } = require('../base/pure/errors');
const { show } = require('../base/pure/options');
const { report } = require('../text/report');
const { SYMPTOMS, symptomsFor } = require('./pure/symptoms');

/**
 * @import { Report } from '../text/report'
 * @import { Context } from '../base/types'
 * @import { Symptom } from './pure/symptoms'
 */

const IDS = Object.freeze(SYMPTOMS.map(({ id }) => id));

module.exports = defineCommand({
  name: 'symptom',
  group: 'Diagnose',
  order: 8,
  takes: ['text'],
  usage: 'tune.symptom(words)',
  summary: 'Takes a symptom in your words, and shows what to run',
  examples: ['tune.symptom("oom")', 'tune symptom spikes', 'tune.symptom()'],
  changes: 'nothing',
  words: () => IDS,
  run: symptom,
});

/**
 * The command to run first for what a person sees, what it answers, and when it is something else. It
 * needs no server.
 * @param {Context} _ctx
 * @param {string} [query] by default all symptoms
 * @returns {{ all: boolean, symptoms: Symptom[] } & Report} the best match first; `all`: of them are listed
 * @throws {TuneError} TUNE-10002 for a value that is no text, TUNE-10003 where nothing matches
 */
function symptom(_ctx, query) {
  if (query !== undefined && typeof query !== 'string')
    throw new TuneError('TUNE-10002', `tune.symptom takes words, not ${show(query)}.`, {
      value: query,
      allowed: IDS,
    });
  const symptoms = query === undefined ? [...SYMPTOMS] : symptomsFor(query);
  if (symptoms.length === 0)
    throw new TuneError(
      'TUNE-10003',
      `tune.symptom: no symptom is known by ${show(query)}. Known: ${IDS.join(', ')}.`,
      { value: query, allowed: IDS },
    );
  const { renderSymptoms } = require('./pure/symptom-text');
  // The query is not shown again: it may hold a password.
  const data = { all: query === undefined, symptoms };
  return report(data, (ink) => renderSymptoms(data, ink));
}
