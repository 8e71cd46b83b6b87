'use strict';

const { TuneError } = require('./errors');
const { callText } = require('./printable');
const { checkOptions, flag, show } = require('./options');

/**
 * @import { Option } from './options'
 */

/** The headings of the help, in its order. */
const GROUPS = Object.freeze(
  /** @type {const} */ ([
    'Look',
    'Diagnose',
    'Change',
    'Test',
    'Split',
    'Record and report',
    'Fleet',
  ]),
);

/** What a command can change, and the call that shows the result. */
const SHOWN_BY = Object.freeze({
  nothing: '',
  settings: 'tune.history()',
  splits: 'tune.split.status()',
  benchmarks: 'tune.bench.clean()',
});

/**
 * @typedef {{
 *   check: Option, description: string, default?: unknown, defaultText?: string
 * }} CommandOption `default`: what `run` gets where it is not given; `defaultText`: what holds then,
 *   where the value alone does not say it
 *
 * @typedef {{
 *   name: string, group: typeof GROUPS[number], order: number,
 *   takes: readonly ('text' | 'change' | 'id' | 'file' | 'options')[], idsOf?: string,
 *   withoutId?: string,
 *   usage: string, summary: string, details?: string,
 *   options?: Readonly<Record<string, CommandOption>>, examples: readonly string[],
 *   changes: keyof typeof SHOWN_BY, risks?: readonly string[], onMongos?: string,
 *   endsByInterrupt?: true, words?: () => readonly string[],
 *   run(ctx: any, ...args: any[]): unknown
 * }} Declaration `name`: `host.collect` is the file host-collect.js; `order`: its place in its
 *   group; `takes`: its parameters in order, an id or a file may be left out; `idsOf`: the command that shows
 *   the ids; `withoutId`: what it does where the id is left out, as in "undoes the last change";
 *   `risks`: of a command that changes something, each a sentence or two, the
 *   gravest first; `onMongos`: what to do instead where it needs one mongod and a mongos answers;
 *   `endsByInterrupt`: Ctrl-C is its ordinary end; `words`: what TAB offers behind its
 *   name; `run`: gets what it takes, with the defaults of the options, and last the options as they
 *   were given
 *
 * @typedef {Omit<Declaration, 'options' | 'run'> & {
 *   options: Readonly<Record<string, CommandOption>>,
 *   run(ctx: any, ...args: any[]): Promise<any>
 * }} Command `run`: takes what the user gives, and checks it
 */

/**
 * A file of lib/commands exports one command: all that help, TAB, pages and checks need to know. What
 * its `run` is declared to return is its schema (scripts/documents/schemas.js).
 * @template {Declaration} D
 * @param {D} declaration
 * @returns {Omit<Command, 'run'> & {
 *   run(ctx: any, ...args: any[]): Promise<Awaited<ReturnType<D['run']>>>
 * }}
 */
function defineCommand(declaration) {
  const command = withTicket({ options: {}, .../** @type {Declaration} */ (declaration) });
  return Object.freeze({
    ...command,
    run: async (/** @type {any} */ ctx, /** @type {any[]} */ ...args) => {
      const read = readArguments(command, args);
      const given = command.takes.includes('options') ? read[read.length - 1] : {};
      await ctx?.call?.begin(given, command.name);
      return /** @type {any} */ (declaration.run(ctx, ...read));
    },
  });
}

/** Adds a ticket to a command that can be confirmed. @param {Omit<Command, 'run'>} command */
const withTicket = (command) =>
  'confirm' in command.options
    ? { ...command, options: { ...command.options, ticket: TICKET } }
    : command;

/** @type {CommandOption} */
const TICKET = Object.freeze({
  check: {
    allowed: 'up to 100 letters, digits and signs, without spaces',
    schema: (/** @type {any} */ v) => v.pipe(v.string(), v.regex(/^[\x21-\x7e]{1,100}$/)),
  },
  description: "a ticket number for the journal and the server's log",
});

/**
 * Checks what the user gives, and fills in what is missing.
 * @param {Omit<Command, 'run'>} command
 * @param {unknown[]} args as the user gives them
 * @returns {unknown[]} what `run` gets behind the context
 * @throws {TuneError} TUNE-10001, TUNE-10002
 */
function readArguments(command, args) {
  const { name, takes, options } = command;
  checkCount(command, args);
  const read = OPTIONAL.has(takes[0]) ? withId(command, args) : args;
  const at = takes.length - (takes.includes('options') ? 1 : 0);
  const given = checkOptions(`tune.${name}`, checksOf(options), read[at]);
  if (at === takes.length) return takes.map((_, i) => read[i]);
  return [...takes.slice(0, at).map((_, i) => read[i]), withDefaults(options, given), given];
}

/**
 * JavaScript drops what a function does not take: `tune.bench("ycsb-a", { confirm: true })` would
 * run another benchmark than was meant.
 * @param {Pick<Command, 'name' | 'takes' | 'usage'>} command
 * @param {readonly unknown[]} args
 * @throws {TuneError} TUNE-10002
 */
function checkCount({ name, takes, usage }, args) {
  const extra = args.slice(takes.length).find((arg) => arg !== undefined);
  if (extra === undefined) return;
  throw new TuneError(
    'TUNE-10002',
    `tune.${name} takes ${COUNTS[takes.length]}, as in ${usage}; ${show(extra)} is an extra ` +
      'argument.',
    { value: extra, allowed: usage },
  );
}

const COUNTS = Object.freeze([
  'no argument',
  'one argument at most',
  'two arguments at most',
  'three arguments at most',
]);

/** The user may leave out these arguments where they come first. @type {ReadonlySet<string>} */
const OPTIONAL = new Set(['id', 'file']);

/**
 * Allows `tune.undo({ confirm: true })`, without an id. Any other value in its place is no id, and
 * must not be searched for.
 * @param {Pick<Command, 'name' | 'takes' | 'idsOf' | 'withoutId'>} command
 * @param {readonly unknown[]} args
 * @returns {unknown[]} the id or undefined, and the options
 * @throws {TuneError} TUNE-10002, TUNE-10004
 */
function withId(command, [id, options]) {
  const { name, takes, idsOf } = command;
  if (id === undefined || id === null) return withoutId(command, id, options);
  if (typeof id === 'string') return [id, options];
  if (typeof id === 'object' && !Array.isArray(id) && options === undefined) return [undefined, id];
  throw new TuneError(
    'TUNE-10002',
    `tune.${name}: the ${takes[0]} must be one ${takes[0] === 'id' ? 'shown' : 'made'} by ${idsOf}, ` +
      `not ${show(id)}.`,
    { value: id, allowed: `${takes[0] === 'id' ? 'an id' : 'a file'} of ${idsOf}` },
  );
}

/**
 * `tune.undo(r.id, { confirm: true })` of an `r` that changed nothing must not undo another change. A
 * file is only read.
 * @param {Pick<Command, 'name' | 'takes' | 'withoutId'>} command
 * @param {undefined | null} id
 * @param {unknown} options
 * @returns {unknown[]}
 * @throws {TuneError} TUNE-10004
 */
function withoutId({ name, takes, withoutId: does }, id, options) {
  if (options === undefined || takes[0] === 'file') return [undefined, options];
  const flags = Object.entries(Object(options)).filter(([, value]) => value === true);
  const call = callText(name, flags.length > 0 ? Object.fromEntries(flags) : undefined);
  const isConfirmed = flags.some(([flag]) => flag === 'confirm');
  throw new TuneError(
    'TUNE-10004',
    `tune.${name}: the id is ${id}, so nothing was done. ` +
      (does && isConfirmed ? `${call} ${does}.` : `Without an id, type ${call}.`),
    { value: id, allowed: call },
  );
}

/**
 * Makes the confirm option of every command that changes something.
 * @param {string} without what the command does without it
 * @returns {CommandOption}
 */
const confirmOption = (without) => ({
  check: flag(),
  default: false,
  description: `true runs it; without it ${without}`,
});

/** The check of each option. @param {Command['options']} options */
const checksOf = (options) =>
  Object.fromEntries(Object.entries(options).map(([name, { check }]) => [name, check]));

/**
 * The options, each with its default where it is not given.
 * @param {Command['options']} options
 * @param {Record<string, unknown>} given
 */
function withDefaults(options, given) {
  const filled = Object.assign(Object.create(null), given);
  for (const [name, option] of Object.entries(options))
    if (filled[name] === undefined) filled[name] = option.default;
  return filled;
}

/**
 * Says in words what holds when an option is not given; '' where there is nothing to say.
 * @param {CommandOption} option
 */
const defaultOf = ({ default: value, defaultText }) =>
  defaultText ?? (value === undefined ? '' : JSON.stringify(value));

/** An option as the help explains it. @param {CommandOption} option */
const describe = (option) =>
  [option.description, ...(defaultOf(option) === '' ? [] : [`(${defaultOf(option)})`])].join(' ');

module.exports = {
  defineCommand,
  confirmOption,
  checksOf,
  defaultOf,
  describe,
  GROUPS,
  OPTIONAL,
  SHOWN_BY,
};
