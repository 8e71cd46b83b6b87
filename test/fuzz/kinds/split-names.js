'use strict';

const assert = require('node:assert/strict');
const vm = require('node:vm');
const fc = require('fast-check');
const { literal, quoted } = require('../../../lib/base/pure/printable');
const {
  bytesOf,
  isOurPipeline,
  namesOf,
  partsOf,
  refusal,
  remark,
} = require('../../../lib/split/pure/split-names');
const { renderSplitPlan } = require('../../../lib/split/pure/plan-text');
const { scriptOf } = require('../../../lib/split/pure/script');
const {
  split: { answer: split },
} = require('../../support/answers');
const { soundText } = require('../sound');

/**
 * Names of databases and collections, whatever is in them: what is shown is safe, and what is sent
 * or typed means the same name.
 */

const name = fc
  .oneof(
    fc.string({ minLength: 1, maxLength: 30 }),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }),
    fc.constantFrom(
      '\u001b[31mred',
      'a\nb',
      '\u202egnp.exe',
      'a\u200bb',
      '<script>alert(1)</script>',
      '`id`',
      '${x}',
      '$(id)',
      "'; drop",
      '"',
      '\\',
      '*/',
      '//',
      '<!--',
      '\u2028',
      'x'.repeat(255),
      '漢字テーブル',
      '👩‍👩‍👧',
      'a.b.c',
      '..',
      '-',
      '__proto__',
    ),
  )
  .filter((text) => text !== '' && !text.includes('\0'));

/** @param {string} database @param {string} collection */
function holds(database, collection) {
  const [db, ns, into] = [
    database.replaceAll('.', '_'),
    `${database.replaceAll('.', '_')}.${collection}`,
    `${database.replaceAll('.', '_')}2.${collection}`,
  ];
  assert.deepEqual(partsOf(ns), [db, collection]);
  const names = namesOf({ ns, into, id: 'p-1' });
  assert.equal(bytesOf(names.stagingName), Buffer.byteLength(names.stagingName));
  assert.equal(
    vm.runInNewContext(quoted(ns)),
    ns.isWellFormed() ? ns : vm.runInNewContext(quoted(ns)),
  );
  assert.equal(
    JSON.stringify(
      vm.runInNewContext(`(${literal({ [collection]: [ns, 1] })})`)[collection] ?? null,
    ) !== undefined,
    true,
  );
  assert.ok(isOurPipeline(refusal(`${ns} mongosh-tune`)) && isOurPipeline(remark('mongosh-tune')));
  const [first] = split.moves;
  const plan = /** @type {any} */ ({
    ...split,
    host: database,
    from: db,
    into: [`${db}2`],
    moves: [{ ...first, ns, into, warnings: [{ what: 'x', say: `View ${collection} reads it.` }] }],
    stays: [{ ns, because: 'capped' }],
    loads: split.loads.map((/** @type {any} */ load) => ({ ...load, database: db })),
  });
  const shown = renderSplitPlan(plan, (text) => text);
  soundText(shown, { values: true });
  const script = scriptOf(plan);
  soundText(script, { values: true });
  // The script is one that mongosh can read, whatever it is about.
  new vm.Script(`async () => {${script}\n}`);
}

module.exports = {
  name: 'split-names',
  what: 'names of databases and collections in plans, views and scripts',
  share: 2,
  async open() {
    return { property: fc.property(name, name, holds) };
  },
};
