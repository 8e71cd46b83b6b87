'use strict';

const { builtinModules } = require('node:module');
const path = require('node:path');

/**
 * The folders of lib, from the lowest to the highest: each imports from itself and from those
 * before it.
 */
const ROOMS = Object.freeze([
  'base',
  'text',
  'config',
  'server',
  'policy',
  'series',
  'host',
  'change',
  'observe',
  'signals',
  'sizing',
  'defects',
  'rules',
  'diagnose',
  'cluster',
  'upgrade',
  'recording',
  'trial',
  'bench',
  'split',
  'ttl',
  'who',
  'check',
  'incident',
  'report',
  'watch',
  'commands',
  'shell',
]);
/** All of these is arithmetic and text; of the other rooms what lies in a folder named pure. */
const PURE_ROOMS = Object.freeze([
  'text',
  'config',
  'series',
  'signals',
  'sizing',
  'rules',
  'diagnose',
]);
const PURE = new RegExp(`^lib/(?:(?:${PURE_ROOMS.join('|')})/|.+/pure/|bench/load/workloads/)`);
/** Reach everything: what a program or a shell loads. */
const ENTRANCES = Object.freeze(['lib/entry.js', 'lib/node.js']);

/** Reads the folders of the rules, which are themselves the list of them. */
const REGISTRY = /^lib\/rules\/registry(?:\.js)?$/;

/** @param {string} file from the folder of the project on, with slashes */
const isPure = (file) => PURE.test(file) && !REGISTRY.test(file);
/** @param {string} file @returns {number} -1: in no room */
const floorOf = (file) => ROOMS.indexOf(file.split('/')[1]);
/** @param {string} spec */
const isBuiltin = (spec) => spec.startsWith('node:') || builtinModules.includes(spec);

/**
 * @param {string} from a file of lib
 * @param {string} spec what it requires
 * @returns {string | null} why it may not
 */
function whyNot(from, spec) {
  if (!spec.startsWith('.'))
    return isPure(from) && isBuiltin(spec) ? `${from} is pure: ${spec} does I/O.` : null;
  if (ENTRANCES.includes(from)) return null;
  const to = path.posix.join(path.posix.dirname(from), spec);
  if (to === 'package.json') return null;
  if (!to.startsWith('lib/')) return `${to} is outside of lib.`;
  if (isPure(from) && !isPure(`${to}.js`)) return `${from} is pure, ${to} is not.`;
  return whyAbove(from, to);
}

/**
 * Types of what is not pure may be used by what is.
 * @param {string} from a file of lib
 * @param {string} spec whose types it uses
 * @returns {string | null} why it may not
 */
function whyNotTypes(from, spec) {
  if (!spec.startsWith('.') || ENTRANCES.includes(from)) return null;
  return whyAbove(from, path.posix.join(path.posix.dirname(from), spec));
}

/** @param {string} from @param {string} to */
const whyAbove = (from, to) =>
  floorOf(to) > floorOf(from) ? `${ROOMS[floorOf(to)]} lies above ${ROOMS[floorOf(from)]}.` : null;

module.exports = { isPure, whyNot, whyNotTypes };
