'use strict';

const { modulesIn } = require('../base/own-files');

/**
 * @import { RecordingRule } from './recording-rule'
 * @import { CollectionRule, HostRule, MachineRule, MemberRule, Rule } from './rule'
 */

/**
 * Made on first use, so that a shell which only loads tune does not pay.
 * @template {{ id: string }} R
 * @param {() => R[]} load
 * @returns {() => readonly R[]} in the order of their names
 */
function once(load) {
  /** @type {readonly R[] | null} */
  let loaded = null;
  return () => (loaded ??= Object.freeze(load().sort((a, b) => (a.id < b.id ? -1 : 1))));
}

/**
 * The folder is the registry: a file in it is a rule.
 * @param {'engine' | 'host' | 'machine' | 'members' | 'collections' | 'recording'} name of a folder below rules
 */
const loader = (name) => once(() => modulesIn(`lib/rules/${name}`).map(({ load }) => load()));

const loadEngineRules = /** @type {() => readonly Rule[]} */ (loader('engine'));
const loadOwnHostRules = /** @type {() => readonly HostRule[]} */ (loader('host'));
/** Rules about the machine that a window of the server and the host itself can answer. */
const loadMachineRules = /** @type {() => readonly MachineRule[]} */ (loader('machine'));
/** Loads the rules of tune.members() about the members of a replica set. */
const loadMemberRules = /** @type {() => readonly MemberRule[]} */ (loader('members'));
/** Rules about collections, indexes and the oplog: what tune.collections() judges. */
const loadCollectionRules = /** @type {() => readonly CollectionRule[]} */ (loader('collections'));

/** Rules about recordings of days: what tune.ftdc() and tune.replay() add. */
const loadRecordingRules = /** @type {() => readonly RecordingRule[]} */ (loader('recording'));

/** Loads the rules of tune.advise() for a window of the server. */
const loadRules = once(() => [
  ...loadEngineRules(),
  ...loadMachineRules().map(({ window }) => window),
]);
const loadEngineAndMachine = once(() => [...loadEngineRules(), ...loadMachineRules()]);
/** Loads the rules of tune.host() for the machine. */
const loadHostRules = once(() => [
  ...loadOwnHostRules(),
  ...loadMachineRules().map(({ host }) => host),
]);

/**
 * @returns {readonly (Rule | HostRule | MemberRule | MachineRule | CollectionRule | RecordingRule)[]} each
 *   once: what tune.rules() and tune.explain() know
 */
const loadAllRules = () => [
  ...loadEngineAndMachine(),
  ...loadOwnHostRules(),
  ...loadMemberRules(),
  ...loadCollectionRules(),
  ...loadRecordingRules(),
];

module.exports = {
  loadRules,
  loadHostRules,
  loadMachineRules,
  loadMemberRules,
  loadCollectionRules,
  loadRecordingRules,
  loadAllRules,
};
