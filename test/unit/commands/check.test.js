'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { contextOf } = require('../../support/context');
const { temporaryFolder } = require('../../support/cleanup');
const { run: check } = require('../../../lib/commands/check');
const { readBaseline, writeBaseline, valueOrFile } = require('../../../lib/check/files');

describe('commands/check, before a server is asked', () => {
  /** @type {ReturnType<typeof temporaryFolder>} */ let folder;
  before(() => {
    folder = temporaryFolder('check');
  });
  after(() => folder.remove());
  /** @param {string} text */
  const file = (text) => {
    const place = path.join(folder.path, `${fs.readdirSync(folder.path).length}.yaml`);
    fs.writeFileSync(place, text);
    return place;
  };
  /** @param {any} options @param {string} code @param {RegExp} message */
  const refuses = (options, code, message) =>
    assert.rejects(check(contextOf(null), options), (/** @type {any} */ error) => {
      assert.deepEqual([error.code, message.test(error.message)], [code, true], error.message);
      return true;
    });

  it('refuses options that make no sense', async () => {
    await refuses({ second: 1 }, 'TUNE-10001', /no option "second"/);
    await refuses({ failOn: 'info' }, 'TUNE-10002', /"failOn" must be one of warning, critical/);
    await refuses(
      { suppress: 5 },
      'TUNE-10002',
      /"suppress" must be a list of \{ key, reason, until \}, or the name of/,
    );
    await refuses(
      { suppress: [{ key: 'tickets' }] },
      'TUNE-10002',
      /"suppress": entry 1: reason: why/,
    );
    await refuses(
      { thresholds: { tickets: { minQueued: -1 } } },
      'TUNE-10002',
      /"thresholds": tickets\.minQueued must be a number above 0, not -1/,
    );
    await refuses({ thresholds: [] }, 'TUNE-10002', /"thresholds": it must be a table/);
  });
  it('refuses files that are not there, or are something else', async () => {
    await refuses(
      { suppress: '/not/there.yaml' },
      'TUNE-40002',
      /file of "suppress", \/not\/there\.yaml, cannot be read \(ENOENT\)/,
    );
    await refuses(
      { thresholds: file('a: [1\nb: 2\n') },
      'TUNE-10002',
      /"thresholds": .* cannot be understood: .*, in line 2/,
    );
    await refuses({ suppress: file('just words') }, 'TUNE-10002', /"suppress": it must be a list/);
    await refuses(
      { baseline: '/not/there.json' },
      'TUNE-40002',
      /baseline \/not\/there\.json cannot be read \(ENOENT\)/,
    );
    for (const text of [
      '',
      '{}',
      '[]',
      'null',
      '{"format":"mongosh-tune baseline","version":1,"findings":{"a":"bad"}}',
      '{"format":"mongosh-tune baseline","version":1}',
      '{"format":"mongosh-tune baseline","version":2,"findings":{}}',
    ]) {
      await refuses(
        { baseline: file(text) },
        'TUNE-10002',
        /is not what \{ saveBaseline: … \} writes/,
      );
    }
  });

  it('a misspelt name in a file of both is refused: nothing would be suppressed', () => {
    assert.throws(
      () => valueOrFile('suppress', file('thresholds: {}\nsupress:\n  - key: tickets\n')),
      { code: 'TUNE-10002', message: /has "supress", and only suppress and thresholds are read/ },
    );
  });

  it('a file holds one of them, or both under their names, or nothing', () => {
    const list = [{ key: 'tickets' }];
    assert.deepEqual(valueOrFile('suppress', list), list);
    assert.deepEqual(valueOrFile('suppress', file('- key: tickets\n')), list);
    assert.deepEqual(valueOrFile('suppress', file('suppress:\n  - key: tickets\n')), list);
    assert.deepEqual(
      [
        valueOrFile('thresholds', file('suppress: []\n')),
        valueOrFile('suppress', file('thresholds: {}')),
        valueOrFile('suppress', file('# nothing\n')),
        valueOrFile('thresholds', file('')),
      ],
      [{}, [], [], {}],
    );
  });

  describe('a baseline', () => {
    const what = {
      at: '2026-01-01T00:00:00.000Z',
      host: 'a:1',
      findings: /** @type {const} */ ({ tickets: 'warning' }),
    };
    it('is written, written anew, and read', () => {
      const place = path.join(folder.path, 'baseline.json');
      writeBaseline(place, { ...what, host: 'b:1' });
      writeBaseline(place, what);
      assert.deepEqual(readBaseline(place), {
        format: 'mongosh-tune baseline',
        version: 1,
        ...what,
      });
      if (process.platform !== 'win32') assert.equal(fs.statSync(place).mode & 0o777, 0o600);
    });
    it('overwrites nothing else', () => {
      const place = file('precious');
      assert.throws(() => writeBaseline(place, what), {
        code: 'TUNE-40005',
        message: /cannot be written: there is a file of that name that is no baseline/,
      });
      assert.throws(() => writeBaseline(folder.path, what), { code: 'TUNE-40005' });
      assert.equal(fs.readFileSync(place, 'utf8'), 'precious');
    });
    it('says where it cannot be written', () =>
      assert.throws(() => writeBaseline('/not/there/b.json', what), {
        code: 'TUNE-40005',
        message: /cannot be written: there is no folder/,
      }));
  });
});
