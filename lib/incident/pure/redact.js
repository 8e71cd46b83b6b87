'use strict';

const { ENGINE_PARAMETERS } = require('./cause-table');

/**
 * @import { EventValues, IncidentSource, RawEvent } from '../types'
 */

/**
 * What leaves the house: hosts, files and, where that is wanted, names become aliases; free text of
 * a server keeps its words, and loses every address. Values of users are in no event.
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

module.exports = { Aliases, redactedEvent, redactedSource };
