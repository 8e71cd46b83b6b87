'use strict';

const fc = require('fast-check');
const { keyTable } = require('../../lib/config/engine-keys');

/**
 * @import { Arbitrary } from 'fast-check'
 */

/**
 * Configuration strings: of keys that are known and of such that are not, with values of their
 * kind, at the edge of it and beside it, put together as WiredTiger wants it and as people get it
 * wrong.
 */

/** @typedef {Arbitrary<string>} Text */

const SETTINGS = [
  'cache_size',
  'eviction',
  'eviction_target',
  'eviction_trigger',
  'eviction_dirty_target',
  'eviction_dirty_trigger',
  'eviction_updates_target',
  'eviction_updates_trigger',
  'eviction_checkpoint_target',
];
const from = (/** @type {readonly string[]} */ ...list) => fc.constantFrom(...list);
const weighted = (/** @type {[number, Text][]} */ ...list) =>
  fc.oneof(...list.map(([weight, arbitrary]) => ({ weight, arbitrary })));

const number = weighted(
  [5, fc.nat(120).map(String)],
  [
    3,
    fc
      .tuple(
        fc.nat(4096),
        from('', 'B', 'K', 'M', 'G', 'T', 'P', 'KB', 'MB', 'GB', 'TB', 'k', 'm', 'gb', 'KMB', 'MM'),
      )
      .map((parts) => parts.join('')),
  ],
  [
    2,
    from(
      '0',
      '1',
      '-1',
      '2',
      '10',
      '20',
      '21',
      '30',
      '31',
      '99',
      '100',
      '101',
      '1M',
      '10T',
      '11T',
      '10TB',
      '1024K',
      '1048575',
      '1048576',
      '10995116277760',
      '10995116277761',
    ),
  ],
  [1, fc.bigInt(-(2n ** 65n), 2n ** 65n).map(String)],
  [
    1,
    from(
      '1.5G',
      '0x10',
      '1e9',
      '+5',
      '08',
      '5%',
      '1 G',
      '0-8',
      '--1',
      '-',
      '9223372036854775807',
      '9223372036854775808',
      '-9223372036854775808',
      '512é',
      '1_000',
      '１００',
    ),
  ],
);
const word = weighted(
  [
    3,
    from(
      'true',
      'false',
      'fast',
      'all',
      'none',
      'evict',
      'checkpoint',
      'read',
      'x',
      'yes',
      'on',
      'TRUE',
      'default',
    ),
  ],
  [2, fc.stringMatching(/^[a-z_.]{1,12}$/)],
  [1, fc.string({ maxLength: 8 })],
  [1, from('%p', './x', '/tmp', 'a-b', '_', '.')],
);
const quoted = fc
  .oneof(word, fc.string({ maxLength: 6 }), from('\\n', '\\q', '\\', '\\u0041', 'é', '\t'))
  .map((text) => `"${text}"`);

/** Where the engine accepts nearly anything else the same mistakes are met again and again. */
const joiner = weighted(
  [20, from(',')],
  [2, from(', ', ' ,', ',,', '\n', ',\t')],
  [1, from(' ', '', ';', '=', ':', ')', '"', '|')],
);
const equals = weighted(
  [20, from('=')],
  [2, from(':', ' = ', '= ', ' =')],
  [1, from('', '==', '=:', ':=', '::', '->')],
);
const open = weighted([10, from('(')], [1, from('[', '{', '((', '( ', '')]);
const close = weighted([10, from(')')], [1, from(']', '}', '))', ' )', '')]);

/** @param {string} version @returns {{ text: Text, key: Text }} */
function engineText(version) {
  const runtime = keyTable(version, 'runtime');
  const start = keyTable(version, 'start').names.filter(
    (name) => !name.includes('.') && !runtime.names.includes(name),
  );
  const top = runtime.names.filter((name) => !name.includes('.'));
  const below = (/** @type {string} */ category) =>
    runtime.names
      .filter((name) => name.startsWith(`${category}.`))
      .map((name) => name.slice(category.length + 1));
  const slip = fc
    .tuple(
      from(...runtime.names, ...start),
      fc.nat(30),
      from('', '_', 's', 'X', '-', '.', ' ', '"'),
    )
    .map(([name, at, put]) => name.slice(0, at) + put + name.slice(at + 1));
  const name = weighted(
    [8, from(...SETTINGS)],
    [6, from(...top)],
    [2, from(...start)],
    [2, slip],
    [1, from(...runtime.names)],
    [1, word],
    [1, number],
    [1, from(...top).map((text) => `"${text}"`)],
  );

  /** @param {readonly string[]} choices @returns {Text} */
  const list = (choices) => {
    const item = weighted(
      [6, from(...(choices.length > 0 ? choices : ['x']))],
      [1, word],
      [
        1,
        from(...(choices.length > 0 ? choices : ['x'])).chain((text) =>
          number.map((n) => `${text}:${n}`),
        ),
      ],
      [1, quoted],
    );
    return struct(
      fc.array(item, { maxLength: 3 }).chain((items) => joiner.map((by) => items.join(by))),
    );
  };
  const anything = weighted(
    [4, number],
    [3, word],
    [2, quoted],
    [1, from('')],
    [1, fc.string({ maxLength: 10 })],
    [1, from('()', '(x)', '(', ')')],
  );
  const truth = weighted(
    [6, from('true', 'false')],
    [2, from('0', '1', '2', '-1', 'yes', 'True')],
    [1, quoted],
  );
  /** Made once for each key: to make them anew takes most of the time. @type {Map<string, Text>} */
  const made = new Map();
  /** @param {string} full @returns {Text} */
  const valueOf = (full) => made.get(full) ?? made.set(full, makeValue(full)).get(full) ?? anything;
  /** @param {string} full @returns {Text} */
  const makeValue = (full) => {
    const definition = runtime.find(full);
    if (definition === null) return anything;
    if (definition.type === 'category')
      return weighted(
        [12, struct(entries(below(full).length > 0 ? from(...below(full)) : word, full))],
        [1, anything],
      );
    const fitting =
      { int: number, boolean: truth, list: list(definition.choices ?? []) }[definition.type] ??
      fc.oneof(word, quoted, ...(definition.choices ? [from(...definition.choices)] : []));
    return weighted([10, fitting], [1, anything]);
  };
  /** @param {Text} names @param {string} category @returns {Text} */
  const entries = (names, category) =>
    fc
      .array(
        names.chain((key) =>
          fc
            .tuple(equals, valueOf(category ? `${category}.${key}` : key))
            .chain(([by, value]) => weighted([15, from(`${key}${by}${value}`)], [1, from(key)])),
        ),
        { maxLength: 4, minLength: category ? 0 : 1 },
      )
      .chain((parts) => joiner.map((by) => parts.join(by)));
  const whole = entries(name, '');
  return {
    key: name,
    text: weighted(
      [12, whole],
      [6, whole.chain(bent)],
      [1, struct(whole)],
      [1, fc.string({ unit: from(...'=:,()[]{}"\\ abm1-_.\n'), maxLength: 30 })],
      [1, fc.string({ unit: 'binary', maxLength: 12 })],
    ),
  };
}

/** @param {Text} inner @returns {Text} */
const struct = (inner) => fc.tuple(open, inner, close).map((parts) => parts.join(''));

/** One to three slips of the pen. @param {string} text @returns {Text} */
const bent = (text) =>
  fc
    .array(
      fc.tuple(
        fc.nat(Math.max(0, text.length)),
        fc.nat(2),
        from(...'=:,()[]{}"\\ \n\tam1-.%#é\0'.split('')),
      ),
      { minLength: 1, maxLength: 3 },
    )
    .map((slips) =>
      slips.reduce(
        (made, [at, less, put]) => made.slice(0, at) + put + made.slice(at + less),
        text,
      ),
    );

module.exports = { engineText };
