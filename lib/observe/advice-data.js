'use strict';

const { diagnose } = require('../diagnose/diagnose');
const { loadRules } = require('../rules/registry');
const { confText } = require('../change/conf-text');

/**
 * @import { Gathered } from './gather'
 */

/** @typedef {ReturnType<typeof dataOf>} Advice */

/**
 * @param {Pick<Gathered, 'facts' | 'window' | 'notes'>} sample
 * @param {'live' | 'ftdc' | 'recording'} source
 */
function dataOf({ facts, window, notes }, source) {
  const { bottleneck, because, evidence, runnerUp, findings, change, explain } = diagnose({
    window,
    facts,
    rules: loadRules(),
  });
  return {
    at: window.to,
    host: facts.host,
    version: facts.version,
    source,
    window: { from: window.from, to: window.to, samples: window.samples.length },
    bottleneck,
    because,
    evidence,
    runnerUp,
    findings,
    change,
    explain,
    conf: change === null ? null : confText(change, facts.config),
    notes,
  };
}

module.exports = { dataOf };
