'use strict';

/**
 * @import { Status } from '../base/pure/finding'
 * @import { Tone } from './report'
 */

/**
 * What stands before a finding.
 * @type {Readonly<Record<Status, { mark: string, tone: Tone }>>}
 */
const MARKS = Object.freeze({
  critical: { mark: '✗', tone: 'bad' },
  warning: { mark: '!', tone: 'warn' },
  error: { mark: '⚠', tone: 'bad' },
  info: { mark: 'i', tone: 'accent' },
  unknown: { mark: '?', tone: 'faint' },
  ok: { mark: '✓', tone: 'good' },
});

module.exports = { MARKS };
