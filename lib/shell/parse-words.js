'use strict';

const { OPTIONAL } = require('../base/pure/command');
const { TuneError } = require('../base/pure/errors');

/**
 * @import { Command } from '../base/pure/command'
 */

/** @typedef {{ text: string, quoted: boolean }} Word */

const CLOSING = Object.freeze(
  /** @type {Record<string, string>} */ ({ '(': ')', '[': ']', '{': '}' }),
);

/**
 * Divides `apply {cacheSizeGB: 2} --confirm` into its words. Blanks inside quotes and brackets
 * belong to the word, so that a WiredTiger configuration string needs no quotes.
 * @param {string} line
 * @returns {Word[]}
 */
function splitWords(line) {
  /** @type {Word[]} */
  const words = [];
  let rest = line.trim().replace(/;$/, '').trimEnd();
  while (rest !== '') {
    const quoted = /^"([^"]*)"(?=\s|$)|^'([^']*)'(?=\s|$)/.exec(rest);
    const length = quoted ? quoted[0].length : wordLength(rest);
    words.push({
      text: quoted ? (quoted[1] ?? quoted[2]) : rest.slice(0, length),
      quoted: Boolean(quoted),
    });
    rest = rest.slice(length).trimStart();
  }
  return words;
}

/** Finds the end of the first word. @param {string} text */
function wordLength(text) {
  /** @type {string[]} */
  const open = [];
  for (let i = 0; i < text.length; i++) {
    if (open.length === 0 && /\s/.test(text[i])) return i;
    if (CLOSING[text[i]]) open.push(CLOSING[text[i]]);
    else if (text[i] === open.at(-1)) open.pop();
  }
  return text.length;
}

/**
 * Makes the arguments of a command from the words behind its name.
 * @param {Command} command
 * @param {readonly Word[]} words
 * @returns {unknown[]}
 * @throws {TuneError} TUNE-10001, TUNE-10002
 */
function argumentsOf(command, words) {
  const { flags, plain } = sortWords(command, words);
  const args = command.takes.flatMap((kind) => {
    if (kind === 'options') return [flags.options];
    if (kind === 'change') return [flags.change ?? changeOf(command, plain.shift())];
    return OPTIONAL.has(kind) && plain.length === 0 ? [] : [plain.shift()?.text];
  });
  if (plain.length > 0) throw tooMany(command, plain[0].text);
  const [option] = Object.keys(flags.options);
  if (!command.takes.includes('options') && option !== undefined)
    throw new TuneError(
      'TUNE-10001',
      `tune ${command.name.replaceAll('.', ' ')}: there is no option "${option}".`,
      { value: option },
    );
  return args;
}

/**
 * Reads the words in the place of a change.
 * @param {Command} command
 * @param {Word | undefined} word
 */
function changeOf(command, word) {
  if (word === undefined) return undefined;
  if (!word.quoted && meant(command, word.text) !== '') throw tooMany(command, word.text);
  return valueOf(word);
}

/**
 * Makes the error for a word that has no place.
 * @param {Command} command
 * @param {string} text
 * @returns {TuneError}
 */
const tooMany = (command, text) =>
  new TuneError(
    'TUNE-10002',
    `tune ${command.name.replaceAll('.', ' ')}: "${text}" is one word too many.` +
      meant(command, text),
    { value: text, allowed: command.usage },
  );

/**
 * Suggests the spelling of tune for `seconds=3`, which other programs accept.
 * @param {Command} command
 * @param {string} text
 * @returns {string}
 */
function meant(command, text) {
  const [, name, value] = /^(\w+)[=:](.*)$/s.exec(text) ?? [];
  return flagsOf(command).includes(name)
    ? ` Did you mean --${name}${value === '' ? '' : ` ${value}`}?`
    : '';
}

/** Lists the names that may stand behind "--". @param {Command} command @returns {string[]} */
const flagsOf = ({ takes, options }) => [
  ...(takes.includes('change') ? require('../config/setting-table').SETTING_NAMES : []),
  ...Object.keys(options),
];

/** @typedef {{ options: Record<string, unknown>, change?: Record<string, unknown> }} Flags */

/**
 * Separates the words with "--" from the others.
 * @param {Command} command
 * @param {readonly Word[]} words
 */
function sortWords(command, words) {
  /** @type {Flags} */
  const flags = { options: {} };
  /** @type {Word[]} */
  const plain = [];
  const queue = [...words];
  for (let word = queue.shift(); word; word = queue.shift()) {
    const [, no, flag, value] =
      (!word.quoted && /^--(no-)?([^=]+)(?:=(.*))?$/s.exec(word.text)) || [];
    if (flag === undefined) plain.push(word);
    else put(command, flags, flag, no ? false : flagValue(command, flag, value, queue));
  }
  return { flags, plain };
}

/**
 * Stores a flag: a command that takes a change reads an unknown option as a setting.
 * @param {Command} command
 * @param {Flags} flags
 * @param {string} flag
 * @param {unknown} value
 */
function put({ takes, options }, flags, flag, value) {
  if (takes.includes('change') && !Object.hasOwn(options, flag))
    flags.change = { ...flags.change, [flag]: value };
  else flags.options[flag] = value;
}

/**
 * Finds the value of a flag: behind "=", or the next word unless the flag is a switch.
 * @param {Command} command
 * @param {string} flag
 * @param {string | undefined} value the text behind a "="
 * @param {Word[]} queue
 */
function flagValue({ options }, flag, value, queue) {
  if (value !== undefined) return valueOf({ text: value, quoted: false });
  const next = queue[0];
  const isSwitch = options[flag]?.check.isSwitch && !/^(?:true|false)$/.test(next?.text);
  if (isSwitch || next === undefined || (!next.quoted && next.text.startsWith('--'))) return true;
  return valueOf(/** @type {Word} */ (queue.shift()));
}

/** A word as a value. @param {Word} word @returns {unknown} */
function valueOf({ text, quoted }) {
  if (quoted) return text;
  const plain = new Map(
    /** @type {[string, unknown][]} */ ([
      ['true', true],
      ['false', false],
      ['null', null],
    ]),
  );
  if (plain.has(text)) return plain.get(text);
  if (/^[-+]?(\d|\.\d)/.test(text) && Number.isFinite(Number(text))) return Number(text);
  return /^[[{]/.test(text) ? looseJson(text) : text;
}

/**
 * Parses JSON whose keys need no quotes, and whose strings may have single ones.
 * @param {string} text
 */
function looseJson(text) {
  try {
    return JSON.parse(
      text.replace(/'([^']*)'/g, '"$1"').replace(/([{,]\s*)([A-Za-z_]\w*)\s*:/g, '$1"$2":'),
    );
  } catch (cause) {
    throw new TuneError('TUNE-10002', `"${text}" cannot be read as a value.`, {
      value: text,
      allowed: '{ name: value, … }',
      cause,
    });
  }
}

module.exports = { splitWords, argumentsOf, flagsOf };
