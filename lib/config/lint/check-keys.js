'use strict';

const { scan } = require('../scanner');
const { printEngineConfig } = require('../engine-config');
const { SETTINGS, SETTING_NAMES } = require('../setting-table');
const { nearest } = require('../../base/pure/nearest');
const { checkValue } = require('./check-value');
const { error, warning } = require('./problem');

/**
 * @import { KeyTable } from '../engine-keys'
 * @import { Item, Pair } from '../scanner'
 * @import { Problem } from './problem'
 */

/**
 * Checks keys, kinds and ranges as WiredTiger does before it changes anything
 * (src/config/config_check.c).
 * @typedef {{
 *   table: KeyTable, other: KeyTable, at: 'runtime' | 'start', version: string, whole: string
 * }} Rules `table`: the keys of this moment; `other`: those of the other one; `whole`: the complete
 *   string
 */

/** @param {Rules} rules @returns {Problem[]} */
const checkKeys = (rules) => checkPart(rules, { text: rules.whole, offset: 0, prefix: '' });

/**
 * @param {Rules} rules
 * @param {{ text: string, offset: number, prefix: string }} part
 * @returns {Problem[]}
 */
function checkPart(rules, { text, offset, prefix }) {
  const { pairs, problem, ignoredFrom, openQuote } = scan(text, offset);
  return [
    ...pairs.flatMap((pair) => checkPair(rules, pair, prefix)),
    ...twice(pairs, prefix),
    ...(problem
      ? [
          error(
            null,
            problem.position,
            `WiredTiger cannot read this: ${problem.say}`,
            syntaxHelp(problem.say),
          ),
        ]
      : []),
    ...(ignoredFrom !== null
      ? [
          warning(
            null,
            ignoredFrom,
            'Text after the bracket around the whole string is ignored',
            'Remove the outer bracket.',
          ),
        ]
      : []),
    ...(openQuote !== null
      ? [
          error(
            null,
            openQuote,
            'This quote is not closed: a running server accepts it, then rejects every later ' +
              'setting until a restart',
            'Close the quote.',
          ),
        ]
      : []),
  ];
}

/** @param {string} say */
function syntaxHelp(say) {
  if (say.startsWith('unbalanced')) return 'Add the missing closing bracket.';
  return say.startsWith('a new value')
    ? 'Put a comma between two settings; a number and its unit are written together.'
    : 'Write key=value,key=(key=value,…).';
}

/**
 * @param {Rules} rules
 * @param {Pair} pair
 * @param {string} prefix
 * @returns {Problem[]}
 */
function checkPair(rules, { key, value }, prefix) {
  if (key.kind !== 'id' && key.kind !== 'string')
    return [
      error(
        null,
        key.position,
        `${JSON.stringify(key.text)} is in the place of a key`,
        'Write key=value.',
      ),
    ];
  const name = prefix + key.text;
  if (key.text.includes('.')) return [dotted(name, key)];
  const definition = rules.table.find(name);
  if (definition === null) return [unknownKey(rules, { name, value, position: key.position })];
  return [
    ...(definition.certain
      ? []
      : [
          warning(
            name,
            key.position,
            `Only some releases of the ${rules.version} series support ${name}`,
            'Try it on a test server of exactly this release.',
          ),
        ]),
    ...(key.kind === 'string'
      ? [
          warning(
            name,
            key.position - 1,
            `The quotes around ${key.text} make it a second key; the next change of any key ` +
              'restores the old value',
            `Write ${key.text} without quotes.`,
          ),
        ]
      : []),
    ...(definition.type === 'category'
      ? checkCategory(rules, { key, value }, name)
      : checkValue({ name, key, value, definition, version: rules.version, at: rules.at })),
  ];
}

/**
 * @param {Rules} rules
 * @param {{
 *   name: string, value: Item | null, position: number
 * }} given
 * @returns {Problem}
 */
function unknownKey(rules, { name, value, position }) {
  const { table, other, version } = rules;
  if (other.find(name) === null) {
    const belongs = inCategory(table, name, value?.text ?? '…');
    if (belongs) return error(name, position, `${name} belongs in brackets`, `Write ${belongs}.`);
    const like = nearest(name, table.names);
    const make = table.beyond && !like ? warning : error;
    return make(
      name,
      position,
      `WiredTiger in MongoDB ${version} does not support the key ` +
        `${name}${table.beyond ? ', as far as is known' : ''}`,
      like ? `Did you mean ${like}?` : siblings(table, name),
    );
  }
  // In every release each key of the running server can be given at start, too.
  return error(
    name,
    position,
    `${name} is start-up only`,
    'Set it in storage.wiredTiger.engineConfig.configString of mongod.conf.',
    'runtime',
  );
}

/** @param {string} name @param {Item} key */
function dotted(name, key) {
  const [category, ...rest] = key.text.split('.');
  return error(
    name,
    key.position,
    `WiredTiger does not accept dotted keys such as ${key.text}`,
    `Write ${category}=(${rest.join('.')}=…).`,
  );
}

/**
 * Shows a key inside the category that it was taken out of.
 * @param {KeyTable} table
 * @param {string} name
 * @param {string} value
 * @returns {string} `eviction=(threads_max=8)`, or ""
 */
function inCategory(table, name, value) {
  const known = table.names.filter((key) => key.endsWith(`.${name}`));
  // The user means eviction.threads_max, not the key of the same name for tiered storage, which
  // mongod does not use.
  const ours = known.filter((key) =>
    SETTING_NAMES.some((setting) => SETTINGS[setting].key === key),
  );
  return (ours.length > 0 ? ours : known)
    .map((key) => printEngineConfig([[key, value]]))
    .join(' or ');
}

/** @param {KeyTable} table @param {string} name */
function siblings(table, name) {
  const category = name.split('.')[0];
  return name.includes('.') && table.find(category)
    ? `${category} has: ${inside(table, category)}.`
    : 'Remove it.';
}

/** @param {KeyTable} table @param {string} category */
const inside = (table, category) =>
  table.names
    .filter((name) => name.startsWith(`${category}.`))
    .map((name) => name.slice(category.length + 1))
    .join(', ');

/**
 * Checks the form of a category. WiredTiger reads it from one character after its name on, so that
 * spaces around the `=` and quotes make it read the wrong place. A category without a value makes
 * it read on to the end of the whole string. A name alone at that end is worse: WiredTiger reads
 * the memory behind the string, so that 6.0.5 took some of the same strings and refused others.
 * @param {Rules} rules
 * @param {Pair} pair
 * @param {string} name
 * @returns {Problem[]}
 */
function checkCategory(rules, { key, value }, name) {
  const from = key.position + key.text.length + 1;
  const length = value === null || value.text === '' ? rules.whole.length : value.text.length;
  const inner = checkPart(rules, {
    text: rules.whole.slice(from, from + length),
    offset: from,
    prefix: `${name}.`,
  });
  if (value?.kind === 'struct' && value.position === from) return inner;
  const isAlone = value === null && !/^\s*[=:]/.test(rules.whole.slice(from - 1));
  if (!isAlone && inner.every(({ level }) => level === 'warning')) return inner;
  return [
    error(
      name,
      key.position,
      notReadable(name, value),
      `Write ${key.text}=(…), without spaces around "=" and without quotes.`,
    ),
  ];
}

/** @param {string} name @param {Item | null} value */
function notReadable(name, value) {
  if (value?.kind === 'struct')
    return (
      `WiredTiger reads ${name} from the wrong place when anything but "=" is between it ` +
      'and its bracket'
    );
  return (
    `${name} needs its settings in ` +
    `brackets${value?.text ? `, not ${JSON.stringify(value.text)}` : ''}`
  );
}

/**
 * @param {readonly Pair[]} pairs
 * @param {string} prefix
 * @returns {Problem[]}
 */
function twice(pairs, prefix) {
  return pairs
    .filter(
      ({ key, value }, i) =>
        value?.kind !== 'struct' &&
        pairs.slice(0, i).some((earlier) => earlier.key.text === key.text),
    )
    .map(({ key }) =>
      warning(
        prefix + key.text,
        key.position,
        `${prefix}${key.text} is given twice; the last one counts`,
        'Keep one of them.',
      ),
    );
}

module.exports = { checkKeys };
