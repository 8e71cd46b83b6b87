'use strict';

const path = require('node:path');
const { KiB } = require('../base/pure/units');
const { byteBlocks } = require('./byte-blocks');
const { kernelLine, ExportedEntries } = require('./pure/kernel-time');
const { KernelEvents } = require('./pure/kernel-events');

/**
 * @import { IncidentSource, RawEvent } from './types'
 * @import { KernelLine } from './pure/kernel-time'
 */

/**
 * @typedef {{ event: RawEvent, sinceBootMs: number | null, isLocal: boolean }} KernelEvent
 *   `sinceBootMs`: the time of the event counts from the start of the machine, which is not known yet
 * @typedef {{ events: KernelEvent[], source: IncidentSource, damage: string[] }} ReadKernelLog
 */

const MAX_LINE = 64 * KiB;
/** An event is kept for each line that means something: more is a disk that dies for days. */
const MAX_EVENTS = 20_000;

/**
 * A kernel's log in any of its forms.
 * @param {string} file
 * @param {{ signal: AbortSignal, nowMs: number }} how `nowMs`: no line is later
 * @returns {Promise<ReadKernelLog>}
 */
async function readKernelLog(file, { signal, nowMs }) {
  const reader = new KernelReader(file, nowMs);
  /** @type {string[]} */
  const damage = [];
  const damaged = (/** @type {Error} */ error) =>
    damage.push(`${path.basename(file)} is damaged: ${error.message}.`);
  for await (const { bytes } of byteBlocks(file, { maxRest: MAX_LINE, signal, damaged }))
    for (const line of bytes.toString('utf8').replace(/\n$/, '').split('\n')) reader.add(line);
  return { events: reader.events, source: reader.source(), damage };
}

class KernelReader {
  /** @param {string} file @param {number} nowMs */
  constructor(file, nowMs) {
    this.file = file;
    this.nowMs = nowMs;
    this.kernel = new KernelEvents();
    this.exported = new ExportedEntries();
    /** @type {boolean | null} */
    this.isExport = null;
    /** @type {KernelEvent[]} */
    this.events = [];
    this.read = 0;
    /** Lines of the kernel. */
    this.known = 0;
    this.fromMs = Infinity;
    this.toMs = -Infinity;
    /** @type {string | null} */
    this.host = null;
  }

  /** @param {string} line */
  add(line) {
    this.isExport ??= /^(?:__CURSOR|__REALTIME_TIMESTAMP)=/.test(line);
    if (line !== '') this.read++;
    const found = this.isExport ? this.exported.add(line) : kernelLine(line.trimEnd(), this.nowMs);
    if (found !== null) this.keep(found);
  }

  /** @param {KernelLine} line */
  keep({ atMs, sinceBootMs, isLocal, host, text }) {
    this.known++;
    this.host ??= host;
    if (atMs !== null) {
      this.fromMs = Math.min(this.fromMs, atMs);
      this.toMs = Math.max(this.toMs, atMs);
    }
    const meaning = this.kernel.meaningOf(text);
    if (meaning === null || this.events.length >= MAX_EVENTS) return;
    this.events.push({
      sinceBootMs,
      isLocal,
      event: {
        ...meaning,
        fromMs: atMs ?? NaN,
        toMs: null,
        host,
        count: 1,
        evidence: { source: 'kernel', file: path.basename(this.file), id: null },
      },
    });
  }

  /** @returns {IncidentSource} */
  source() {
    const { file, host, read, known } = this;
    const date = (/** @type {number} */ ms) => (Number.isFinite(ms) ? new Date(ms) : null);
    // Most lines of a syslog come from other programs: only a file without any kernel line is
    // garbled.
    const garbled = known === 0 ? read : 0;
    return {
      kind: 'kernel',
      file,
      host,
      from: date(this.fromMs),
      to: date(this.toMs),
      read,
      garbled,
    };
  }
}

module.exports = { readKernelLog };
