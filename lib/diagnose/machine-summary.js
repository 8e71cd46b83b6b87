'use strict';

const { bytes, duration, percent, many, shortPercent } = require('../base/pure/units');
const { isNotable, severestFirst } = require('../base/pure/finding');
const { judgeHost } = require('../rules/runner');
const { STEAL_RATIO } = require('../signals/cpus');

/**
 * @import { Bottleneck, Finding } from '../base/pure/finding'
 * @import { HostPart, HostValues } from '../host/pure/host'
 * @import { HostRule } from '../rules/rule'
 */

/** Adds the disk or the CPUs to a verdict, which holds without them. */

// A CPU counts as busy from this share of its time on (heuristic).
const BUSY_RATIO = 0.9;
/** At most this many CPU numbers are listed. */
const MAX_NAMED = 8;

/**
 * A sentence about the part of the machine that is the bottleneck.
 * @param {Bottleneck} bottleneck
 * @param {HostPart} host
 * @returns {string | null}
 */
function aboutMachine(bottleneck, { values }) {
  if (bottleneck === 'disk') return aboutDisk(values);
  return bottleneck === 'cpu' ? aboutCpus(values) : null;
}

/** @param {Partial<HostValues>} values @returns {string | null} */
function aboutDisk(values) {
  const {
    'disk.name': name = values['files.device'],
    'disk.members': members = [],
    'disk.model': model,
    'files.type': type,
    'files.mountPoint': point,
  } = values;
  if (name === undefined) return null;
  const below = members.every((member) => member === name) ? '' : ` over ${members.join(', ')}`;
  const fileSystem = [type, point].filter(Boolean).join(' on ');
  const what = [model, fileSystem].filter(Boolean).join(', ');
  return `dbPath is on ${name}${below}${what === '' ? '' : ` (${what})`}${workOf(values)}.`;
}

/** @param {Partial<HostValues>} values */
function workOf({
  'disk.busyRatio': busy,
  'disk.readsPerSec': reads = 0,
  'disk.writesPerSec': writes = 0,
  'disk.readMs': readMs,
  'disk.writeMs': writeMs,
  'disk.readBytesPerSec': read,
  'disk.writtenBytesPerSec': written,
}) {
  if (busy === undefined) return '';
  const part = (
    /** @type {number} */ perSec,
    /** @type {string} */ what,
    /** @type {number | undefined} */ rate,
    /** @type {number | undefined} */ ms,
  ) =>
    `${many(perSec, what)}/s` +
    `${rate === undefined ? '' : ` (${bytes(rate)}/s)`}${ms === undefined ? '' : `, ${duration(ms)} each`}`;
  return (
    `: busy ${percent(busy)} of the time; ${part(reads, 'read', read, readMs)}; ` +
    `${part(writes, 'write', written, writeMs)}`
  );
}

/** @param {Partial<HostValues>} values @returns {string | null} */
function aboutCpus(values) {
  const { 'cpu.logical': logical, 'cpu.cores': cores, 'cpu.stealRatio': steal = 0 } = values;
  if (logical === undefined) return null;
  const sentences = [
    'The machine has ' +
      `${many(logical, 'CPU')}${cores === undefined || cores === logical ? '' : ` (${many(cores, 'core')})`}${busiest(values)}`,
    ...pinning(logical, values),
    ...quotaOf(values),
    ...(steal < STEAL_RATIO
      ? []
      : [`Other virtual machines take ${percent(steal)} of CPU time (steal)`]),
  ];
  return `${sentences.join('. ')}.`;
}

/** @param {number} logical @param {Partial<HostValues>} values @returns {string[]} */
const pinning = (logical, { 'cpu.allowed': allowed, 'cpu.allowedBusyRatio': busy }) =>
  allowed === undefined || allowed >= logical
    ? []
    : [
        `mongod may run on ${allowed} of ` +
          `them${busy === undefined ? '' : ` (${percent(busy)} busy)`}`,
      ];

/** @param {Partial<HostValues>} values @returns {string[]} */
const quotaOf = ({ 'cpu.quotaCores': quota, 'cpu.throttledRatio': throttled }) =>
  quota === undefined
    ? []
    : [
        `A quota limits mongod to ${many(quota, 'CPU')}` +
          `${throttled === undefined ? '' : `; it was used up in ${percent(throttled)} of the periods`}`,
      ];

/**
 * @param {Partial<HostValues>} values
 * @returns {string} which are busy, or how busy the busiest is
 */
function busiest({ 'cpu.busyOfEach': each, 'cpu.online': numbers }) {
  if (
    each === undefined ||
    numbers === undefined ||
    each.length !== numbers.length ||
    each.length === 0
  )
    return '';
  const sorted = numbers
    .map((cpu, i) => ({ cpu, busy: each[i] }))
    .toSorted((a, b) => b.busy - a.busy);
  const busy = sorted.filter((cpu) => cpu.busy >= BUSY_RATIO);
  if (busy.length === 0)
    return `; the busiest (CPU ${sorted[0].cpu}) is ${percent(sorted[0].busy)} busy`;
  if (busy.length === sorted.length) return `, each at least ${shortPercent(BUSY_RATIO)} busy`;
  const named = busy
    .slice(0, MAX_NAMED)
    .map(({ cpu }) => cpu)
    .toSorted((a, b) => a - b)
    .join(', ');
  return (
    `, of which ${busy.length === 1 ? 'one is' : `${busy.length} are`} at least ` +
    `${shortPercent(BUSY_RATIO)} busy: ${named}${busy.length > MAX_NAMED ? ', …' : ''}`
  );
}

/**
 * Selects the findings about the machine that belong to a bottleneck.
 * @param {Bottleneck} bottleneck
 * @param {HostPart} host
 * @param {readonly HostRule[]} [rules]
 */
const machineFindings = (bottleneck, host, rules = []) =>
  judgeHost(
    rules.filter(({ alongside }) => alongside.includes(bottleneck)),
    host,
  ).filter(isNotable);

/**
 * Puts what the host shows beside what the window shows: of a rule that judged both, the severer
 * finding stays, with the evidence of both and the settings that cure it.
 * @param {readonly Finding[]} findings of the window
 * @param {readonly Finding[]} onHost
 * @returns {Finding[]}
 */
function joinFindings(findings, onHost) {
  const joined = findings.map((finding) => {
    const same = onHost.find(({ rule }) => rule === finding.rule);
    return same === undefined ? finding : joinPair(finding, same);
  });
  const rules = new Set(findings.map(({ rule }) => rule));
  return [...joined, ...onHost.filter(({ rule }) => !rules.has(rule))];
}

/** @param {Finding} finding @param {Finding} onHost @returns {Finding} */
function joinPair(finding, onHost) {
  const [severer, other] = severestFirst([finding, onHost]);
  return {
    ...severer,
    evidence: { ...known(other.evidence), ...known(severer.evidence) },
    change: finding.change,
    fixes: onHost.fixes,
  };
}

/** @param {Finding['evidence']} evidence */
const known = (evidence) =>
  Object.fromEntries(Object.entries(evidence).filter(([, value]) => value !== null));

module.exports = { aboutMachine, machineFindings, joinFindings };
