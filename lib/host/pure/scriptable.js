'use strict';

const { visible } = require('../../base/pure/visible');

/**
 * @import { HostFix, HostSetting } from './host'
 */

/**
 * What a script may set at all: names come from the machine, and a device may be called anything.
 * @type {Readonly<Record<HostSetting['kind'], RegExp>>}
 */
const TARGETS = Object.freeze({
  sysctl: /^[a-z]\w*(?:[./][\w-]+(?:[.:@-][\w-]+)*)+$/,
  sys: /^\/(?:sys|proc)\/[^=]+$/,
  limit: /^(?:nofile|nproc)$/,
});
const VALUES = Object.freeze({
  sysctl: /^[\w.,:+ \t-]*$/,
  sys: /^/,
  limit: /^(?:\d+|unlimited)(?::(?:\d+|unlimited))?$/,
});
// A line of a script ends where a control character says so; a path leads elsewhere by its dots.
const LEADS_ELSEWHERE = /(?:^|\/)\.\.?(?:\/|$)/;
const isUsable = (/** @type {string} */ text) =>
  visible(text) === text && !LEADS_ELSEWHERE.test(text);

/** @param {HostFix} fix @returns {boolean} */
const isScriptable = ({ set, back }) =>
  [set, back].every(
    ({ kind, target, to }) =>
      TARGETS[kind]?.test(target) && VALUES[kind].test(to) && isUsable(target) && isUsable(to),
  );

/**
 * Each setting once, in the order in which they are given: two rules may want the same.
 * @param {readonly HostFix[]} fixes
 * @returns {{ fixes: HostFix[], leftOut: HostFix[] }}
 */
function sorted(fixes) {
  const seen = new Set();
  const once = fixes.filter(({ set }) => {
    const name = `${set.kind} ${set.target}`;
    return seen.has(name) ? false : seen.add(name);
  });
  return { fixes: once.filter(isScriptable), leftOut: once.filter((fix) => !isScriptable(fix)) };
}

module.exports = { sorted };
