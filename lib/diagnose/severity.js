'use strict';

const { SEVERE } = require('../base/pure/finding');

/**
 * @import { Finding, Status } from '../base/pure/finding'
 */

/**
 * From findings to what a monitor understands (Monitoring Plugins Development Guidelines, "Plugin
 * Return Codes").
 *
 * @typedef {'ok' | 'warning' | 'critical' | 'unknown'} State
 */

const EXIT_CODES = Object.freeze(
  /** @type {Record<State, number>} */ ({ ok: 0, warning: 1, critical: 2, unknown: 3 }),
);

/** @param {readonly Finding[]} findings */
const severe = (findings) => findings.filter(({ status }) => SEVERE.includes(status));

/**
 * @param {readonly Pick<Finding, 'status'>[]} findings that count
 * @param {{ failOn: 'warning' | 'critical', isWhole: boolean }} how `isWhole`: the server was looked
 *   at to the end
 * @returns {State} the worst; that something is not known is less than trouble, and more than
 *   nothing
 */
function stateOf(findings, { failOn, isWhole }) {
  const has = (/** @type {Status} */ wanted) => findings.some(({ status }) => status === wanted);
  if (has('critical')) return 'critical';
  if (failOn === 'warning' && has('warning')) return 'warning';
  return has('error') || !isWhole ? 'unknown' : 'ok';
}

module.exports = { EXIT_CODES, severe, stateOf };
