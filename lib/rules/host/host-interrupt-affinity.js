'use strict';

const { count, percent, shortPercent } = require('../../base/pure/units');
const { defineHostRule } = require('../rule');
const { parseCpuList } = require('../../host/pure/host');
const { writeFile } = require('../fixes');
const { sources, kernel } = require('../sources');

/**
 * @import { Interrupt } from '../../host/pure/host'
 */

// Interrupts a second below which a queue carries almost nothing, and below which all queues
// together do; heuristic.
const ACTIVE_PER_SEC = 100;
const BUSY_PER_SEC = 1000;
// Share of a CPU's time in softirqs from which it soon is the limit for all connections;
// heuristic.
const FULL_RATIO = 0.5;

const ADVICE = 'Assign the interrupt of each queue to its own CPU, or run irqbalance.';

module.exports = defineHostRule({
  id: 'host-interrupt-affinity',
  title: 'Network interrupts of all queues on one CPU',
  why:
    'A network card with several queues can use several CPUs. Without irqbalance, or with a ' +
    'wrong affinity, the interrupts of all queues go to one CPU, which limits the traffic of ' +
    'the whole host.',
  needs: ['network.interface', 'network.interrupts', 'cpu.logical'],
  wants: ['network.softirqOfEach', 'cpu.online'],
  threshold:
    `Information: all active queues (${ACTIVE_PER_SEC} interrupts/s each, ` +
    `${count(BUSY_PER_SEC)} together) interrupt one CPU. Warning: that CPU spends ` +
    `${shortPercent(FULL_RATIO)} of its time in softirqs.`,
  source: sources(
    kernel('RSS IRQ configuration', 'networking/scaling'),
    'the thresholds are heuristics',
  ),
  advice: ADVICE,
  whenNot:
    'Not with one queue, or little traffic. irqbalance moves interrupts again: exclude these ' +
    '(--banirq), or let irqbalance do it.',
  check({
    'network.interface': name,
    'network.interrupts': interrupts,
    'cpu.logical': cpus,
    'network.softirqOfEach': softirqs = [],
    'cpu.online': online,
  }) {
    const active = interrupts.filter(({ perSec }) => (perSec ?? 0) >= ACTIVE_PER_SEC);
    const perSec = sumOf(active);
    const targets = [
      ...new Set(active.map(({ cpus: list, effectiveCpus }) => effectiveCpus ?? list)),
    ];
    const softirqRatio = Math.max(0, ...softirqs);
    const evidence = {
      'network.interface': name,
      activeQueues: active.length,
      interruptsPerSec: Math.round(perSec),
      processors: targets.join(' '),
    };
    const values = {
      name,
      activeQueues: active.length,
      interruptsPerSec: perSec,
      cpu: targets[0] ?? null,
      softirqRatio,
    };
    const calm = nothingToSpread(interrupts, active, targets);
    if (calm !== null) return { status: 'ok', code: calm, values, evidence };
    if (cpus < 2) return { status: 'ok', code: 'spread', values, evidence };
    const status = softirqRatio >= FULL_RATIO ? 'warning' : 'info';
    const fixes = spread(active, cpus, online);
    return { status, code: 'on-one-cpu', values, evidence, fixes };
  },
  messages: {
    'none-of-its-own': ({ name }) =>
      `Not applicable: ${name} has no dedicated interrupts (a virtual interface, or shared ` +
      'interrupts).',
    'little-traffic': ({ name, activeQueues, interruptsPerSec }) =>
      `${name} has too little traffic to spread: ${count(interruptsPerSec)} interrupts/s in ` +
      `${activeQueues} active receive queues.`,
    spread: ({ name, activeQueues }) =>
      `The interrupts of ${activeQueues} active receive queues of ${name} go to more than one ` +
      'CPU.',
    'on-one-cpu': ({ name, activeQueues, cpu, interruptsPerSec, softirqRatio }) =>
      `The interrupts of all ${activeQueues} active receive queues of ${name} go to CPU ${cpu} ` +
      `(${count(interruptsPerSec)}/s)` +
      (softirqRatio > 0
        ? `; the busiest CPU spends ${percent(softirqRatio)} of its time in softirqs.`
        : '.'),
  },
  adviceFor: { 'on-one-cpu': () => ADVICE },
});

/** Interrupts a second, all together. @param {readonly Interrupt[]} interrupts */
const sumOf = (interrupts) => interrupts.reduce((sum, { perSec }) => sum + (perSec ?? 0), 0);

/**
 * The first reason for which there is nothing to spread.
 * @param {readonly Interrupt[]} all
 * @param {readonly Interrupt[]} active
 * @param {readonly string[]} targets lists of CPUs that they go to
 */
function nothingToSpread(all, active, targets) {
  if (all.length === 0) return 'none-of-its-own';
  if (active.length < 2 || sumOf(active) < BUSY_PER_SEC) return 'little-traffic';
  return targets.length > 1 || parseCpuList(targets[0] ?? '')?.length !== 1 ? 'spread' : null;
}

/**
 * Each to its own CPU, as far as there are.
 * @param {readonly Interrupt[]} interrupts
 * @param {number} cpus
 * @param {readonly number[]} [online]
 */
const spread = (interrupts, cpus, online = [...Array(cpus).keys()]) =>
  interrupts.map(({ irq, cpus: list }, i) =>
    writeFile(`/proc/irq/${irq}/smp_affinity_list`, online[i % online.length], list),
  );
