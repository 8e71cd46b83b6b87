'use strict';

const { reconciled, hostWithPort } = require('./reconcile');
const { many, timeText, bytes } = require('../../base/pure/units');
const { callText } = require('../../base/pure/printable');
const { callLines, noteLines, part } = require('../../text/layout');
const { ENGINE_PARAMETERS } = require('./cause-table');
const { countedLabels } = require('./event-codes');

/**
 * @import { ChartData } from '../../text/types'
 * @import { ReadAll } from './incident'
 * @import { RecordedMember, EventValues, IncidentSource, RawEvent } from '../types'
 * @import { Ink } from '../../base/types'
 */

/**
 * A bundle to send: events and charts, no line of any log, no sample of any document.
 *
 * @typedef {ReadAll & { members: readonly { member: RecordedMember }[] }} Read
 * @typedef {ReturnType<typeof bundleOf>} Bundle
 */

const FORMAT = 'tune-incident';
const VERSION = 1;
/** Buckets of each chart: an hour of one sample a second is kept nearly whole. */
const MAX_BUCKETS = 2000;
/** Members with charts. */
const MAX_MEMBERS = 9;

/**
 * @param {Read} read
 * @param {{ names: boolean, atMs: number, version: string }} how `names`: of collections and indexes
 *   are kept
 */
function bundleOf(read, { names, atMs, version }) {
  const aliases = new Aliases(names);
  const hosts = read.hosts.map((host) => aliases.host(host));
  const events = reconciled(read.events)
    .filter(
      ({ fromMs, toMs }) => (toMs ?? fromMs) >= read.range.fromMs && fromMs <= read.range.toMs,
    )
    .map((event) => redactedEvent(event, aliases));
  const members = read.members
    .slice(0, MAX_MEMBERS)
    .map(({ member }) => ({
      host: member.host === null ? null : aliases.host(hostWithPort(member.host)),
      version: member.version,
      samples: member.samples,
      fromMs: member.fromMs,
      toMs: member.toMs,
      chart: member.chart(MAX_BUCKETS),
    }));
  return {
    format: FORMAT,
    version: VERSION,
    holds: holdsOf({ events, hosts, members, names }),
    madeAt: new Date(atMs).toISOString(),
    tune: version,
    hosts,
    mongodb: read.version,
    range: { fromMs: orNull(read.range.fromMs), toMs: orNull(read.range.toMs) },
    sources: read.sources.map((source) => redactedSource(source, aliases)),
    clocks: read.clocks.map((clock) => ({
      ...clock,
      of: /:\d+$/.test(clock.of) ? aliases.host(clock.of) : aliases.of('kernel', clock.of),
      against: /:\d+$/.test(clock.against) ? aliases.host(clock.against) : clock.against,
    })),
    dropped: read.dropped,
    events,
    members,
  };
}

/** JSON has no Infinity. @param {number} ms */
const orNull = (ms) => (Number.isFinite(ms) ? ms : null);

/**
 * Describes the bundle's content, for the user to read before sending it.
 * @param {{
 *   events: readonly { code: string }[], hosts: readonly string[], names: boolean,
 *   members: readonly { samples: number, fromMs: number, toMs: number, chart: ChartData }[]
 * }} made
 */
function holdsOf({ events, hosts, members, names }) {
  const labels = countedLabels(events);
  return [
    `${many(events.length, 'event')}${labels === '' ? '' : `: ${labels}`}.`,
    ...members.map(
      ({ samples, fromMs, toMs, chart }, i) =>
        `Charts of server ${i + 1}: ${Object.keys(chart.series).length} series of ` +
        `${many(samples, 'sample')}, ${timeText(fromMs)} to ${timeText(toMs)} UTC.`,
    ),
    `${many(hosts.length, 'server')}, as ${hosts.join(', ') || 'none'}: no name of a host, no address, no path.`,
    names
      ? 'Names of collections and indexes, of control groups, disks and dump programs, files of ' +
        'WiredTiger; texts of errors without hosts and paths.'
      : 'No name of a collection, an index, a control group, a disk, a dump program or a file, ' +
        'and no text of an error.',
    'Values of parameters of the storage engine; of other parameters only the name.',
    'No line of a log, no query, no document, no user, no password.',
  ];
}

/**
 * @param {{ file: string, bytes: number, holds: readonly string[], notes: readonly string[] }} data
 * @param {Ink} ink
 * @returns {string}
 */
function renderBundle({ file, bytes: size, holds, notes }, ink) {
  return [
    ...part('WRITTEN', file, ink, 'strong'),
    ...part('', `${bytes(size)} of text: read it before you send it`, ink),
    ...holds.flatMap((sentence, i) => part(i === 0 ? 'HOLDS' : '', sentence, ink)),
    ...callLines([['Read', callText('incident', file)]], ink),
    ...noteLines(notes, ink),
  ].join('\n');
}

/**
 * Removes private data from a bundle: hosts, files and, on request, names become aliases; free text
 * of a server keeps its words, and loses every address. No event has values of users.
 */

const ADDRESS = /\b\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?\b|\[[0-9a-f:]{2,45}\](?::\d{1,5})?/gi;
/** A host with its port. */
const HOST_PORT = /\b[a-z0-9](?:[a-z0-9.-]{0,253}[a-z0-9])?:\d{2,5}\b/gi;
/** A path of two parts at least, of a Unix or of Windows. */
const PATH = /(?<![\w/])(?:\/[\w.@+~-]+){2,}\/?|\b[a-z]:\\[^\s"'<>|]+/gi;
/** Values that are free text of a server or of a system. */
const TEXTS = new Set(['reason', 'error', 'message']);
const ERRORS = new Set(['error', 'message']);
/** Values that name what belongs to a user. */
const NAMES = Object.freeze(
  /** @type {Record<string, string>} */ ({
    ns: 'ns',
    index: 'index',
    cgroup: 'group',
    file: 'file',
    device: 'disk',
    application: 'application',
  }),
);

/** Aliases, the same for the same. */
class Aliases {
  /** @param {boolean} keepsNames */
  constructor(keepsNames) {
    this.keepsNames = keepsNames;
    /** @type {Map<string, string>} */
    this.known = new Map();
    /** @type {Map<string, number>} */
    this.counts = new Map();
  }

  /** @param {string} kind @param {string} value @returns {string} */
  of(kind, value) {
    const key = `${kind}\0${value}`;
    const found = this.known.get(key);
    if (found !== undefined) return found;
    const number = (this.counts.get(kind) ?? 0) + 1;
    this.counts.set(kind, number);
    const made = `${kind}-${number}`;
    this.known.set(key, made);
    return made;
  }

  /**
   * A host: the same machine has the same alias, the same port the same number.
   * @param {string} host
   */
  host(host) {
    const [, machine, port] = /^(.*?)(?::(\d+))?$/.exec(host) ?? [];
    const name = this.of('host', machine);
    return port === undefined ? name : `${name}:${this.of('port', port).slice('port-'.length)}`;
  }

  /** @param {string} text */
  text(text) {
    let made = text;
    for (const [key, alias] of this.known) {
      const [kind, value] = key.split('\0');
      if (kind === 'host' && value.length > 2) made = made.replaceAll(value, alias);
    }
    return made
      .replace(PATH, (found) => this.of('path', found))
      .replace(ADDRESS, (found) => this.host(found))
      .replace(HOST_PORT, (found) => (found.startsWith('host-') ? found : this.host(found)));
  }

  /** @param {string} name @param {EventValues[string]} value @returns {EventValues[string]} */
  value(name, value) {
    if (typeof value !== 'string') return value;
    if (name === 'member') return this.host(value);
    // An error can name any collection or file: nothing shows which of its words do.
    if (!this.keepsNames && ERRORS.has(name)) return 'not sent';
    if (TEXTS.has(name)) return this.text(value);
    if (!this.keepsNames && Object.hasOwn(NAMES, name)) return this.of(NAMES[name], value);
    return value;
  }
}

/** @param {RawEvent} event @param {Aliases} aliases @returns {RawEvent} */
function redactedEvent({ host, values, evidence, ...event }, aliases) {
  const isSecret =
    event.code === 'parameter-set' && !ENGINE_PARAMETERS.test(String(values.parameter));
  const safe = isSecret ? { ...values, from: 'not sent', to: 'not sent' } : values;
  return {
    ...event,
    host: host === null ? null : aliases.host(host),
    values: Object.fromEntries(
      Object.entries(safe).map(([name, value]) => [name, aliases.value(name, value)]),
    ),
    evidence: {
      ...evidence,
      file: evidence.file === null ? null : aliases.of(evidence.source, evidence.file),
    },
  };
}

/** @param {IncidentSource} source @param {Aliases} aliases @returns {IncidentSource} */
const redactedSource = ({ file, host, ...source }, aliases) => ({
  ...source,
  file: aliases.of(source.kind, file.replace(/^.*[\\/]/, '')),
  host: host === null ? null : aliases.host(host),
});

module.exports = { bundleOf, FORMAT, VERSION, renderBundle };
