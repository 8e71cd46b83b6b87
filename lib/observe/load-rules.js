'use strict';

const fs = require('node:fs');
const path = require('node:path');

/**
 * @import { HostRule } from '../rules/define-host-rule'
 * @import { MemberRule } from '../rules/define-member-rule'
 * @import { Rule } from '../rules/define-rule'
 */

/**
 * The folder is the registry: a file in it is a rule. Read on first use, so that a shell which only
 * loads tune does not pay.
 * @template R
 * @param {'engine' | 'host' | 'members'} name of a folder below rules
 * @returns {() => readonly R[]} in the order of their names
 */
function loader(name) {
  const folder = path.join(__dirname, '../rules', name);
  /** @type {readonly R[] | null} */
  let loaded = null;
  return () =>
    (loaded ??= Object.freeze(
      fs
        .readdirSync(folder)
        .filter((file) => file.endsWith('.js'))
        .sort()
        .map((file) => require(path.join(folder, file))),
    ));
}

/** Rules about the engine: what tune.advise() looks at. */
const loadRules = /** @type {() => readonly Rule[]} */ (loader('engine'));
/** Rules about the machine: what tune.host() looks at. */
const loadHostRules = /** @type {() => readonly HostRule[]} */ (loader('host'));

/** Rules about the members of a replica set: what tune.members() looks at. */
const loadMemberRules = /** @type {() => readonly MemberRule[]} */ (loader('members'));

/**
 * @returns {readonly (Rule | HostRule | MemberRule)[]} what tune.rules() and tune.explain() know
 */
const loadAllRules = () => [...loadRules(), ...loadHostRules(), ...loadMemberRules()];

module.exports = { loadRules, loadHostRules, loadMemberRules, loadAllRules };
