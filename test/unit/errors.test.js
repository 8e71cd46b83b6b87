'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { checkOptions, flag } = require('../../lib/base/pure/options');
const { sourceFiles } = require('../support/source-files');

const LIB = path.join(__dirname, '..', '..', 'lib');
/** These are about what was typed: whoever meets one must learn what to type. */
const TYPED = /new TuneError\(\s*'TUNE-(10002|10004|30008)'[^]*?\);/g;

describe('errors of what was typed', () => {
  it('each tells what is allowed', () => {
    const thrown = sourceFiles(LIB).flatMap((file) =>
      (fs.readFileSync(file, 'utf8').match(TYPED) ?? []).map((text) => [
        path.relative(LIB, file),
        text,
      ]),
    );
    assert.ok(thrown.length > 8);
    assert.deepEqual(
      thrown.filter(([, text]) => !/\ballowed\b/.test(text)),
      [],
    );
  });
  it('a command without options says so', () => {
    assert.throws(
      () => checkOptions('tune.rules', {}, 1),
      (error) =>
        error.code === 'TUNE-10002' &&
        /^\[TUNE-10002\] tune\.rules: it takes no options, not 1\./.test(error.message) &&
        error.allowed.length === 0,
    );
    assert.throws(
      () => checkOptions('tune.x', { confirm: flag() }, 1),
      /options must be an object such as \{ confirm \}, not 1\./,
    );
  });
  it('only what stands in the object itself is an option', () => {
    const table = { confirm: flag(), force: flag() };
    const inherited = Object.assign(Object.create({ confirm: true, other: 1 }), { force: true });
    assert.deepEqual({ ...checkOptions('tune.x', table, inherited) }, { force: true });
    assert.equal(checkOptions('tune.x', table, inherited).confirm, undefined);
    const answers = [false, true, 'yes'];
    const changing = {
      get force() {
        return answers.shift();
      },
    };
    assert.deepEqual({ ...checkOptions('tune.x', table, changing) }, { force: false });
    assert.equal(Object.getPrototypeOf(checkOptions('tune.x', table)), null);
  });
});
