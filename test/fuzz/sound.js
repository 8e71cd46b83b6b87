'use strict';

const assert = require('node:assert/strict');

/** What no text may show: values that are none, and characters that a terminal acts upon. */

const NO_VALUE = /\bundefined\b|\bNaN\b|\bInfinity\b|\[object |(?<![\w.-])-0(?:\.0+)?(?![\w.,:-])/;
const ACTED_UPON =
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/;

/**
 * @param {string} text as it is printed without colour
 * @param {{ values?: boolean }} [options] `values`: what was given is quoted in it, so that such
 *   words mean nothing
 */
function soundText(text, { values = false } = {}) {
  const bad = ACTED_UPON.exec(text);
  assert.ok(
    bad === null,
    `it prints ${JSON.stringify(bad?.[0])}: ` +
      `${JSON.stringify(text.slice(Math.max(0, (bad?.index ?? 0) - 60), (bad?.index ?? 0) + 60))}`,
  );
  const none = values ? null : NO_VALUE.exec(text);
  assert.ok(
    none === null,
    `it says ${none?.[0]}: ` +
      `${JSON.stringify(text.slice(Math.max(0, (none?.index ?? 0) - 100), (none?.index ?? 0) + 60))}`,
  );
}

/** Every number in an answer is one. @param {unknown} value @param {string} [where] */
function soundNumbers(value, where = '') {
  if (typeof value === 'number')
    assert.ok(
      Number.isFinite(value) && !Object.is(value, -0),
      `${where} is ${Object.is(value, -0) ? '-0' : value}`,
    );
  else if (value !== null && typeof value === 'object' && !(value instanceof Date))
    for (const [name, one] of Object.entries(value)) soundNumbers(one, `${where}.${name}`);
}

module.exports = { soundText, soundNumbers };
