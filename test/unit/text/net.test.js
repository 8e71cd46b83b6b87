'use strict';

const assert = require('node:assert/strict');
const { inspect } = require('node:util');
const { listReport, report } = require('../../../lib/text/report');

/**
 * @import { Ink } from '../../../lib/base/types'
 */

/**
 * Names are written out where they are put into a text; this is what is below, should one be
 * forgotten.
 */
describe('what prints', () => {
  const hostile = 'a\u001b[31mb\u202ec\u200bd';
  const sample = (/** @type {string} */ text) => (/** @type {Ink} */ ink) =>
    `${ink(text, 'strong')}\n\tnext`;

  for (const colors of [true, false]) {
    it(`shows what a terminal acts upon, and keeps lines and tabs (colours: ${colors})`, () => {
      for (const made of [
        report({}, sample(hostile)),
        listReport([], sample(hostile)),
        report({}, sample(hostile), { verbatim: true }),
      ]) {
        assert.equal(inspect(made, { colors }), 'a\\u001b[31mb\\u202ec\\u200bd\n\tnext');
        assert.equal(String(made), 'a\\u001b[31mb\\u202ec\\u200bd\n\tnext');
      }
    });
  }
  it('has colours only there', () => {
    const shown = inspect(
      report({}, (ink) => ink('name', 'good')),
      { colors: true },
    );
    assert.match(shown, /^\u001b\[\d+mname\u001b\[\d+m$/);
    assert.equal(String(report({}, (ink) => ink('name', 'good'))), 'name');
  });
});
