'use strict';

const assert = require('node:assert/strict');
const { inspect } = require('node:util');
const { install } = require('../../../lib/shell/install');
const { fakeState } = require('../../support/fake-shell');
const { listed } = require('../../support/listed');

const SIGNATURES = '@@@mdb.signatures@@@';
const STATE = Symbol.for('@@mongosh.instanceState');
const TABLE = {
  echo: listed(async (_ctx, ...args) => args, { name: 'echo', takes: ['change'] }),
  status: listed(async () => 1, { name: 'status' }),
  text: listed(async (_ctx, ...args) => args, { name: 'text', takes: ['text'] }),
};

function makeShell(more = {}) {
  const state = fakeState();
  return { [STATE]: state, help: Object.assign(() => "mongosh's own", { own: true }), ...more };
}
const words = (shell, line) => shell[STATE].shellApi.tune(line);

describe('shell/install', () => {
  it('puts tune into the shell, and the user may overwrite it', () => {
    const shell = makeShell();
    assert.equal(install(shell, TABLE), shell.tune);
    shell.tune = 1;
    assert.equal(shell.tune, 1);
  });

  it('finds the state the older way', async () => {
    const shell = { config: { _instanceState: fakeState() } };
    assert.deepEqual(await install(shell, TABLE).echo(1), [1]);
  });

  it('refuses a Node.js that is too old, saying which it needs', () => {
    const original = Object.getOwnPropertyDescriptor(process.versions, 'node');
    Object.defineProperty(process.versions, 'node', { ...original, value: '18.20.8' });
    try {
      assert.throws(
        () => install(makeShell(), TABLE),
        /Node\.js 20 or newer, this one has 18\.20\.8/,
      );
    } finally {
      Object.defineProperty(process.versions, 'node', original);
    }
  });
});

describe('shell/words', () => {
  const shell = makeShell();
  install(shell, TABLE);

  it('is a command of the shell that takes the raw line', () => {
    const { isDirectShellCommand, acceptsRawInput, returnsPromise } = shell[STATE].shellApi.tune;
    assert.deepEqual([isDirectShellCommand, acceptsRawInput, returnsPromise], [true, true, true]);
  });
  it('runs a command with its arguments', async () => {
    assert.deepEqual(await words(shell, 'echo --a 1 --b'), [{ a: 1, b: true }]);
    assert.deepEqual(await words(shell, 'text dirty-ratio'), ['dirty-ratio']);
  });
  it('alone is tune itself', async () => assert.equal(await words(shell, ''), shell.tune));
  it('shows help in all the ways people ask for it', async () => {
    for (const line of ['help', '--help'])
      assert.equal(inspect(await words(shell, line)), inspect(shell.tune.help()));
    for (const line of ['help echo', 'echo --help', 'echo 1 --help'])
      assert.equal(inspect(await words(shell, line)), inspect(shell.tune.echo.help()));
  });
  for (const [line, message] of [
    ['stats', /no command "stats"\. Did you mean "tune status"\?/],
    ['= 5', /no command "="\. tune\.help/],
    ['help stats', /"stats"/],
    ['constructor', /"constructor"/],
  ]) {
    it(`refuses "tune ${line}"`, async () => {
      await assert.rejects(
        words(shell, line),
        (error) =>
          error.code === 'TUNE-10005' &&
          message.test(error.message) &&
          error.allowed.includes('status'),
      );
    });
  }
});

describe('shell/words: TAB in mongosh', () => {
  afterEach(() => {
    delete globalThis[SIGNATURES];
  });

  it('is registered where mongosh looks, for its old and its new completer', async () => {
    globalThis[SIGNATURES] = { ShellApi: { attributes: {} } };
    install(makeShell(), TABLE);
    const { isDirectShellCommand, newShellCommandCompleter, shellCommandCompleter } =
      globalThis[SIGNATURES].ShellApi.attributes.tune;
    assert.equal(isDirectShellCommand, true);
    for (const completer of [newShellCommandCompleter, shellCommandCompleter])
      assert.deepEqual(await completer({}, ['tune', 'ec']), ['echo']);
  });
  it('is left out where mongosh has no such place', () => {
    for (const nothing of [undefined, {}, { ShellApi: {} }]) {
      globalThis[SIGNATURES] = nothing;
      assert.ok(install(makeShell(), TABLE));
    }
  });
});

describe('shell/help: the word help', () => {
  it('knows tune and its commands, and leaves the rest to mongosh', () => {
    const shell = makeShell();
    const tune = install(shell, TABLE);
    assert.equal(shell.help(tune).help, tune.help().help);
    assert.equal(shell.help(tune.echo).help, 'tune.x()');
    assert.equal(shell.help(), "mongosh's own");
    assert.equal(shell.help({}), "mongosh's own");
    assert.equal(shell.help.own, true);
  });
  it('does not accumulate when the snippet is loaded again', () => {
    const shell = makeShell();
    const before = shell.help;
    install(shell, TABLE);
    const tune = install(shell, TABLE);
    assert.equal(shell.help(tune).help, tune.help().help);
    assert.equal(shell.help[Symbol.for('mongosh-tune.help')], before);
  });
  it('does without where there is no help', () =>
    assert.ok(install({ [STATE]: fakeState() }, TABLE)));
});

describe('a command in a fake shell', () => {
  it('sees where it is', async () => {
    const shell = makeShell();
    const seen = await install(shell, { where: listed(async (ctx) => ctx) }).where();
    assert.equal(typeof seen.home, 'string');
    assert.equal(typeof seen.terminal.columns, 'number');
    assert.deepEqual(await seen.port.adminCommand({ ping: 1 }), { ok: 1 });
  });
});
