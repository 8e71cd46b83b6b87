'use strict';

const assert = require('node:assert/strict');
const fc = require('fast-check');
const { engineText } = require('../engine-text');
const { soundText } = require('../sound');
const { lintString } = require('../../../lib/config/lint/lint-string');
const { settingsIn } = require('../../../lib/config/config-layers');
const { settingsOf } = require('../../../lib/config/change');
const { SETTINGS } = require('../../../lib/config/setting-table');
const { configStringOf } = require('../../../lib/config/engine-config');
const { renderLint } = require('../../../lib/config/lint/lint-text');

/**
 * @import { Problem } from '../../../lib/config/lint/problem'
 */

/** What the linter says of configuration strings, without a server; the kind `engine` asks one. */

const VERSIONS = ['4.4.29', '5.0.4', '6.0.5', '7.0.21', '8.0.10', '8.2.0', '9.0.0'];
const ROOM = ',cache_overhead=8';

/**
 * @param {readonly Problem[]} problems
 * @param {string} at
 */
const refused = (problems, at) =>
  problems.some(({ level, when }) => level === 'error' && (at === 'start' || when !== 'start'));

/** @param {string} text @param {'runtime' | 'start'} at @param {string} version */
function holds(text, at, version) {
  const problems = lintString(text, { version, at });
  for (const { position, say, todo } of problems) {
    assert.ok(
      position === null || (Number.isInteger(position) && position >= 0 && position <= text.length),
      `position ${position}`,
    );
    assert.ok(say.length > 0 && todo.length > 0);
  }
  soundText(
    renderLint(
      {
        ok: !refused(problems, at),
        problems: problems.map((problem) => ({ ...problem, line: 1 })),
        version,
        kind: 'string',
        file: null,
      },
      text,
      (plain) => plain,
    ),
    { values: true },
  );
  if (refused(problems, at)) return;
  const change = settingsIn(text);
  for (const setting of settingsOf(change))
    assert.ok(
      Number(change[setting]) >= SETTINGS[setting].min &&
        Number(change[setting]) <= Math.max(SETTINGS[setting].max, 64),
      `${setting} ${change[setting]} is accepted`,
    );
  // What is accepted can be written anew, and what is no key stays none behind it.
  assert.deepEqual(settingsIn(configStringOf(change)), change);
  // A category without a value, or with an empty one, reads what is behind it, and so does a value
  // without a key.
  if (
    problems.length === 0 &&
    /^[a-z]/.test(text) &&
    !/(?:^|,)\s*\w+\s*[=:]?\s*(?:""\s*)?(?:,|$)|,\s*[=:]/.test(text)
  ) {
    assert.equal(
      refused(lintString(`${text}${ROOM}`, { version, at }), at),
      false,
      'a further setting makes it wrong',
    );
    assert.equal(
      refused(lintString(`${text},no_such_key=1`, { version, at }), at),
      version < '8.2',
      'a key that is none is accepted',
    );
  }
}

module.exports = {
  name: 'config',
  what: 'configuration strings through the linter',
  share: 33,
  async open() {
    const texts = Object.fromEntries(
      VERSIONS.map((version) => [version, engineText(version).text]),
    );
    const given = fc
      .constantFrom(...VERSIONS)
      .chain((version) =>
        fc.tuple(
          texts[version],
          fc.constantFrom(/** @type {const} */ ('runtime'), 'start'),
          fc.constant(version),
        ),
      );
    return { property: fc.property(given, ([text, at, version]) => holds(text, at, version)) };
  },
};
