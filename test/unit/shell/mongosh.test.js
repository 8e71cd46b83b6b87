'use strict';

const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const vm = require('node:vm');
const os = require('node:os');
const { whyNot, isOldNode, defaultHome, findState } = require('../../../lib/shell/mongosh');
const enter = require('../../../lib/entry');
const tune = require('../../..');
const { fakeState } = require('../../support/fake-shell');

const STATE = Symbol.for('@@mongosh.instanceState');
const INDEX = fs.readFileSync(path.join(__dirname, '../../../index.js'), 'utf8');

/** @param {object} more */
const state = (more = {}) => ({ ...fakeState(), ...more });
const says = (/** @type {string} */ version) => ({ shellApi: { version: () => version } });

describe('shell/mongosh: what is supported', () => {
  for (const [
    what,
    shell,
    node,
    reason,
  ] of /** @type {[string, object, string, RegExp | null][]} */ ([
    ['the mongosh of a terminal', state(says('2.0.0')), '20.0.0', null],
    ['a newer one', state(says('10.1.0')), '30.1.0', null],
    ['one that does not report its version', state(), '20.0.0', null],
    ['one whose version is no text', state({ shellApi: { version: () => 1 } }), '20.0.0', null],
    [
      'mongosh 1',
      state(says('1.10.6')),
      '20.0.0',
      /needs mongosh 2\.0 or newer, this one is 1\.10\.6/,
    ],
    [
      'mongosh 1 with the Node.js inside it',
      state(says('1.10.6')),
      '16.20.2',
      /needs mongosh 2\.0 or newer, this one is 1\.10\.6/,
    ],
    ['Node.js 19', state(says('2.0.0')), '19.9.0', /Node\.js 20 or newer, this one has 19\.9\.0/],
    [
      'a VS Code playground, which has onPrint alone',
      state({ evaluationListener: { onPrint() {} } }),
      '20.0.0',
      /the mongosh of a terminal; the shells inside Compass, VS Code/,
    ],
    [
      'a program with mongosh inside that listens to nothing',
      state({ evaluationListener: undefined }),
      '20.0.0',
      /the mongosh of a terminal/,
    ],
    [
      'one without handlers for Ctrl-C',
      state({ interrupted: { isSet: () => false } }),
      '20.0.0',
      /the mongosh of a terminal/,
    ],
  ])) {
    it(what, () =>
      reason === null
        ? assert.equal(whyNot(shell, node), null)
        : assert.match(String(whyNot(shell, node)), reason),
    );
  }

  it('what is refused gets no tune, and an error that says why', () => {
    const shell = { [STATE]: state(says('1.10.6')) };
    assert.throws(() => enter(shell, { exports: {} }), /needs mongosh 2\.0 or newer/);
    assert.equal('tune' in shell, false);
  });
});

describe('a script of the runbook in mongosh 1', () => {
  it('says in one line why it cannot run, and ends with 3', () => {
    const shell =
      'globalThis[Symbol.for("@@mongosh.instanceState")] = { shellApi: { version: () => ' +
      '"1.10.6" } }; globalThis.quit = (code) => process.exit(code);';
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [
        '-e',
        `${shell} require(${JSON.stringify(path.join(__dirname, '../../../snippets/check.js'))})`,
      ],
      { encoding: 'utf8' },
    );
    assert.deepEqual([status, stderr], [3, '']);
    assert.match(
      stdout,
      /^TUNE UNKNOWN - \[TUNE-40009\] check\.js cannot run here: it needs mongosh 2\.0 or newer, this one is 1\.10\.6\. .*\n$/,
    );
  });
});

describe('the Node.js of a program', () => {
  const provider = { getNewConnection() {} };
  for (const [node, connection, isOld] of /** @type {[string, object | null, boolean][]} */ ([
    ['16.20.2', {}, true],
    ['18.20.8', null, true],
    ['20.18.3', {}, true],
    ['20.19.0', {}, false],
    ['20.19.0', null, false],
    ['24.9.0', {}, false],
    ['19.9.0', provider, true],
    ['20.5.1', provider, false],
  ])) {
    it(
      `${node} ${connection === provider ? 'in a mongosh ' : ''}is ` +
        `${isOld ? 'too old' : 'new enough'}`,
      () => assert.equal(isOldNode(connection, node), isOld),
    );
  }

  it('is asked for by package.json as well', () => {
    const { engines } = require('../../../package.json');
    const asked = engines.node.replace('>=', '');
    assert.deepEqual([isOldNode({}, `${asked}.0`), isOldNode({}, '20.18.99')], [false, true]);
  });

  it('that is too old gets no tune, and an error that says which is needed', () => {
    const original = /** @type {PropertyDescriptor} */ (
      Object.getOwnPropertyDescriptor(process.versions, 'node')
    );
    Object.defineProperty(process.versions, 'node', { ...original, value: '18.20.8' });
    try {
      assert.throws(() => tune(null), {
        code: 'TUNE-40009',
        message:
          '[TUNE-40009] This is Node.js 18.20.8. mongosh-tune needs mongosh 2.0 or later in a ' +
          'terminal, or Node.js 20.19 or later.',
      });
    } finally {
      Object.defineProperty(process.versions, 'node', original);
    }
  });
});

describe('index.js where it cannot work', () => {
  /**
   * What a shell prints that runs index.js with nothing around it but this.
   * @param {object} around
   */
  function run(around) {
    /** @type {string[]} */ const printed = [];
    vm.runInNewContext(
      INDEX,
      { print: (/** @type {string} */ line) => printed.push(line), ...around },
      { filename: 'index.js' },
    );
    return printed;
  }

  it('the legacy mongo shell and the shell of Compass, which have no require, are told in one line', () => {
    assert.deepEqual(run({}), ['tune is not loaded: it needs mongosh 2.0 or newer, in a terminal']);
  });
  it('a legacy shell does not know globalThis either', () => {
    assert.deepEqual(run({ globalThis: undefined }), [
      'tune is not loaded: it needs mongosh 2.0 or newer, in a terminal',
    ]);
  });
  it('mongosh 1 is told with its version, and how to get rid of it', () => {
    const [first, second] = run({
      require,
      __filename: require.resolve('../../../index.js'),
      module: {},
      [STATE]: state(says('1.10.6')),
    });
    assert.equal(first, 'tune is not loaded: it needs mongosh 2.0 or newer, this one is 1.10.6');
    assert.match(second, /snippet\("uninstall","tune"\)/);
  });
  it('a browser, which has nothing to print with, gets the error', () => {
    assert.throws(
      () => vm.runInNewContext(INDEX, {}),
      /needs mongosh 2\.0 or newer, in a terminal/,
    );
  });
});

describe('shell/mongosh: the home of the journal', () => {
  it('is what MONGOSH_TUNE_HOME says, made absolute', () => {
    assert.equal(
      defaultHome({ MONGOSH_TUNE_HOME: 'x', HOME: '/home/u' }, 'linux'),
      path.resolve('x'),
    );
  });
  it("lies beside mongosh's own folder", () => {
    assert.equal(defaultHome({ HOME: '/home/u' }, 'linux'), '/home/u/.mongodb/mongosh-tune');
    assert.equal(
      defaultHome({ HOME: '', LOCALAPPDATA: '/x' }, 'linux'),
      path.join(os.homedir(), '.mongodb/mongosh-tune'),
    );
  });
  it('lies in LOCALAPPDATA on Windows', () => {
    assert.equal(
      defaultHome({ LOCALAPPDATA: '/users/u/local', HOME: '/home/u' }, 'win32'),
      '/users/u/local/mongodb/mongosh-tune',
    );
    assert.equal(defaultHome({ HOME: '/home/u' }, 'win32'), '/home/u/.mongodb/mongosh-tune');
  });
});

describe('shell/mongosh: its state', () => {
  const state = {};
  it('is found by its symbol, or the older way, or not at all', () => {
    assert.equal(findState({ [Symbol.for('@@mongosh.instanceState')]: state }), state);
    assert.equal(findState({ config: { _instanceState: state } }), state);
    assert.equal(findState({ config: {} }), undefined);
    assert.equal(findState(undefined), undefined);
  });
  it('never touches db', () => {
    assert.equal(
      findState({
        get db() {
          throw new Error('touched');
        },
      }),
      undefined,
    );
  });
});
