'use strict';

const { DEFAULT_PORT } = require('../../server/pure/facts');
const { EventList } = require('./event-list');
const { CONNECTION, IDENTITY, LOG_EVENTS, text } = require('./log-events');
const { SlowLines, lastNumber } = require('./slow-lines');
const { quantile } = require('../../base/pure/statistics');

/**
 * @import { EventValues, RawEvent } from '../types'
 */

/** @typedef {{ id: number, ctx: string, atMs: number, attr: any }} Line */

/** Things that are open at once, such as index builds: more are made by hand. */
const MAX_OPEN = 1000;
/** Connections that are open at once: mongod allows 51,200 of 64,000 open files. */
const MAX_CLIENTS = 51_200;

/** The events of one server's log, line by line: what has a beginning and an end becomes one event. */
class LogStory {
  constructor() {
    this.list = new EventList();
    this.slow = new SlowLines();
    this.accepted = new AcceptedConnections();
    this.clients = new ClientNames();
    /** @type {string | null} */
    this.host = null;
    /** @type {string[]} all that the lines name */
    this.hosts = [];
    /** @type {string | null} */
    this.version = null;
    /** @type {string} */
    this.file = '';
    /** Builds, dumps and locks that have not ended. @type {Map<string, RawEvent>} */
    this.open = new Map();
    /** @type {RawEvent | null} */
    this.signal = null;
    /** Whether the run that is being read began with data that was not closed in order. */
    this.isUnclean = false;
    /** The end of the present run, where it ended in order. @type {number | null} */
    this.exitedMs = null;
  }

  /**
   * @param {Line} line
   * @param {number} beforeMs of the last line of the run before; NaN where this log has none
   */
  add(line, beforeMs) {
    this.identify(line);
    if (line.id === IDENTITY.STARTING) this.began(line, beforeMs);
    const meaning = this.meaningOf(line);
    if (meaning === null) return;
    const end = ENDS[meaning.code];
    if (end !== undefined) end(this, line, meaning.values);
    // On a busy machine a clean start takes as long.
    else if (meaning.code === 'recovery-long' && !this.isUnclean)
      this.keep(line, { ...meaning, code: 'process-recovered' });
    else this.keep(line, meaning);
  }

  /** @param {Line} line */
  meaningOf({ id, ctx, attr }) {
    const meaning = LOG_EVENTS[id]?.(attr) ?? null;
    if (meaning?.code !== 'transaction-long') return meaning;
    return { ...meaning, values: { ...meaning.values, application: this.clients.nameOf(ctx) } };
  }

  /**
   * Reads the server's name and its clients, also from a line before the wanted time.
   * @param {Line} line
   */
  identify(line) {
    const { id, attr } = line;
    this.clients.add(line);
    if (id === IDENTITY.BUILD && typeof attr.buildInfo?.version === 'string')
      this.version = attr.buildInfo.version.slice(0, 40);
    if ((id !== IDENTITY.STARTING && id !== IDENTITY.DETAILS) || typeof attr.host !== 'string')
      return;
    this.host = `${attr.host.slice(0, 255)}:${Number(attr.port) || DEFAULT_PORT}`;
    if (!this.hosts.includes(this.host) && this.hosts.length < MAX_OPEN) this.hosts.push(this.host);
  }

  /**
   * A start behind a run that did not exit: it was killed, or it crashed.
   * @param {Line} line
   * @param {number} beforeMs
   */
  began({ id, atMs }, beforeMs) {
    if (!Number.isNaN(beforeMs))
      this.list.add({
        ...this.base(id),
        code: this.exitedMs === null ? 'process-died' : 'process-restarted',
        fromMs: beforeMs,
        toMs: atMs,
        values: { downSeconds: Math.max(0, (atMs - beforeMs) / 1000) },
      });
    this.exitedMs = null;
    this.isUnclean = false;
    this.open.clear();
  }

  /** @param {number} id @returns {Pick<RawEvent, 'host' | 'count' | 'evidence'>} */
  base(id) {
    return { host: this.host, count: 1, evidence: { source: 'log', file: this.file, id } };
  }

  /** @param {Line} line @param {{ code: string, values: EventValues }} meaning */
  keep({ id, atMs, ctx, attr }, { code, values }) {
    const { build, client, ...shown } = values;
    const event = { ...this.base(id), code, fromMs: atMs, toMs: null, values: shown };
    if (LOGGED_AT_END.has(code)) {
      event.fromMs = atMs - Number(shown.durationMs ?? 0);
      Object.assign(event, { toMs: atMs });
    }
    const kept = this.list.add(event);
    if (code === 'process-exited') this.exitedMs = atMs;
    if (code === 'process-unclean-start') this.isUnclean = true;
    if (code === 'process-signal') this.signal = kept;
    const key = openKey(code, { build, client, ctx, attr });
    if (key !== null && kept !== null && this.open.size < MAX_OPEN) this.open.set(key, kept);
  }

  /**
   * Ends what is open under a key.
   * @param {string} key
   * @param {number} atMs
   * @param {EventValues} [more]
   */
  close(key, atMs, more = {}) {
    const event = this.open.get(key);
    if (event === undefined) return;
    this.open.delete(key);
    event.toMs = Math.max(event.toMs ?? atMs, atMs);
    event.values = { ...event.values, ...more, durationMs: event.toMs - event.fromMs };
  }

  /**
   * All events, when the log is at its end.
   * @param {number} fromMs of what was read
   * @param {number} toMs
   * @returns {RawEvent[]}
   */
  finish(fromMs, toMs) {
    const counted = [...this.slow.bursts(fromMs, toMs), ...this.accepted.bursts(fromMs, toMs)];
    for (const event of counted) this.list.add({ ...this.base(0), ...event });
    return this.list.events;
  }
}

const LOGGED_AT_END = new Set(['transaction-long', 'ttl-deleted', 'recovery-long']);

/**
 * Under what an event waits for its end.
 * @param {string} code
 * @param {{ build: unknown, client: unknown, ctx: string, attr: any }} line
 */
function openKey(code, { build, client, ctx }) {
  if (code === 'index-build') return `build ${build}`;
  if (code === 'fsync-locked') return 'fsync';
  return code === 'dump-client' ? `client ${client ?? ctx}` : null;
}

/** Lines that end, or complete, an event of another line. */
const ENDS = Object.freeze(
  /** @type {Record<string, (story: LogStory, line: Line, values: EventValues) => void>} */ ({
    'index-build-end': (story, { atMs }, { build, failed }) =>
      story.close(`build ${build}`, atMs, { failed }),
    'fsync-unlocked': (story, { atMs }) => story.close('fsync', atMs),
    'connection-ended': (story, { atMs, ctx }) => story.close(`client ${ctx}`, atMs),
    'process-signal-sender': ({ signal }, _line, sender) => {
      if (signal !== null) signal.values = { ...signal.values, ...sender };
    },
  }),
);

/** Connections that a log reports, a second each: a storm has thousands of lines. */
const BUCKET_MS = 1000;
const MAX_BUCKETS = 100_000;
/** New connections a second that are a storm (heuristic): a pool opens a few. */
const MIN_PER_SEC = 50;
/** … and so many times the usual number (heuristic). */
const TIMES_USUAL = 10;

/** Keeps the names of clients by open connection: other lines only name the connection. */
class ClientNames {
  constructor() {
    /** @type {Map<string, string>} by connection */
    this.names = new Map();
  }

  /** @param {{ id: number, ctx: string, attr: any }} line */
  add({ id, ctx, attr }) {
    // A server that starts has no connections yet.
    if (id === IDENTITY.STARTING) this.names.clear();
    if (id === CONNECTION.ENDED) this.names.delete(ctx);
    if (id !== CONNECTION.METADATA || this.names.size >= MAX_CLIENTS) return;
    const name = text(attr.doc?.application?.name);
    if (name !== null) this.names.set(String(attr.client ?? ctx), name);
  }

  /** @param {string} connection @returns {string | null} */
  nameOf(connection) {
    return this.names.get(connection) ?? null;
  }
}

class AcceptedConnections {
  constructor() {
    /** @type {Map<number, { accepted: number, max: number, min: number }>} by second */
    this.buckets = new Map();
  }

  /** @param {string} line @param {number} atMs */
  add(line, atMs) {
    const bucket = Math.floor(atMs / BUCKET_MS);
    const connections = lastNumber(line, '"connectionCount":');
    const found = this.buckets.get(bucket) ?? { accepted: 0, max: 0, min: Infinity };
    found.accepted++;
    found.max = Math.max(found.max, connections);
    found.min = Math.min(found.min, connections);
    if (this.buckets.has(bucket) || this.buckets.size < MAX_BUCKETS)
      this.buckets.set(bucket, found);
  }

  /**
   * @param {number} fromMs of the log
   * @param {number} toMs
   * @returns {Omit<RawEvent, 'host' | 'evidence'>[]} one for each storm
   */
  bursts(fromMs, toMs) {
    const seconds = Math.max(1, Math.ceil((toMs - fromMs) / BUCKET_MS));
    const counts = [...this.buckets.values()].map(({ accepted }) => accepted);
    const rest = Array.from({
      length: Math.max(0, Math.min(seconds, MAX_BUCKETS) - counts.length),
    });
    const usual = quantile([...counts, ...rest.map(() => 0)], 0.5);
    const limit = Math.max(MIN_PER_SEC, TIMES_USUAL * usual);
    return [...this.buckets]
      .filter(([, { accepted }]) => accepted >= limit)
      .map(([bucket, { accepted, max, min }]) => ({
        code: 'connections-up',
        fromMs: bucket * BUCKET_MS,
        toMs: (bucket + 1) * BUCKET_MS,
        count: 1,
        values: { connections: max, usual: Math.max(0, min - 1), perSec: accepted },
      }));
  }
}

module.exports = { LogStory, AcceptedConnections };
