'use strict';

const { html, table, showTime, showValue } = require('../elements');
const { findingsTable } = require('./advice');

/**
 * @import { HostAnswer, Shown } from '../../../types'
 */

/**
 * The machine below: what is advised, and what is known.
 * @param {HostAnswer} host
 * @param {string} key
 * @returns {Shown}
 */
function showHost({ at, place, facts, unknown, findings, notes }, key) {
  const known = Object.entries(facts).flatMap(([area, values]) =>
    Object.entries(values).map(([name, value]) => [`${area}.${name}`, showValue(name, value)]),
  );
  const body = html`<p>${place.say}</p>${findingsTable('The machine: all rules, what needs a person first', findings, `-host${key}`)}
<details><summary>What is known of it (${known.length})</summary>${table('Facts of the machine', [{ head: 'fact', mono: true }, { head: 'value' }], known)}</details>
${Object.keys(unknown).length > 0 && html`<details><summary>What is not known, and why (${Object.keys(unknown).length})</summary>${table('Not known', [{ head: 'fact', mono: true }, { head: 'because' }], Object.entries(unknown))}</details>`}`;
  return {
    name: 'Machine',
    sub: `${showTime(at)} UTC`,
    lead: null,
    before: [],
    after: [{ id: `host${key}`, title: 'Machine', body }],
    notes,
  };
}

module.exports = { showHost };
