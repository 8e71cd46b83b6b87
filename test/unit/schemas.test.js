'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { main } = require('../../scripts/schemas');
const { partsOf, unitOf } = require('../../scripts/documents/schema/comments');
const { listCommands, allCommands } = require('../../lib/shell/registry');
const { ANSWERS } = require('../answers/questions');
const SHOWN = require('../support/answers');
const { temporaryFolder } = require('../support/cleanup');
const { FOLDER, problemsWith, readSchema } = require('../support/schemas');

const COMMANDS = allCommands(listCommands()).map(([name]) => name);
const FILES = fs.readdirSync(FOLDER).map((file) => path.basename(file, '.json'));
const NOW = '2026-01-02T03:04:05.006Z';

/** An answer that was kept, with what differs from run to run put back. */
const whole = (/** @type {unknown} */ answer) =>
  JSON.parse(JSON.stringify(answer), (name, value) => {
    if (value === '(now)') return NOW;
    return name === 'seconds' && typeof value === 'string' ? 1 : value;
  });

/** The command of a kept answer: `lint: nothing`, `replay with facts`. */
const commandOf = (/** @type {string} */ name) => {
  const [first] = name.split(/[ :,]/);
  return COMMANDS.includes(first) ? first : null;
};

describe('schemas/', () => {
  it('has one for each command, one for the error of a script, and no other', () =>
    assert.deepEqual(
      FILES.sort(),
      [...COMMANDS.map((name) => name.replaceAll('.', '-')), 'error'].sort(),
    ));

  for (const file of FILES)
    it(`${file}.json says what it is, and allows new fields`, () => {
      const schema = readSchema(file);
      assert.equal(schema.$schema, 'https://json-schema.org/draft/2020-12/schema');
      assert.match(schema.$id, new RegExp(`^urn:mongosh-tune:schemas:\\d+:${file}$`));
      assert.ok(schema.title && schema.description.length > 20 && schema.$comment);
      assert.doesNotMatch(JSON.stringify(schema), /"additionalProperties":false|unevaluated/);
    });

  it('has the unit of each number whose name has one', () => {
    const without = [];
    const walk = (/** @type {any} */ schema, /** @type {string} */ at) => {
      for (const [name, field] of Object.entries(schema.properties ?? {}))
        if ([field.type].flat().includes('number') && unitOf(name) !== null)
          if (!field.description?.includes('Unit: ')) without.push(`${at}.${name}`);
      for (const [name, one] of Object.entries(schema))
        if (one !== null && typeof one === 'object') walk(one, `${at}.${name}`);
    };
    for (const file of FILES) walk(readSchema(file), file);
    assert.deepEqual(without, []);
  });
});

describe('kept answers are as schemas/ says', () => {
  const kept = JSON.parse(fs.readFileSync(ANSWERS, 'utf8'));
  for (const [name, answer] of Object.entries(kept)) {
    const command = commandOf(name);
    const isText = Array.isArray(answer) && typeof answer[0] === 'string';
    if (command === null || isText) continue;
    it(`${command}: ${name}`, () => assert.deepEqual(problemsWith(command, whole(answer)), []));
  }

  const OF_PAGES = {
    advise: ['advice', 'nothing to change'],
    replay: ['a recording of nothing', 'a recording'],
    trial: ['trial', 'a trial that is open', 'the same', 'a trial that is shown'],
    bench: ['bench', 'a bench that the client limits', 'a bench without stalls'],
    'split.plan': ['split', 'a split in the way'],
    host: ['host', 'a host of which all is known'],
    collections: ['collections', 'collections at one sample'],
    status: ['status', 'a status with reads'],
    checkpoints: ['checkpoints', 'checkpoints of which nothing is known'],
  };
  for (const [command, names] of Object.entries(OF_PAGES))
    for (const name of names)
      it(`${command}, for pages: ${name}`, () =>
        assert.deepEqual(problemsWith(command, SHOWN[name].answer), []));
});

describe('a schema finds what is wrong', () => {
  const { answer } = SHOWN.status;
  const cases = {
    'a number that is a text': [{ ...answer, seconds: '1' }, /^\/seconds must be number/],
    'a field that is missing': [{ ...answer, cache: undefined }, /required property 'cache'/],
    'a field that is missing deeper': [
      { ...answer, cache: { ...answer.cache, maxBytes: undefined } },
      /^\/cache must have required property 'maxBytes'/,
    ],
    'null for what is always known': [{ ...answer, notes: null }, /^\/notes must be array/],
    'a date that is none': [{ ...answer, at: 'yesterday' }, /^\/at must match format/],
    'a word that is none of them': [{ ...answer, role: 'king' }, /^\/role must be equal to one/],
  };
  for (const [name, [wrong, expected]] of Object.entries(cases))
    it(name, () => {
      const problems = problemsWith('status', wrong);
      assert.equal(problems.length > 0, true);
      assert.match(problems.join('\n'), expected);
    });
  it('an error of a script without a message', () => {
    const error = { name: 'TuneError', code: 'TUNE-20001', message: 'No.' };
    const whole = { status: 'unknown', exitCode: 3, error };
    assert.deepEqual(problemsWith('error', whole), []);
    assert.deepEqual(problemsWith('error', { ...whole, error: { ...error, code: null } }), []);
    assert.match(
      problemsWith('error', { ...whole, error: { ...error, message: undefined } }).join(),
      /^\/error must have required property 'message'/,
    );
    assert.notDeepEqual(problemsWith('error', { ...whole, exitCode: 0 }), []);
  });
  it('a field that is new is nothing wrong', () =>
    assert.deepEqual(problemsWith('status', { ...answer, added: 1 }), []));
  it('and in an answer that a command gives, a test fails', async () => {
    const { defineCommand } = require('../../lib/base/pure/command');
    const { run } = defineCommand({
      ...require('../../lib/commands/status'),
      takes: [],
      options: {},
      run: () => ({ at: new Date() }),
    });
    await assert.rejects(run({}), /tune\.status\(\) answers is not as schemas\/status\.json says/);
    require('../support/answer-schemas').forgetLast();
  });
});

describe('scripts/schemas', () => {
  const folder = temporaryFolder('schemas');
  after(() => folder.remove());
  const wanted = new Map([['a.json', '{}\n']]);
  const run = (/** @type {string[]} */ ...args) => {
    const said = [];
    const log = (/** @type {string} */ text) => said.push(text);
    const code = main(args, { folder: folder.path, wanted, out: { log, error: log } });
    return { code, said: said.join('\n') };
  };

  it('--check names what is missing, differs, or is of no command', () => {
    assert.match(run('--check').said, /run npm run schemas[^]*schemas\/a\.json$/);
    assert.match(run().said, /wrote a\.json/);
    assert.deepEqual([run('--check').code, run().said], [0, 'schemas: nothing to do']);
    fs.writeFileSync(path.join(folder.path, 'gone.json'), '');
    fs.appendFileSync(path.join(folder.path, 'a.json'), ' ');
    assert.equal(run('--check').code, 1);
    run();
    assert.deepEqual(fs.readdirSync(folder.path), ['a.json']);
  });
});

describe('what comments say of fields', () => {
  it('is the part with its name', () =>
    assert.deepEqual(
      partsOf('All of it. `a`: one, `b` too; `c.d`: two: three.\n `e`: four; five'),
      { '': 'All of it.', a: 'one, `b` too', 'c.d': 'two: three', e: 'four; five' },
    ));
  it('is nothing where there are no parts', () =>
    assert.deepEqual(partsOf('Only `a` and `b`.'), { '': 'Only `a` and `b`.' }));

  const units = {
    lastMs: 'milliseconds',
    startedAtMs: 'milliseconds since 1970, UTC',
    appMsPerSec: 'milliseconds per second',
    writtenBytesPerSec: 'bytes per second',
    opsPerSec: 'per second',
    seconds: 'seconds',
    cacheSizeGB: 'GiB',
    evictionDirtyTrigger: 'percent',
    usedRatio: 'ratio, 1 is 100%',
    waitingThreads: 'threads',
    rooms: null,
    aliases: null,
  };
  for (const [name, unit] of Object.entries(units))
    it(`${name}: ${unit ?? 'no unit'}`, () => assert.equal(unitOf(name), unit));
});
