'use strict';

const { hasData } = require('../server/pure/replica-set');
const { severestFirst } = require('../base/pure/finding');
const { judge } = require('./run');

/**
 * @import { Finding } from '../base/pure/finding'
 * @import { MemberRule, SetLook } from './define-member-rule'
 * @import { Judgement } from './define-rule'
 */

/**
 * @param {readonly MemberRule[]} rules
 * @param {SetLook} set
 * @returns {Finding[]} what needs a person first; of each rule at least one, where it is about this
 *   set at all
 */
function judgeMembers(rules, set) {
  return severestFirst(rules.flatMap((rule) => judgeOne(rule, set)));
}

/** @param {MemberRule} rule @param {SetLook} set @returns {Finding[]} */
function judgeOne(rule, set) {
  const rows = set.rows.filter(hasData);
  const min = rule.isBetween ? 2 : 1;
  if (rows.length < min) return [];
  const known = rows.filter((row) => rule.needs.every((name) => row[name] !== null));
  const metrics = known.length < min ? {} : Object.fromEntries(rule.needs.map((name) => [name, 1]));
  /** @type {readonly Judgement[]} */
  let said = [];
  const check = () => {
    said = rule.check(set, known);
    return { status: /** @type {const} */ ('ok'), say: rule.fine };
  };
  const finding = (/** @type {() => Judgement} */ one) =>
    judge([/** @type {any} */ ({ ...rule, check: one })], /** @type {any} */ (metrics))[0];
  const fine = finding(check);
  const subject = set.shard ?? set.name;
  if (said.length === 0)
    return [subject === null ? fine : { ...fine, key: `${rule.id}:${subject}` }];
  return said.map((one) => finding(() => one));
}

module.exports = { judgeMembers };
