'use strict';

const { diagnose } = require('./diagnose');
const { confText } = require('../config/conf-lines');
const { releaseNotes } = require('../server/pure/tested-releases');

/**
 * @import { RuleSet } from './diagnose'
 * @import { Judgeable } from '../observe/types'
 */

/** @typedef {ReturnType<typeof adviceOf>} Advice */

/**
 * The public answer to an observation: its diagnosis, with whose and when it is.
 * @param {Judgeable} observation
 * @param {RuleSet} rules
 * @param {'live' | 'ftdc' | 'recording'} source
 */
function adviceOf(observation, rules, source) {
  const { facts, window, notes = [] } = observation;
  const diagnosis = diagnose(observation, rules);
  const { bottleneck, because, evidence, runnerUp, accounting, cause, remedy } = diagnosis;
  const { findings, change, before = null, reason = null, expected, explain, members } = diagnosis;
  const { conf, why } = confText(change, facts.config);
  return {
    at: window.to,
    host: facts.host,
    role: facts.role,
    version: facts.version,
    source,
    window: { from: window.from, to: window.to, samples: window.samples.length },
    bottleneck,
    because,
    evidence,
    runnerUp,
    accounting,
    cause,
    remedy,
    findings,
    change,
    before,
    reason,
    expected,
    explain,
    conf,
    notes: [
      ...notes,
      ...[why ?? []].flat(),
      ...(source === 'live' ? releaseNotes(facts.version) : []),
    ],
    ...(members && { members }),
  };
}

module.exports = { adviceOf };
