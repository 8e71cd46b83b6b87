'use strict';

const assert = require('node:assert/strict');

/**
 * Names as somebody may give them to databases, collections, indexes, hosts, replica sets, users
 * and applications.
 */
const HOSTILE = Object.freeze(
  /** @type {Record<string, string>} */ ({
    'a colour': '\u001b[31mred\u001b[0m',
    'a colour of the upper half': '\u009b31mred',
    'a new line': 'shop\nINJECTED all is well',
    'a carriage return': 'shop\r\u001b[2KINJECTED',
    'a tab and a bell': 'a\tb\u0007',
    'a title of the window': '\u001b]0;owned\u0007',
    'a turned direction': '\u202egnp.exe',
    'no room': 'zero\u200bwidth\u2060\ufeff',
    'separators of lines': 'a\u2028INJECTED\u2029b',
    'a tag of HTML': '<script>alert(1)</script><img src=x onerror=alert(1)>',
    'a closing script': '</script>--><!--',
    'backticks and dollars': '`id` $(id) ${HOME} $&',
    quotes: '"\'\\"; rm -rf x; \'',
    'a comment': '*/ // # --',
    '255 bytes': 'x'.repeat(255),
    'wide letters': '漢字テーブル'.repeat(12),
    pictures: '🐘👩\u200d👩\u200d👧🇩🇪',
    'a word of JavaScript': '__proto__',
    blanks: '  a   b  ',
    'half a character': 'a\ud800b',
  }),
);

/**
 * As model/visible has it, written apart from it. New lines are looked for by what stands behind
 * them.
 */
const ACTED_UPON =
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

/** Words that programs read, not people: another one would be another answer. */
const KEPT = new Set([
  'rule',
  'status',
  'area',
  'kind',
  'verdict',
  'setting',
  'metric',
  'metrics',
  'order',
  'outcome',
  'action',
  'phase',
  'mode',
  'method',
  'reads',
  'ended',
  'level',
  'by',
  'balancedBy',
  'worthIt',
  'source',
  'bottleneck',
  'effective',
  'from.kind',
  'role',
  'tone',
  'keep',
  'found',
  'what',
  'series',
  'key',
  'area.id',
  'state',
  'workload',
  'conf',
  'route', // of several lines, made by printYaml and by us
]);

/**
 * A value with the hostile text in every place where a name or a sentence may stand.
 * @param {any} value @param {string} hostile @param {string} [key] @returns {any}
 */
function poisoned(value, hostile, key = '') {
  if (typeof value === 'string') return KEPT.has(key) ? value : `${value.slice(0, 12)}${hostile}`;
  if (Array.isArray(value)) return value.map((one) => poisoned(one, hostile, key));
  if (
    value === null ||
    typeof value !== 'object' ||
    value instanceof Date ||
    typeof value.pipe === 'function'
  )
    return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, poisoned(one, hostile, name)]),
  );
}

/** @param {string} text as a terminal would get it without colours */
function assertHarmless(text) {
  const at = ACTED_UPON.exec(text);
  assert.equal(
    at === null ? null : JSON.stringify(text.slice(Math.max(0, at.index - 50), at.index + 50)),
    null,
    'it prints what a terminal acts upon',
  );
  assert.doesNotMatch(text, /^\W*INJECTED/m, 'a name begins a line of its own');
}

module.exports = { HOSTILE, poisoned, assertHarmless };
