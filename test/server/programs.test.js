'use strict';

const assert = require('node:assert/strict');
const { execFile } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { promisify } = require('node:util');
const { temporaryFolder } = require('../support/cleanup');
const { problemsWith } = require('../support/schemas');
const { startServer } = require('../support/server');

/** @import { Server } from '../support/server' */

const ROOT = path.join(__dirname, '../..');
const PAGE = fs.readFileSync(path.join(ROOT, 'docs/programs.md'), 'utf8');
const MAX_LINES = 20;

/** The program of the page, with what it is called by. */
const [, PROGRAM] = /** @type {RegExpExecArray} */ (/```js\n([^]*?)```/.exec(PAGE));
/** The commands and fields of its last table. */
const ROWS = [...PAGE.matchAll(/^\| .+? \| `(\w+)(?: (\{.+?\}))?` \| (.+?) \|$/gm)].map(
  ([, command, options = '{}', fields]) => ({
    command,
    options,
    fields: [...fields.matchAll(/`(\w+)`/g)].map(([, field]) => field),
  }),
);

describe('the program of docs/programs.md', function () {
  this.timeout(120_000);
  const folder = temporaryFolder('program');
  const file = path.join(folder.path, 'ask.js');
  /** @type {Server} */ let server;
  before(async () => {
    server = await startServer();
    fs.writeFileSync(file, PROGRAM);
    const modules = path.join(folder.path, 'node_modules');
    fs.mkdirSync(modules);
    fs.symlinkSync(ROOT, path.join(modules, 'mongosh-tune'));
    for (const name of ['mongodb', 'ajv', 'ajv-formats'])
      fs.symlinkSync(path.join(ROOT, 'node_modules', name), path.join(modules, name));
  });
  after(async () => {
    await server?.stop();
    folder.remove();
  });

  /** @param {...string} args */
  const ask = async (...args) => {
    const { stdout } = await promisify(execFile)(process.execPath, [file, ...args], {
      cwd: folder.path,
      env: {
        ...process.env,
        MONGOSH_TUNE_READ_ONLY: '1',
        MONGOSH_TUNE_HOME: path.join(folder.path, 'home'),
      },
    });
    return JSON.parse(stdout);
  };

  it('has at most twenty lines', () => {
    const lines = PROGRAM.trim()
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('//'));
    assert.ok(lines.length <= MAX_LINES, `${lines.length} lines`);
  });

  it('answers each row of the table with the fields that it names, by its schema', async () => {
    assert.ok(ROWS.length >= 5);
    for (const { command, options, fields } of ROWS) {
      const asked = { ...JSON.parse(options), ...(options === '{}' ? {} : { seconds: 1 }) };
      const answer = await ask(server.uri, command, JSON.stringify(asked));
      assert.equal(answer.error, undefined, JSON.stringify(answer.error));
      assert.deepEqual(problemsWith(command, answer), []);
      for (const field of fields) assert.ok(field in answer, `${command}: ${field}`);
    }
  });

  it('asks without options too: a command may take none', async () => {
    const answer = await ask(server.uri, 'settings');
    assert.deepEqual(problemsWith('settings', answer), []);
  });

  it('has only commands that read, and refuses others and options that there are not', async () => {
    const [, list] = /** @type {RegExpExecArray} */ (/READING = \[(.+)\]/.exec(PROGRAM));
    for (const [, name] of list.matchAll(/'(\w+)'/g))
      assert.equal(require(`../../lib/commands/${name}`).changes, 'nothing');
    assert.match((await ask(server.uri, 'apply', '{"cacheSizeGB":1}')).error.message, /not one of/);
    assert.match((await ask(server.uri, 'constructor')).error.message, /not one of/);
    assert.equal((await ask(server.uri, 'status', '{"secs":1}')).error.code, 'TUNE-10001');
  });

  it('gives the code of an error where there is no server', async () => {
    const uri = 'mongodb://127.0.0.1:1/?serverSelectionTimeoutMS=200';
    assert.match((await ask(uri, 'status')).error.message, /ECONNREFUSED/);
  });

  it('has the demo to be written against', async () => {
    const { advice } = await require('../..')(null).demo('advise');
    assert.deepEqual(problemsWith('advise', advice), []);
  });
});
