'use strict';

const assert = require('node:assert/strict');
const {
  confirmOption,
  defaultOf,
  defineCommand,
  describe: describeOption,
} = require('../../../lib/base/pure/command');
const { number, text } = require('../../../lib/base/pure/options');

/** A command that answers what it gets. @param {any} more */
const command = (more) =>
  defineCommand({
    name: 'x',
    group: 'Look',
    order: 1,
    takes: ['options'],
    usage: 'tune.x({ seconds })',
    summary: 'Looks',
    options: {
      seconds: { check: number({ min: 1 }), default: 30, description: 'how long to look' },
      by: { check: text(), defaultText: 'the best', description: 'by what' },
    },
    examples: [],
    changes: 'nothing',
    run: (_ctx, ...args) => args,
    ...more,
  });
/** @param {any} more @param {any[]} args */
const run = (more, ...args) => command(more).run(null, ...args);

describe('base/command', () => {
  it('hands over options with their defaults, and as they were given', async () => {
    const [options, given] = await run({});
    assert.deepEqual({ ...options }, { seconds: 30, by: undefined });
    assert.deepEqual({ ...given }, {});
    const [more, as] = await run({}, { seconds: 5, by: undefined });
    assert.deepEqual([more.seconds, as.seconds], [5, 5]);
  });
  it('hands over a missing argument as undefined, so that each keeps its place', async () => {
    const [what, options] = await run({ takes: ['change', 'options'] });
    assert.deepEqual([what, options.seconds], [undefined, 30]);
    assert.deepEqual(await run({ takes: ['text'], options: {} }), [undefined]);
    assert.deepEqual(await run({ takes: [], options: {} }), []);
  });
  it('refuses unknown options and wrong values as a rejection', async () => {
    await assert.rejects(run({}, { second: 1 }), { code: 'TUNE-10001' });
    await assert.rejects(run({}, { seconds: 0 }), { code: 'TUNE-10002' });
    await assert.rejects(run({}, 5), { code: 'TUNE-10002' });
  });
  for (const [takes, words] of /** @type {[string[], string][]} */ ([
    [[], 'takes no argument'],
    [['text'], 'takes one argument at most'],
    [['text', 'change'], 'takes two arguments at most'],
    [['text', 'text', 'options'], 'takes three arguments at most'],
  ]))
    it(`refuses one argument too many: ${words}`, async () =>
      assert.rejects(run({ takes, options: {} }, ...takes.map(() => undefined), 7), {
        code: 'TUNE-10002',
        message: new RegExp(`tune\\.x ${words}, as in .*; 7 is an extra argument`),
      }));

  it('shows a default as it is typed, or in the words for it', () => {
    const { seconds, by } = command({}).options;
    assert.deepEqual([defaultOf(seconds), defaultOf(by)], ['30', 'the best']);
    assert.equal(defaultOf({ check: text(), default: 'a', description: '' }), '"a"');
    assert.equal(describeOption(seconds), 'how long to look (30)');
    assert.equal(describeOption({ check: text(), description: 'which' }), 'which');
    assert.equal(
      describeOption(confirmOption('it is only shown')),
      'true runs it; without it it is only shown (false)',
    );
  });
});

describe('base/command: an id', () => {
  const DO = { seconds: 2 };
  const takes = ['id', 'options'];
  const by = { takes, idsOf: 'tune.history()' };
  it('may be left out, also where the options come first', async () => {
    for (const [args, id, seconds] of /** @type {[any[], any, number][]} */ ([
      [[], undefined, 30],
      [[null], undefined, 30],
      [[undefined, undefined], undefined, 30],
      [[{ seconds: 2 }], undefined, 2],
      [['p'], 'p', 30],
      [['p', { seconds: 2 }], 'p', 2],
    ])) {
      const [name, options] = await run(by, ...args);
      assert.deepEqual([name, options.seconds], [id, seconds]);
    }
  });
  for (const wrong of [[5], [true], [['p']], [{ $gt: '' }, { seconds: 2 }]])
    it(`${JSON.stringify(wrong)} is none`, async () =>
      assert.rejects(run(by, ...wrong), {
        code: 'TUNE-10002',
        message: /tune\.x: the id must be one shown by tune\.history\(\), not /,
      }));
  for (const missing of [undefined, null])
    it(`${missing} before options is refused: it may be the id of a call that did nothing`, async () =>
      assert.rejects(
        run({ ...by, name: 'undo', withoutId: 'undoes the last change' }, missing, {
          confirm: true,
          seconds: 2,
        }),
        {
          code: 'TUNE-10004',
          message: new RegExp(
            `tune\\.undo: the id is ${missing}, so nothing was done\\. ` +
              'tune\\.undo\\(\\{ confirm: true \\}\\) undoes the last change\\.',
          ),
        },
      ));
  it('that is missing before an option that is odd, and without confirm', async () =>
    assert.rejects(run({ ...by, withoutId: 'undoes it' }, undefined, { a() {} }), {
      code: 'TUNE-10004',
      message: /Without an id, type tune\.x\(\)\./,
    }));
  it('that is missing before what is no options is named alone', async () =>
    assert.rejects(run(by, undefined, 7), {
      code: 'TUNE-10004',
      message: /the id is undefined, so nothing was done\. Without an id, type tune\.x\(\)\./,
    }));
  it('a file that is missing is only not read', async () => {
    const [file, options] = await run({ ...by, takes: ['file', 'options'] }, undefined, DO);
    assert.deepEqual([file, options.seconds], [undefined, 2]);
  });
  it('of a command without options takes no object', async () => {
    const alone = { ...by, takes: ['id'], options: {} };
    assert.deepEqual(await run(alone, 'p'), ['p']);
    await assert.rejects(run(alone, { follow: true }), { code: 'TUNE-10001' });
  });
});
