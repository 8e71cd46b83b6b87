'use strict';

const { count, percent } = require('../../base/pure/units');
const { defineHostRule } = require('../define-host-rule');
const { parseCpuList } = require('../../host/pure/cpu-list');
const { writeFile } = require('../fixes');
const { whole } = require('../../signals/words');

/**
 * @import { Interrupt } from '../../host/pure/host'
 */

// Interrupts a second below which a queue carries next to nothing, and below which all queues
// together do; ours.
const ACTIVE_PER_SEC = 100;
const BUSY_PER_SEC = 1000;
// Share of a processor's time in softirqs from which it soon is the limit for all connections;
// ours.
const FULL_RATIO = 0.5;

module.exports = defineHostRule({
  id: 'interrupt-affinity',
  area: 'host',
  title: 'Whether one processor gets the interrupts of all receive queues',
  why:
    'A network card with several queues can have several processors work for it. Without ' +
    'irqbalance, or with a wrong affinity, the interrupts of all queues go to the same ' +
    'processor, which then limits the traffic of the whole host.',
  needs: ['network.interface', 'network.interrupts', 'cpu.logical'],
  wants: ['network.softirqOfEach', 'cpu.online'],
  threshold:
    `Information when all active queues (${ACTIVE_PER_SEC} interrupts a second each, ` +
    `${count(BUSY_PER_SEC)} together) interrupt one processor; warning when it spends ` +
    `${whole(FULL_RATIO)} of its time in softirqs.`,
  source: 'Kernel documentation, networking/scaling.rst (RSS IRQ configuration)',
  advice: 'Give the interrupt of each queue a processor of its own, or let irqbalance do it.',
  whenNot:
    'With one queue, or little traffic. irqbalance moves interrupts again: tell it to leave ' +
    'these alone (--banirq), or let it do the work.',
  check({
    'network.interface': name,
    'network.interrupts': interrupts,
    'cpu.logical': cpus,
    'network.softirqOfEach': softirqs = [],
    'cpu.online': online,
  }) {
    const active = interrupts.filter(({ perSec }) => (perSec ?? 0) >= ACTIVE_PER_SEC);
    const perSec = active.reduce((sum, one) => sum + (one.perSec ?? 0), 0);
    const targets = [
      ...new Set(active.map(({ cpus: list, effectiveCpus }) => effectiveCpus ?? list)),
    ];
    const evidence = {
      'network.interface': name,
      activeQueues: active.length,
      interruptsPerSec: Math.round(perSec),
      processors: targets.join(' '),
    };
    const calm = /** @type {[boolean, string][]} */ ([
      [
        interrupts.length === 0,
        `No interrupts are counted for ${name} alone: it is a virtual interface, or shares ` +
          'them with other devices',
      ],
      [
        active.length < 2 || perSec < BUSY_PER_SEC,
        `The receive queues of ${name} interrupt ${count(perSec)} times a second, and ` +
          `${active.length} of them often: nothing to spread`,
      ],
      [
        cpus < 2 || targets.length > 1 || parseCpuList(targets[0] ?? '')?.length !== 1,
        `The interrupts of the ${active.length} busy receive queues of ${name} go to more ` +
          'than one processor',
      ],
    ]).find(([holds]) => holds);
    if (calm) return { status: 'ok', say: `${calm[1]}.`, evidence };
    const softirq = Math.max(0, ...softirqs);
    return {
      status: softirq >= FULL_RATIO ? 'warning' : 'info',
      evidence,
      say:
        `The interrupts of all ${active.length} busy receive queues of ${name} go to processor ` +
        `${targets[0]}, ${count(perSec)} a ` +
        `second${softirq > 0 ? `; the busiest processor spends ${percent(softirq)} of its time in softirqs` : ''}.`,
      advice: 'Give the interrupt of each queue a processor of its own, or let irqbalance do it.',
      fixes: spread(active, cpus, online),
    };
  },
});

/**
 * Each to a processor of its own, as far as there are.
 * @param {readonly Interrupt[]} interrupts
 * @param {number} cpus
 * @param {readonly number[]} [online]
 */
const spread = (interrupts, cpus, online = [...Array(cpus).keys()]) =>
  interrupts.map(({ irq, cpus: list }, i) =>
    writeFile(`/proc/irq/${irq}/smp_affinity_list`, online[i % online.length], list),
  );
