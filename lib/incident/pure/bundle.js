'use strict';

const { reconciled, hostWithPort } = require('./reconcile');
const { Aliases, redactedEvent, redactedSource } = require('./redact');
const { many, timeText } = require('../../base/pure/units');

/**
 * @import { ChartData } from '../../text/types'
 * @import { ReadAll } from './incident'
 * @import { RecordedMember } from '../types'
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
 * What is in it, to be read before it is sent.
 * @param {{
 *   events: readonly { code: string }[], hosts: readonly string[], names: boolean,
 *   members: readonly { samples: number, fromMs: number, toMs: number, chart: ChartData }[]
 * }} made
 */
function holdsOf({ events, hosts, members, names }) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { code } of events) counts.set(code, (counts.get(code) ?? 0) + 1);
  const codes = [...counts].map(([code, n]) => `${n} ${code}`).join(', ');
  return [
    `${many(events.length, 'event')}${codes === '' ? '' : `: ${codes}`}.`,
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
    'Values of parameters of the storage engine; of other parameters the name alone.',
    'No line of a log, no query, no document, no user, no password.',
  ];
}

module.exports = { bundleOf, FORMAT, VERSION };
