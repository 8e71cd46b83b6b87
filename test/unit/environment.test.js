'use strict';

const assert = require('node:assert/strict');
const { optionsFrom, variableOf } = require('../../lib/base/environment');
const { number, flag, text, oneOf } = require('../../lib/base/pure/options');

const TABLE = {
  seconds: number({ min: 1 }),
  saveBaseline: text(),
  json: flag(),
  failOn: oneOf(['warning', 'critical']),
  members: {
    allowed: 'all, or a list',
    schema: (/** @type {any} */ v) => v.union([v.literal('all'), v.array(v.string())]),
  },
};
/** @param {Record<string, string | undefined>} env */
const read = (env) => optionsFrom('check.js', TABLE, env);

describe('environment', () => {
  it('names variables after options', () =>
    assert.deepEqual(['seconds', 'saveBaseline'].map(variableOf), [
      'TUNE_SECONDS',
      'TUNE_SAVE_BASELINE',
    ]));
  it('reads each as its option wants it', () => {
    assert.deepEqual(
      read({
        TUNE_SECONDS: '2.5',
        TUNE_SAVE_BASELINE: '7',
        TUNE_JSON: 'Yes',
        TUNE_FAIL_ON: ' critical ',
        TUNE_MEMBERS: 'a:1, b:2',
        PATH: '/bin',
        TUNER: 'x',
      }),
      { seconds: 2.5, saveBaseline: '7', json: true, failOn: 'critical', members: ['a:1', 'b:2'] },
    );
    assert.deepEqual(read({ TUNE_JSON: '0', TUNE_MEMBERS: 'all' }), {
      json: false,
      members: 'all',
    });
  });
  it('one that is empty is not set', () =>
    assert.deepEqual(read({ TUNE_SECONDS: '', TUNE_FAIL_ON: ' ', TUNE_WHAT: undefined }), {}));
  it('refuses one that the script does not have, and names those it has', () => {
    assert.throws(() => read({ TUNE_SECS: '2' }), {
      code: 'TUNE-10001',
      message:
        /check\.js: there is no variable TUNE_SECS\. Allowed: TUNE_FAIL_ON, TUNE_JSON, TUNE_MEMBERS, TUNE_SAVE_BASELINE, TUNE_SECONDS\./,
    });
  });
  for (const [name, value, expected] of [
    ['TUNE_SECONDS', 'abc', /TUNE_SECONDS must be a number of at least 1, not "abc"/],
    ['TUNE_SECONDS', '0', /of at least 1, not "0"/],
    ['TUNE_JSON', 'maybe', /true or false, not "maybe"/],
    ['TUNE_FAIL_ON', 'info', /one of warning, critical, not "info"/],
  ]) {
    it(`refuses ${name}=${value}`, () =>
      assert.throws(() => read({ [String(name)]: String(value) }), {
        code: 'TUNE-10002',
        message: expected,
      }));
  }
});
