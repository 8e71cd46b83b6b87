'use strict';

const { defineRule } = require('./define-rule');

/**
 * @import { Row, SetPlace } from '../server/pure/replica-set'
 * @import { Judgement, Rule } from './define-rule'
 */

/**
 * A rule about the members of a replica set: what it says of one of them, or of the difference
 * between them.
 *
 * @typedef {Omit<SetPlace, 'members' | 'notes'> & { rows: readonly Row[] }} SetLook a set with what
 *   was seen at each member
 * its `subject` is the member meant, or the
 *   set
 * @typedef {{
 *   id: string, title: string, why: string, needs: readonly (keyof Row)[], isBetween?: boolean,
 *   threshold: string, source: string, advice: string, whenNot: string, fine: string,
 *   check(set: SetLook, known: readonly Row[]): readonly Judgement[]
 * }} MemberRuleDefinition `needs`: what must be known of a member to be judged; `isBetween`: it
 *   compares, so one member alone is not
 *   judged; `check` gets the members of which that is known, and says nothing where all is well,
 *   which is `fine`
 * @typedef {Omit<Rule, 'needs' | 'wants' | 'check'> & { needs: readonly
 *   (keyof Row)[], wants: readonly never[], isBetween: boolean, fine: string, check(set: SetLook,
 *   known: readonly Row[]): readonly Judgement[] }} MemberRule
 */

/**
 * @param {MemberRuleDefinition} definition
 * @returns {MemberRule}
 * @throws {TypeError} when a text is missing: a mistake of the rule's author
 */
const defineMemberRule = (definition) =>
  /** @type {any} */ (
    defineRule(/** @type {any} */ ({ area: 'members', isBetween: false, ...definition }))
  );

module.exports = { defineMemberRule };
