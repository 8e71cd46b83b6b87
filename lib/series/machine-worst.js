'use strict';

const { readerAt } = require('./columns');
const { disksIn, ofDisk } = require('../server/pure/system-counters');

/**
 * @import { Counter } from '../server/pure/counters'
 * @import { Position } from './columns'
 */

/**
 * When the machine was worst off in a recording, of windows of a minute: the server's own counters
 * may show nothing of it then.
 * @typedef {'swapInsPerSec' | 'swapOutsPerSec' | 'cpuBusyRatio' | 'diskBusyRatio'} Strain
 * @typedef {{ value: number, fromMs: number, toMs: number, disk?: string }} Moment
 */

const BUSY = /** @type {const} */ (['cpu.userMs', 'cpu.systemMs', 'cpu.stealMs']);
const SPARE = /** @type {const} */ (['cpu.idleMs', 'cpu.iowaitMs']);

class MachineWorst {
  constructor() {
    /** @type {{ [name in Strain]?: Moment }} */
    this.worst = {};
  }

  /** @param {Position} from @param {Position} to the ends of a window */
  add(from, to) {
    const [then, now] = [readerAt(from.block, from.i), readerAt(to.block, to.i)];
    const grown = (/** @type {Counter} */ name) => now(name) - then(name);
    const ms = grown('diagnostics.atMs');
    if (!(ms > 0)) return;
    const when = { fromMs: from.block.atMs[from.i], toMs: to.block.atMs[to.i] };
    const keep = (
      /** @type {Strain} */ name,
      /** @type {number} */ value,
      /** @type {string} */ disk,
    ) => {
      if (value > (this.worst[name]?.value ?? 0))
        this.worst[name] = { value, ...when, ...(disk && { disk }) };
    };
    keep('swapInsPerSec', (grown('memory.swappedInPages') / ms) * 1000, '');
    keep('swapOutsPerSec', (grown('memory.swappedOutPages') / ms) * 1000, '');
    const [busy, spare] = [BUSY, SPARE].map((names) =>
      names.reduce((sum, name) => sum + (grown(name) || 0), 0),
    );
    keep('cpuBusyRatio', busy / (busy + spare), '');
    for (const disk of disksIn(to.block.columns))
      keep('diskBusyRatio', Math.min(1, grown(ofDisk('disk.busyMs', disk)) / ms), disk);
  }
}

module.exports = { MachineWorst };
