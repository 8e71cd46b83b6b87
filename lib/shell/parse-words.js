'use strict';

const { TuneError } = require('../base/pure/errors');

/**
 * @import { Entry } from '../../snippets/tune'
 */

/** @typedef {{ text: string, quoted: boolean }} Word */

const CLOSING = Object.freeze(
  /** @type {Record<string, string>} */ ({ '(': ')', '[': ']', '{': '}' }),
);

/**
 * `apply {cacheSizeGB: 2} --confirm` → its words. Blanks inside quotes and brackets belong to the
 * word, so that a WiredTiger configuration string needs no quotes.
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

/** @param {string} text */
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
 * The arguments of a command from the words behind its name.
 * @param {string} name @param {Entry} entry @param {readonly Word[]} words
 * @returns {unknown[]}
 */
function argumentsOf(name, entry, words) {
  const { flags, plain } = sortWords(entry, words);
  const args = entry.takes.map((kind) => {
    if (kind === 'options') return flags.options;
    if (kind === 'change') return flags.change ?? changeOf(name, entry, plain.shift());
    return plain.shift()?.text;
  });
  if (plain.length > 0) throw tooMany(name, entry, plain[0].text);
  if (!entry.takes.includes('options') && Object.keys(flags.options).length > 0) {
    throw new TuneError(
      'TUNE-10001',
      `tune ${name}: there is no option "${Object.keys(flags.options)[0]}".`,
      { value: Object.keys(flags.options)[0] },
    );
  }
  return args;
}

/** @param {string} name @param {Entry} entry @param {Word | undefined} word */
function changeOf(name, entry, word) {
  if (word === undefined) return undefined;
  if (!word.quoted && meant(entry, word.text) !== '') throw tooMany(name, entry, word.text);
  return valueOf(word);
}

/** @param {string} name @param {Entry} entry @param {string} text @returns {TuneError} */
const tooMany = (name, entry, text) =>
  new TuneError(
    'TUNE-10002',
    `tune ${name}: "${text}" is one word too many.${meant(entry, text)}`,
    { value: text, allowed: entry.usage },
  );

/**
 * `seconds=3` as other programs take it.
 * @param {Entry} entry
 * @param {string} text
 * @returns {string}
 */
function meant({ takes, options }, text) {
  const [, name, value] = /^(\w+)[=:](.*)$/s.exec(text) ?? [];
  const names = [
    ...options.map((option) => option.name),
    ...(takes.includes('change') ? require('../config/setting-table').SETTING_NAMES : []),
  ];
  return names.includes(name) ? ` Did you mean --${name}${value === '' ? '' : ` ${value}`}?` : '';
}

/** @param {Entry} entry @param {readonly Word[]} words */
function sortWords(entry, words) {
  /** @type {{ options: Record<string, unknown>, change?: Record<string, unknown> }} */
  const flags = { options: {} };
  /** @type {Word[]} */
  const plain = [];
  const queue = [...words];
  for (let word = queue.shift(); word; word = queue.shift()) {
    const [, no, flag, value] =
      (!word.quoted && /^--(no-)?([^=]+)(?:=(.*))?$/s.exec(word.text)) || [];
    if (flag === undefined) plain.push(word);
    else put(entry, flags, flag, no ? false : flagValue(entry, flag, value, queue));
  }
  return { flags, plain };
}

/**
 * @param {Entry} entry
 * @param {{ options: Record<string, unknown>, change?: Record<string, unknown> }} flags
 * @param {string} flag
 * @param {unknown} value
 */
function put(entry, flags, flag, value) {
  const setting =
    entry.takes.includes('change') && !entry.options.some(({ name }) => name === flag);
  if (setting) flags.change = { ...flags.change, [flag]: value };
  else flags.options[flag] = value;
}

/**
 * @param {Entry} entry
 * @param {string} flag
 * @param {string | undefined} value behind a "="
 * @param {Word[]} queue
 */
function flagValue(entry, flag, value, queue) {
  if (value !== undefined) return valueOf({ text: value, quoted: false });
  const isSwitch = entry.options.some(({ name, flag: yesNo }) => name === flag && yesNo);
  const next = queue[0];
  if (isSwitch || next === undefined || (!next.quoted && next.text.startsWith('--'))) return true;
  return valueOf(/** @type {Word} */ (queue.shift()));
}

/** @param {Word} word @returns {unknown} */
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

/** JSON whose keys need no quotes, and whose strings may have single ones. @param {string} text */
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

module.exports = { splitWords, argumentsOf };
