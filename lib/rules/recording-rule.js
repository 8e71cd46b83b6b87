'use strict';

const { complete } = require('./rule');

/**
 * @import { Trend } from '../series/trends'
 * @import { AnyRule, Judgement, Texts } from './rule'
 */

/**
 * A rule about a recording of days.
 * @template {string} C
 * @template {object} V
 * @typedef {Texts<C | 'fine', V> & {
 *   check(trends: readonly Trend[]): readonly Judgement<C, V>[]
 * }} RecordingDefinition `check`: nothing where all is well, which is the message `fine`
 */

/**
 * @typedef {AnyRule & {
 *   about: 'recording', needs: readonly string[], wants: readonly never[],
 *   check(trends: readonly Trend[]): readonly Judgement[]
 * }} RecordingRule
 */

/**
 * @template {string} C
 * @template {object} V
 * @param {RecordingDefinition<C, V>} definition
 * @returns {RecordingRule}
 */
const defineRecordingRule = (definition) =>
  complete({ ...definition, needs: ['trends'], about: 'recording', area: 'recording' });

module.exports = { defineRecordingRule };
