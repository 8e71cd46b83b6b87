'use strict';

const { MS_PER_DAY } = require('../../base/pure/units');

/**
 * The time of a line of a kernel's log, in the forms that tools write it:
 * dmesg `[21670.899193] text`, dmesg -T `[Wed Nov 25 09:28:16 2026] text`, syslog and journalctl
 * `Nov 25 09:28:16 host kernel: text`, journalctl -o short-iso and RFC 5424 dates, journalctl -o json,
 * and its export format.
 *
 * @typedef {{
 *   atMs: number | null, sinceBootMs: number | null, isLocal: boolean, host: string | null, text: string
 * }} KernelLine `atMs`: null where only the time since the machine started is there; `isLocal`: no
 *   zone is written, so it may be of any
 */

const MONTHS = 'JanFebMarAprMayJunJulAugSepOctNovDec';
const ISO =
  /^(?:<\d+>\d? ?)?(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:[.,]\d+)?)(Z|[+-]\d\d:?\d\d)?\s+(\S+)\s+(.*)$/;
const SYSLOG = /^(?:<\d+>)?([A-Z][a-z]{2}) +(\d{1,2}) (\d\d):(\d\d):(\d\d)(?:\.(\d+))? (\S+) (.*)$/;
const SINCE_BOOT = /^(?:<\d+>)?\[ *(\d+\.\d+)\] (.*)$/;
const DMESG_T =
  /^(?:<\d+>)?\[[A-Z][a-z]{2} ([A-Z][a-z]{2}) +(\d+) (\d\d):(\d\d):(\d\d) (\d{4})\] (.*)$/;
const OF_KERNEL = /^kernel(?:\[\d+\])?: (?:\[ *\d+\.\d+\] )?(.*)$/;
/** A line is cut at this length, which no log reaches. */
const MAX_TEXT = 2000;

/**
 * @param {string} line
 * @param {number} nowMs for what has no year: it is never later than this
 * @returns {KernelLine | null} null: not of the kernel, or of no known form
 */
function kernelLine(line, nowMs) {
  const text = line.slice(0, MAX_TEXT);
  if (text.startsWith('{')) return ofJson(text);
  const boot = SINCE_BOOT.exec(text);
  if (boot !== null)
    return {
      atMs: null,
      sinceBootMs: Number(boot[1]) * 1000,
      isLocal: false,
      host: null,
      text: boot[2],
    };
  return ofDmesgT(text) ?? ofIso(text) ?? ofSyslog(text, nowMs);
}

/** @param {string} text @returns {KernelLine | null} */
function ofDmesgT(text) {
  const found = DMESG_T.exec(text);
  if (found === null) return null;
  const [, month, day, hour, minute, second, year, rest] = found;
  const atMs = utc([year, monthOf(month), day, hour, minute, second]);
  return { atMs, sinceBootMs: null, isLocal: true, host: null, text: rest };
}

/** @param {string} text @returns {KernelLine | null} */
function ofIso(text) {
  const found = ISO.exec(text);
  if (found === null) return null;
  const [, time, zone, host, rest] = found;
  const withColon = zone?.replace(/^([+-]\d\d)(\d\d)$/, '$1:$2') ?? 'Z';
  const atMs = Date.parse(`${time.replace(',', '.')}${withColon}`);
  return ofSyslogd({ atMs, isLocal: zone === undefined, host }, rest);
}

/** @param {string} text @param {number} nowMs @returns {KernelLine | null} */
function ofSyslog(text, nowMs) {
  const found = SYSLOG.exec(text);
  if (found === null) return null;
  const [, month, day, hour, minute, second, , host, rest] = found;
  const year = new Date(nowMs).getUTCFullYear();
  const at = (/** @type {number} */ inYear) =>
    utc([inYear, monthOf(month), day, hour, minute, second]);
  // A day of leeway: the zone is not known.
  const atMs = at(year) > nowMs + MS_PER_DAY ? at(year - 1) : at(year);
  return ofSyslogd({ atMs, isLocal: true, host }, rest);
}

/**
 * @param {{ atMs: number, isLocal: boolean, host: string }} head
 * @param {string} rest
 * @returns {KernelLine | null} null: of another program
 */
function ofSyslogd({ atMs, isLocal, host }, rest) {
  // RFC 5424 has fields between: `kernel - - - text`.
  const found = OF_KERNEL.exec(rest.replace(/^kernel(?: -)+ /, 'kernel: '));
  return found === null || Number.isNaN(atMs)
    ? null
    : { atMs, sinceBootMs: null, isLocal, host, text: found[1] };
}

/** A line of journalctl -o json. @param {string} text @returns {KernelLine | null} */
function ofJson(text) {
  try {
    return ofFields(JSON.parse(text));
  } catch (_noJson) {
    return null;
  }
}

/**
 * An entry of the journal.
 * @param {any} fields
 * @returns {KernelLine | null} null: of another program
 */
function ofFields(fields) {
  const { MESSAGE, _HOSTNAME: host, SYSLOG_IDENTIFIER: program, _TRANSPORT: transport } = fields;
  const micros = Number(fields.__REALTIME_TIMESTAMP ?? fields._SOURCE_REALTIME_TIMESTAMP);
  if (typeof MESSAGE !== 'string' || !(micros > 0)) return null;
  if (program !== 'kernel' && transport !== 'kernel') return null;
  return {
    atMs: micros / 1000,
    sinceBootMs: null,
    isLocal: false,
    host: typeof host === 'string' ? host.slice(0, 255) : null,
    text: MESSAGE.slice(0, MAX_TEXT),
  };
}

/** @param {string} name @returns {number} 1 to 12 */
const monthOf = (name) => MONTHS.indexOf(name) / 3 + 1;

/** @param {(string | number)[]} parts year, month from 1, day, hour, minute, second */
function utc(parts) {
  const [year, month, ...rest] = parts.map(Number);
  const [day, hour, minute, second] = rest;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

/** Entries of `journalctl -o export`: a line for each field, an empty line behind each entry. */
class ExportedEntries {
  constructor() {
    /** @type {Record<string, string>} */
    this.fields = {};
  }

  /**
   * @param {string} line
   * @returns {KernelLine | null} what is complete now
   */
  add(line) {
    if (line === '') {
      const made = ofFields(this.fields);
      this.fields = {};
      return made;
    }
    const at = line.indexOf('=');
    const name = line.slice(0, at);
    if (at > 0 && FIELDS.has(name)) this.fields[name] = line.slice(at + 1, at + 1 + MAX_TEXT);
    return null;
  }
}

const FIELDS = new Set([
  '__REALTIME_TIMESTAMP',
  '_SOURCE_REALTIME_TIMESTAMP',
  'MESSAGE',
  '_HOSTNAME',
  'SYSLOG_IDENTIFIER',
  '_TRANSPORT',
]);

module.exports = { kernelLine, ExportedEntries };
