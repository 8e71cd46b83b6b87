'use strict';

const { randomBytes } = require('node:crypto');
const { setTimeout: sleep } = require('node:timers/promises');
const { DEFAULT_PORT } = require('../server/pure/facts');
const { TuneError } = require('../base/pure/errors');
const { HELLO, SMALL_STATUS } = require('../server/pure/commands');
const {
  policyError,
  refusalOfCall,
  refusalOfHost,
  refusalOfPart,
  refusalOfTicket,
  refusalsNow,
} = require('./pure/policy');
const { isKnown, isReading } = require('./pure/server-commands');

/**
 * @import { PolicySource } from '../base/types'
 *
 * @typedef {(database: string, command: Record<string, unknown>) => Promise<any>} Send
 */

/**
 * Decides what one call of a command may do. It begins without the right to write, and gets it only
 * by its own `confirm`, where every policy allows it: the port asks before each command that it
 * sends.
 */
class CallPermit {
  /** Private: what a shell can reach must not open it. */
  #mayWrite = false;
  /** The policies that limit this call, read once. @type {PolicySource[]} */
  #limits = [];
  /** Each server is judged once. @type {Map<Send, Promise<void>>} */
  #judged = new Map();

  /**
   * @param {{
   *   name: string, isChanging: boolean, send: Send, sources: () => PolicySource[]
   * }} call `name`: such as `split.run`; `isChanging`: whether the command can change something;
   *   `send`: to the server of the shell
   */
  constructor({ name, isChanging, send, sources }) {
    this.name = name;
    this.isChanging = isChanging;
    this.send = send;
    this.sources = sources;
    /** @type {string | null} */
    this.ticket = null;
    this.id = randomBytes(3).toString('hex');
  }

  /** The comment of this call's commands in the server's log and in currentOp. */
  get comment() {
    const ticket = this.ticket === null ? '' : ` ${this.ticket}`;
    return `mongosh-tune ${this.name} ${this.id}${ticket}`;
  }

  /** The comment of a call that may write. @returns {string | null} */
  get writtenAs() {
    return this.#mayWrite ? this.comment : null;
  }

  /**
   * The option that a printed call needs besides `confirm`.
   * @returns {string | null}
   */
  get ticketLine() {
    const { ticket } = this;
    if (ticket !== null && refusalOfTicket(this.#limits, ticket) === null)
      return `Add ticket: ${JSON.stringify(ticket)} to these calls.`;
    const patterns = this.#limits.flatMap(({ rules }) => rules.ticket ?? []);
    return patterns.length === 0
      ? null
      : `Add a ticket that matches ${patterns.map((pattern) => JSON.stringify(pattern)).join(' and ')} to these calls.`;
  }

  /**
   * Explains why the change that a dry run shows would be refused now.
   * @returns {Promise<string | null>}
   */
  async refusedNow() {
    if (!this.isChanging || this.#mayWrite || this.#limits.length === 0) return null;
    // A server that hangs does not hold back what is shown.
    return Promise.race([this.#refusals(), sleep(ANSWER_MS, null, { ref: false })]);
  }

  async #refusals() {
    const said = refusalsNow(this.#limits, new Date()).map(({ from, say }) => `${from}: ${say}`);
    const { host, refusal } = (await this.#refusalOfHosts(this.send).catch(() => null)) ?? {};
    if (refusal) said.push(`${refusal.from}: ${refusal.say} (this is ${String(host)})`);
    return said.length === 0 ? null : `The policy refuses this change now. ${said.join('. ')}.`;
  }

  /** The fields of a journal entry: they identify it in the server's log, and have the ticket. */
  get journalFields() {
    return { comment: this.comment, ...(this.ticket !== null && { ticket: this.ticket }) };
  }

  /**
   * Judges the call by its checked options, before it begins.
   * @param {{ confirm?: unknown, ticket?: unknown }} options
   * @param {string} [name] of the command that begins: another one is a part of this call
   * @throws {TuneError} TUNE-30012
   */
  async begin({ confirm, ticket }, name = this.name) {
    if (name !== this.name) return this.judgePart(name);
    const isChange = this.isChanging && confirm === true;
    const text = typeof ticket === 'string' ? ticket : undefined;
    this.#limits = this.sources();
    const refusal = refusalOfCall(this.#limits, {
      name: this.name,
      isChange,
      ticket: text,
      now: new Date(),
    });
    if (refusal !== null) throw policyError(`tune.${this.name}`, refusal);
    if (isChange) await this.#judgeHost(this.send);
    this.ticket = text ?? null;
    this.#mayWrite = isChange;
  }

  /**
   * Refuses a denied command also as a part of another command.
   * @param {string} name the name of a command
   * @throws {TuneError} TUNE-30012
   */
  judgePart(name) {
    const refusal = refusalOfPart(this.#limits, name);
    if (refusal !== null) throw policyError(`tune.${this.name}`, refusal);
  }

  /**
   * Checks a server that is changed later: a change of several servers does not begin where one of
   * them may not be changed.
   * @param {{ command: Send }} port
   * @throws {TuneError} TUNE-30012
   */
  async judge({ command }) {
    if (this.#mayWrite) await this.#refuseHost(command);
  }

  /**
   * Makes the guard that a port of this call asks before it sends.
   * @param {Send} send sends to the server itself
   */
  guard(send) {
    return {
      /** @param {Record<string, unknown>} spec @throws {TuneError} TUNE-30012, TUNE-90001 */
      check: (spec) => {
        if (isReading(spec)) return null;
        if (!isKnown(spec)) throw unlisted(this.name, Object.keys(spec));
        if (!this.#mayWrite) throw unconfirmed(this.name, Object.keys(spec)[0]);
        return this.#judgeHost(send);
      },
      comment: () => this.comment,
    };
  }

  /**
   * @param {Send} send
   * @returns {Promise<void>} rejects with TUNE-30012
   */
  #judgeHost(send) {
    const judged = this.#judged.get(send) ?? this.#refuseHost(send);
    this.#judged.set(send, judged);
    return judged;
  }

  /**
   * Refuses by the names that the server reports of itself and its set: the user chooses the name
   * in a connection string. After an election any member may be the one that is changed.
   * @param {Send} send
   * @throws {TuneError} TUNE-30012
   */
  async #refuseHost(send) {
    const { host, refusal } = (await this.#refusalOfHosts(send)) ?? {};
    if (refusal) throw policyError(`A change on ${String(host)}`, refusal);
  }

  /** @param {Send} send */
  async #refusalOfHosts(send) {
    const sources = this.#limits.filter(({ rules }) => rules.changeHosts !== undefined);
    if (sources.length === 0) return null;
    for (const host of await namesOnServer(send)) {
      const refusal = refusalOfHost(sources, namesOf(host));
      if (refusal !== null) return { host, refusal };
    }
    return null;
  }
}

/**
 * @param {Send} send
 * @returns {Promise<unknown[]>} none where there is no server: each connection that the call opens
 *   is judged by itself
 */
async function namesOnServer(send) {
  try {
    const { me = [], hosts = [], passives = [] } = await send('admin', HELLO);
    // A hidden member and an arbiter are in neither list, not even in their own answer.
    const members = [...new Set([me, hosts, passives].flat())];
    return members.length > 0 ? members : [(await send('admin', SMALL_STATUS)).host];
  } catch (error) {
    if (/** @type {any} */ (error).code === 'TUNE-20001') return [];
    throw error;
  }
}

/**
 * Names a host with and without its port; a server on the default port reports none.
 * @param {unknown} host
 */
function namesOf(host) {
  if (typeof host !== 'string') return [];
  const name = host.replace(/:\d+$/, '');
  return [name, name === host ? `${host}:${DEFAULT_PORT}` : host];
}

/** Milliseconds for the name of a server. */
const ANSWER_MS = 1000;

/** @param {string} name @param {string} command */
const unconfirmed = (name, command) =>
  new TuneError(
    'TUNE-90001',
    `tune.${name} was not confirmed and must not send ${command}: nothing was sent.`,
    { value: command },
  );

/** @param {string} name @param {readonly string[]} fields */
const unlisted = (name, fields) =>
  new TuneError(
    'TUNE-90001',
    `tune.${name} must not send ${fields.join(', ') || 'a command without a name'}: it is not in ` +
      'the list of commands. Nothing was sent.',
    { value: fields[0] },
  );

// A shell that replaces these methods later must not allow a call.
Object.freeze(CallPermit.prototype);

Object.freeze(CallPermit);

module.exports = { CallPermit };
Object.freeze(module.exports);
