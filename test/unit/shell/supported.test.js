'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const vm = require('node:vm');
const { whyNot } = require('../../../lib/shell/supported');
const enter = require('../../../lib/entry');
const { fakeState } = require('../../support/fake-shell');

const STATE = Symbol.for('@@mongosh.instanceState');
const INDEX = fs.readFileSync(path.join(__dirname, '../../../index.js'), 'utf8');

/** @param {object} more */
const state = (more = {}) => ({ ...fakeState(), ...more });
const says = (/** @type {string} */ version) => ({ shellApi: { version: () => version } });

describe('shell/supported', () => {
  for (const [what, shell, node, reason] of /** @type {[string, object, string, RegExp | null][]} */ ([
    ['the mongosh of a terminal', state(says('2.0.0')), '20.0.0', null],
    ['a newer one', state(says('10.1.0')), '30.1.0', null],
    ['one that does not tell its version', state(), '20.0.0', null],
    ['one whose version is no text', state({ shellApi: { version: () => 1 } }), '20.0.0', null],
    ['mongosh 1', state(says('1.10.6')), '20.0.0', /needs mongosh 2\.0 or newer, this one is 1\.10\.6/],
    ['Node.js 19', state(says('2.0.0')), '19.9.0', /Node\.js 20 or newer, this one has 19\.9\.0/],
    ['a VS Code playground, which has onPrint alone', state({ evaluationListener: { onPrint() {} } }), '20.0.0', /the mongosh of a terminal; the shells inside Compass, VS Code/],
    ['a program with mongosh inside that listens to nothing', state({ evaluationListener: undefined }), '20.0.0', /the mongosh of a terminal/],
    ['one without handlers for Ctrl-C', state({ interrupted: { isSet: () => false } }), '20.0.0', /the mongosh of a terminal/],
  ])) {
    it(what, () => (reason === null ? assert.equal(whyNot(shell, node), null) : assert.match(String(whyNot(shell, node)), reason)));
  }

  it('what is refused gets no tune, and an error that says why', () => {
    const shell = { [STATE]: state(says('1.10.6')) };
    assert.throws(() => enter(shell, { exports: {} }), /needs mongosh 2\.0 or newer/);
    assert.equal('tune' in shell, false);
  });
});

describe('index.js where it can not work', () => {
  /** What a shell prints that runs index.js with nothing around it but this. @param {object} around */
  function run(around) {
    /** @type {string[]} */ const printed = [];
    vm.runInNewContext(INDEX, { print: (/** @type {string} */ line) => printed.push(line), ...around }, { filename: 'index.js' });
    return printed;
  }

  it('the legacy mongo shell and the shell of Compass, which have no require, are told in one line', () => {
    assert.deepEqual(run({}), ['tune is not loaded: it needs mongosh 2.0 or newer, in a terminal']);
  });
  it('a legacy shell does not know globalThis either', () => {
    assert.deepEqual(run({ globalThis: undefined }), ['tune is not loaded: it needs mongosh 2.0 or newer, in a terminal']);
  });
  it('mongosh 1 is told with its version, and how to get rid of it', () => {
    const [first, second] = run({ require, __filename: require.resolve('../../../index.js'), module: {}, [STATE]: state(says('1.10.6')) });
    assert.equal(first, 'tune is not loaded: it needs mongosh 2.0 or newer, this one is 1.10.6');
    assert.match(second, /snippet\("uninstall","tune"\)/);
  });
  it('a browser, which has nothing to print with, gets the error', () => {
    assert.throws(() => vm.runInNewContext(INDEX, {}), /needs mongosh 2\.0 or newer, in a terminal/);
  });
});
