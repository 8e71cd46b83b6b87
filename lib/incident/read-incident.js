'use strict';

const path = require('node:path');
const fs = require('node:fs/promises');
const { MS_PER_DAY } = require('../base/pure/units');
const { expandHome } = require('../base/named-files');
const { readLines } = require('../change/journal');
const { findLogs } = require('./sources');
const { readLog } = require('./read-log');
const { readKernelLog } = require('./read-kernel-log');
const { readMember } = require('./read-member');
const { memberEvents, tuneEvents } = require('./pure/recorded-events');
const { memberOffsets, corrected, placeKernelEvents } = require('./pure/clocks');
const { hostWithPort } = require('./pure/reconcile');

/**
 * @import { ClockOffset, IncidentSource, RawEvent, RecordedMember } from './types'
 * @import { Range } from './byte-blocks'
 * @import { Context } from '../base/types'
 * @import { ReadAll } from './pure/incident'
 */

/**
 * @typedef {{ ftdc: string[], log: string[], kernelLog: string[], range: Range, isLive: boolean }} Wanted
 * @typedef {ReadAll & { members: { member: RecordedMember, place: string }[] }} ReadIncident
 */

/**
 * Reads all that there is of a time: each file once, from its beginning to its end.
 * @param {Context} ctx
 * @param {Wanted} wanted
 * @returns {Promise<ReadIncident>}
 * @throws {import('../base/pure/errors').TuneError} TUNE-40002, TUNE-40004
 */
async function readIncident(ctx, { ftdc, log, kernelLog, range, isLive }) {
  const reading = new Reading(range);
  for (const place of ftdc) {
    ctx.progress(`tune.incident: ${place}`);
    await reading.addMember(path.resolve(expandHome(place)), ctx.signal);
  }
  await reading.addLogs(log, ctx);
  reading.correctClocks();
  for (const file of kernelLog) {
    ctx.progress(`tune.incident: ${file}`);
    await reading.addKernelLog(path.resolve(expandHome(file)), ctx.signal, isLive);
  }
  if (isLive) reading.addJournal(ctx.home);
  ctx.progress(null);
  return reading.all();
}

class Reading {
  /** @param {Range} range */
  constructor(range) {
    this.range = range;
    /** @type {RawEvent[]} */
    this.events = [];
    /** @type {IncidentSource[]} */
    this.sources = [];
    /** @type {ClockOffset[]} */
    this.clocks = [];
    /** @type {Set<string>} */
    this.hosts = new Set();
    /** @type {string[]} */
    this.notes = [];
    /** @type {string | null} */
    this.version = null;
    /** @type {{ member: RecordedMember, place: string }[]} */
    this.members = [];
    this.dropped = 0;
    /** Whether there is diagnostic data of which nothing says whose it is. */
    this.hasNameless = false;
  }

  /** @param {string} place @param {AbortSignal} signal */
  async addMember(place, signal) {
    const { member, source, hosts, damage } = await readMember(place, this.range, signal);
    this.sources.push(source);
    this.notes.push(...damage);
    hosts.forEach((host) => this.hosts.add(hostWithPort(host)));
    this.hasNameless ||= hosts.length === 0;
    if (member === null) {
      this.notes.push(`${path.basename(place)}: no sample is of that time.`);
      return;
    }
    this.version ??= member.version;
    this.members.push({ member, place });
    this.events.push(...memberEvents(member, path.basename(place)));
  }

  /** @param {readonly string[]} given @param {Context} ctx */
  async addLogs(given, ctx) {
    if (given.length === 0) return;
    const { logsByServer, none } = await findLogs(given, this.range, ctx.signal);
    this.notes.push(
      ...none.map((file) => `${path.basename(file)} has no line of a log of mongod 4.4 or later.`),
    );
    for (const logs of logsByServer) {
      ctx.progress(`tune.incident: ${logs[0].file}`);
      const read = await readLog(
        logs.map(({ file }) => file),
        this.range,
        ctx.signal,
      );
      this.addLog(read);
    }
  }

  /** @param {import('./read-log').ReadLog} read */
  addLog({ events, dropped, sources, hosts, version, damage }) {
    this.sources.push(...sources);
    this.notes.push(...damage, ...sources.flatMap(garbledNote));
    const stranger = this.strangerIn(hosts);
    if (stranger !== undefined) {
      this.notes.push(
        `${path.basename(sources[0].file)} is a log of ${stranger}, and the diagnostic data is of ` +
          `${[...this.hosts].join(', ')}: its events are left out.`,
      );
      return;
    }
    if (hosts.length === 0 && this.members.length === 1) {
      // The file has nothing against it.
      const host = hostWithPort(this.members[0].member.host ?? '');
      this.notes.push(
        `${path.basename(sources[0].file)} does not say of which server it is: taken for ${host}.`,
      );
      events.forEach((event) => Object.assign(event, { host }));
    }
    hosts.forEach((host) => this.hosts.add(host));
    this.version ??= version;
    this.dropped += dropped;
    this.events.push(...events);
  }

  /**
   * A server that no diagnostic data is of.
   * @param {readonly string[]} hosts of a log
   */
  strangerIn(hosts) {
    return this.members.length === 0 || this.hasNameless
      ? undefined
      : hosts.find((host) => !this.hosts.has(host));
  }

  correctClocks() {
    const offsets = memberOffsets(this.events, [...this.hosts]);
    this.clocks.push(...offsets);
    this.events = corrected(this.events, offsets);
  }

  /** @param {string} file @param {AbortSignal} signal @param {boolean} isLive */
  async addKernelLog(file, signal, isLive) {
    const nowMs = Math.min(Date.now(), this.range.toMs + MS_PER_DAY);
    const { events, source, damage } = await readKernelLog(file, { signal, nowMs });
    this.sources.push(source);
    this.notes.push(...damage);
    if (source.read > 0 && source.garbled === source.read)
      this.notes.push(`${path.basename(file)} has no line of a kernel.`);
    const placed = placeKernelEvents(events, this.events, {
      file: path.basename(file),
      bootedAtMs: isLive ? await bootTime() : null,
    });
    this.clocks.push(...placed.clocks);
    this.notes.push(...placed.notes);
    this.events.push(...placed.events);
  }

  /** @param {string} home */
  addJournal(home) {
    const events = tuneEvents(readLines(home).lines, this.hosts);
    this.events.push(...events);
  }

  /** @returns {ReadIncident} */
  all() {
    const { events, sources, clocks, hosts, version, notes, range, dropped, members } = this;
    return {
      events,
      sources,
      clocks,
      hosts: [...hosts],
      version,
      notes: [...new Set(notes)],
      range,
      dropped,
      members,
    };
  }
}

/** @param {IncidentSource} source */
const garbledNote = ({ file, garbled }) =>
  garbled === 0
    ? []
    : [`${path.basename(file)}: ${garbled} ${garbled === 1 ? 'line' : 'lines'} could not be read.`];

/**
 * Reads when this machine was started.
 * @returns {Promise<number | null>} ms since 1970; null where it is not known
 */
async function bootTime() {
  const text = await fs.readFile('/proc/stat', 'utf8').catch(() => '');
  const seconds = Number(/^btime (\d+)$/m.exec(text)?.[1]);
  return seconds > 0 ? seconds * 1000 : null;
}

module.exports = { readIncident };
