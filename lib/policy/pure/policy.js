'use strict';

const { TuneError } = require('../../base/pure/errors');
const { visible } = require('../../base/pure/printable');

/**
 * @import { PolicyRules, PolicySource } from '../../base/types'
 * @import { Refusal } from '../types'
 */

/** The value that each key of a policy takes, in the words of its errors. */
const KEYS = Object.freeze(
  /** @type {Record<keyof PolicyRules, { isRight(value: unknown): boolean, allowed: string }>} */ ({
    readOnly: { isRight: (value) => typeof value === 'boolean', allowed: 'true or false' },
    allowCommands: { isRight: areTexts, allowed: 'a list of commands, such as "split.*"' },
    denyCommands: { isRight: areTexts, allowed: 'a list of commands, such as "split.*"' },
    changeHosts: { isRight: areTexts, allowed: 'a list of hosts, such as "*.test.example"' },
    changeHoursUtc: {
      isRight: (value) => areTexts(value) && value.every((text) => hoursOf(text) !== null),
      allowed: 'a list of spans, such as "22:00-04:30"',
    },
    ticket: {
      isRight: (value) => typeof value === 'string' && value !== '',
      allowed: 'a pattern, such as "CHG-*"',
    },
  }),
);

/** @param {unknown} value @returns {value is string[]} */
function areTexts(value) {
  return Array.isArray(value) && value.every((name) => typeof name === 'string' && name !== '');
}

/**
 * YAML has dates, ordered maps and sets, too: they have no keys, and so would have no fault.
 * @param {unknown} document @returns {document is object}
 */
const isMap = (document) =>
  document !== null &&
  typeof document === 'object' &&
  Object.getPrototypeOf(document) === Object.prototype;

/**
 * The rules of a policy file. A key that is not known, or a wrong value, is a fault: a rule that was
 * meant and does not hold would be worse than no rule.
 * @param {unknown} document
 * @param {readonly string[]} [commands] that there are, without `tune.`; left out: not known
 * @returns {{ rules: PolicyRules, fault: string | null }}
 */
function readRules(document, commands) {
  if (!isMap(document))
    return { rules: {}, fault: `it is not a list of rules: ${Object.keys(KEYS).join(', ')}` };
  for (const [key, value] of Object.entries(document)) {
    if (!Object.hasOwn(KEYS, key)) return { rules: {}, fault: `"${visible(key)}" is not a rule` };
    const { isRight, allowed } = KEYS[/** @type {keyof PolicyRules} */ (key)];
    if (!isRight(value)) return { rules: {}, fault: `${key} must be ${allowed}` };
  }
  const fault = commands ? faultOfNames(document, commands) : null;
  return { rules: fault === null ? { ...document } : {}, fault };
}

/**
 * Finds a name that is no command: it would deny nothing, and allow nothing.
 * @param {PolicyRules} rules
 * @param {readonly string[]} commands
 * @returns {string | null}
 */
function faultOfNames({ allowCommands = [], denyCommands = [] }, commands) {
  const unknown = [...allowCommands, ...denyCommands].find((name) => !isAmong([name], commands));
  return unknown === undefined
    ? null
    : `"${visible(unknown)}" names no command; names are as in tune.help(), without "tune."`;
}

/**
 * Whether a call may run. Each source must allow it, so that none can widen another.
 * @param {readonly PolicySource[]} sources
 * @param {{ name: string, isChange: boolean, ticket?: string, now: Date }} call `isChange`: it was
 *   confirmed
 * @returns {Refusal | null}
 */
const refusalOfCall = (sources, call) =>
  call.name === SHOWS_POLICY ? null : firstOf(sources, (source) => judgeCall(source, call));

/** This command changes nothing, and shows the policy. */
const SHOWS_POLICY = 'policy';

/**
 * Whether a command may be a part of another one: it need not be allowed by its own name.
 * @param {readonly PolicySource[]} sources
 * @param {string} name
 * @returns {Refusal | null}
 */
const refusalOfPart = (sources, name) => firstOf(sources, (source) => denial(source, name));

/**
 * @param {Pick<PolicySource, 'from' | 'rules'>} source
 * @param {string} name
 * @returns {Refusal | null}
 */
const denial = ({ from, rules: { denyCommands = [] } }, name) =>
  isAmong(denyCommands, withThoseAbove(name))
    ? { from, rule: 'denyCommands', say: `tune.${name} is denied` }
    : null;

/**
 * Whether a host may be changed.
 * @param {readonly PolicySource[]} sources
 * @param {readonly string[]} names of the host, with or without its port
 * @returns {Refusal | null}
 */
const refusalOfHost = (sources, names) =>
  firstOf(sources, ({ from, rules: { changeHosts } }) =>
    changeHosts === undefined || isAmong(changeHosts, names)
      ? null
      : {
          from,
          rule: 'changeHosts',
          say: `changes are allowed on ${list(changeHosts) || 'no host'} only`,
        },
  );

/**
 * Whether each source takes a ticket.
 * @param {readonly PolicySource[]} sources
 * @param {string} ticket
 * @returns {Refusal | null}
 */
const refusalOfTicket = (sources, ticket) =>
  firstOf(sources, ({ from, rules }) =>
    ticketRefusal(rules.ticket, ticket, (rule, say) => ({ from, rule, say })),
  );

/**
 * @param {readonly PolicySource[]} sources
 * @param {(source: PolicySource) => Refusal | null} judge
 */
function firstOf(sources, judge) {
  for (const source of sources) {
    const refusal = judge(source);
    if (refusal !== null) return refusal;
  }
  return null;
}

/**
 * @param {PolicySource} source
 * @param {{ name: string, isChange: boolean, ticket?: string, now: Date }} call
 * @returns {Refusal | null}
 */
function judgeCall({ from, rules, fault }, { name, isChange, ticket, now }) {
  const no = (/** @type {Refusal['rule']} */ rule, /** @type {string} */ say) => ({
    from,
    rule,
    say,
  });
  const { allowCommands } = rules;
  const denied = denial({ from, rules }, name);
  if (denied !== null) return denied;
  if (allowCommands !== undefined && !isAmong(allowCommands, [name]))
    return no('allowCommands', `only ${allowed(allowCommands)} may run`);
  if (!isChange) return null;
  const [refusal] = refusalsOfChange({ rules, fault }, now, no);
  return refusal ?? ticketRefusal(rules.ticket, ticket, no);
}

/**
 * Refuses any change, whatever its ticket.
 * @param {Pick<PolicySource, 'rules' | 'fault'>} source
 * @param {Date} now
 * @param {(rule: Refusal['rule'], say: string) => Refusal} no
 * @returns {Refusal[]}
 */
function refusalsOfChange({ rules: { readOnly, changeHoursUtc }, fault }, now, no) {
  const isLate = changeHoursUtc?.some((text) => isWithin(text, now)) === false;
  return [
    ...(fault === null
      ? []
      : [no('fault', `the policy cannot be used, so nothing is changed: ${fault}`)]),
    ...(readOnly ? [no('readOnly', 'nothing may be changed')] : []),
    ...(isLate
      ? [
          no(
            'changeHoursUtc',
            `changes are allowed at ${list(changeHoursUtc ?? [])} UTC only, and it is ` +
              `${now.toISOString().slice(11, 16)} UTC by the clock of this computer`,
          ),
        ]
      : []),
  ];
}

/**
 * Explains why a change would be refused now, whatever its ticket.
 * @param {readonly PolicySource[]} sources
 * @param {Date} now
 * @returns {Refusal[]}
 */
const refusalsNow = (sources, now) =>
  sources.flatMap((source) =>
    refusalsOfChange(source, now, (rule, say) => ({ from: source.from, rule, say })),
  );

/**
 * Adds the commands above a name: a policy that denies `bench` denies `bench.steps`, too.
 * @param {string} name
 */
const withThoseAbove = (name) =>
  name.split('.').map((_, i, parts) => parts.slice(0, i + 1).join('.'));

/**
 * @param {string | undefined} pattern
 * @param {string | undefined} ticket
 * @param {(rule: Refusal['rule'], say: string) => Refusal} no
 */
function ticketRefusal(pattern, ticket, no) {
  if (pattern === undefined) return null;
  if (ticket === undefined) return no('ticket', `a change needs { ticket: "${pattern}" }`);
  return isAmong([pattern], [ticket])
    ? null
    : no('ticket', `"${visible(ticket)}" does not match the pattern "${pattern}"`);
}

/**
 * The error of a refusal.
 * @param {string} what such as `tune.apply`
 * @param {Refusal} refusal
 */
const policyError = (what, { from, rule, say }) =>
  new TuneError('TUNE-30012', `${what} is refused by ${from}: ${say}.`, { value: rule });

/** @param {readonly string[]} commands */
const allowed = (commands) => (commands.length === 0 ? 'tune.policy()' : list(commands));

/** @param {readonly string[]} texts */
const list = (texts) => texts.map(visible).join(', ');

/** @param {readonly string[]} patterns @param {readonly string[]} names */
const isAmong = (patterns, names) =>
  patterns.some((pattern) => names.some((name) => matches(pattern, name)));

/**
 * Whether a name matches a pattern in which `*` means any characters; case does not matter. It uses
 * no regular expression, so that no pattern takes long.
 * @param {string} pattern
 * @param {string} name
 */
function matches(pattern, name) {
  const parts = pattern.toLowerCase().split('*');
  const text = name.toLowerCase();
  if (parts.length === 1) return text === parts[0];
  const [first, last] = [parts[0], parts[parts.length - 1]];
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  const end = text.length - last.length;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= end;
}

const MINUTES_PER_HOUR = 60;
const SPAN = /^([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-4]):([0-5]\d)$/;

/** @param {string} text @returns {[number, number] | null} minutes since midnight */
function hoursOf(text) {
  const found = SPAN.exec(text);
  if (found === null) return null;
  const [fromHour, fromMinute, toHour, toMinute] = found.slice(1).map(Number);
  const [from, to] = [
    fromHour * MINUTES_PER_HOUR + fromMinute,
    toHour * MINUTES_PER_HOUR + toMinute,
  ];
  return from === to || to > 24 * MINUTES_PER_HOUR ? null : [from, to];
}

/**
 * Whether a time is in a span, which may pass midnight; in UTC, since a user can set TZ.
 * @param {string} text
 * @param {Date} now
 */
function isWithin(text, now) {
  const hours = hoursOf(text);
  if (hours === null) return false;
  const minute = now.getUTCHours() * MINUTES_PER_HOUR + now.getUTCMinutes();
  const [from, to] = hours;
  return from < to ? minute >= from && minute < to : minute >= from || minute < to;
}

module.exports = {
  readRules,
  refusalOfCall,
  refusalOfHost,
  refusalOfPart,
  refusalOfTicket,
  refusalsNow,
  policyError,
};
