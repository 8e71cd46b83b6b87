'use strict';

const assert = require('node:assert/strict');
const { mapServerError, isRefusal, withoutSecrets } = require('../../lib/base/server-errors');
const { TuneError } = require('../../lib/base/pure/errors');

/** @param {object} fields @param {string} [message] */
const thrown = (fields, message = 'said') => Object.assign(new Error(message), fields);
/** @param {unknown} error @param {string} [what] @returns {any} */
const map = (error, what = 'setParameter') => mapServerError(error, what);

describe('server-errors', () => {
  it('a missing privilege is named, with the role that has it', () => {
    const error = map(
      thrown(
        { name: 'MongoServerError', code: 13, codeName: 'Unauthorized' },
        'not authorized on admin to execute command { setParameter: 1 }',
      ),
    );
    assert.equal(error.code, 'TUNE-20005');
    assert.match(
      error.message,
      /is not allowed to change settings: it lacks the privilege setParameter on the cluster \(role hostManager or clusterAdmin\)/,
    );
    assert.equal(error.allowed, 'hostManager or clusterAdmin');
    assert.match(
      map(thrown({ code: 13 }), 'getLog').message,
      /privilege getLog on the cluster \(role clusterMonitor\)/,
    );
    assert.match(map(thrown({ code: 13 }), 'collStats').message, /is not allowed to run collStats/);
  });

  it('without serverStatus it says what works all the same', () => {
    assert.match(
      map(thrown({ code: 13 }), 'serverStatus').message,
      /lacks the privilege serverStatus on the cluster \(role clusterMonitor\)\. These work without it: tune\.lint, tune\.rules, tune\.explain, tune\.help and tune\.history\(\{ all: true \}\)\./,
    );
    assert.doesNotMatch(map(thrown({ code: 13 }), 'getLog').message, /works without/);
  });
  it('nobody logged in is not a user without a privilege', () => {
    const { code, message } = map(
      thrown(
        { name: 'MongoServerError', code: 13 },
        'command serverStatus requires authentication',
      ),
      'serverStatus',
    );
    assert.equal(code, 'TUNE-20005');
    assert.match(
      message,
      /This connection is not authenticated: run db\.getSiblingDB\("admin"\)\.auth\(name, passwordPrompt\(\)\)\. To read the counters, the user needs the privilege serverStatus on the cluster \(role clusterMonitor\)\. These work without it/,
    );
    assert.doesNotMatch(message, /This user cannot read/);
    assert.match(
      map(thrown({ code: 13 }, 'command collStats requires authentication'), 'collStats').message,
      /not authenticated.*the server requires a user for collStats\./,
    );
  });

  for (const [fields, message, code] of /** @type {[object, string, string][]} */ ([
    [{ name: 'MongoServerError', code: 18 }, 'Authentication failed.', 'TUNE-20005'],
    [{ name: 'MongoServerError', code: 8000 }, 'CMD_NOT_ALLOWED: setParameter', 'TUNE-20007'],
    [
      { name: 'MongoServerError', code: 115 },
      'setParameter is not supported in MongoDB Atlas clusters',
      'TUNE-20007',
    ],
    [
      { name: 'MongoServerError', code: 2 },
      'attempted to set unrecognized parameter [wiredTigerEngineRuntimeConfig], use help:true',
      'TUNE-20002',
    ],
    [{ name: 'MongoServerError', code: 72 }, 'no option found to get', 'TUNE-20002'],
    [
      { name: 'MongoServerError', code: 2 },
      'WiredTiger reconfiguration failed with error code (22): Invalid argument',
      'TUNE-20008',
    ],
    [{ code: 9 }, 'some refusal', 'TUNE-20008'],
    [{ name: 'MongoNetworkError' }, 'connection closed', 'TUNE-20006'],
    [{ name: 'MongoNetworkTimeoutError' }, 'x', 'TUNE-20006'],
    [{ name: 'MongoServerSelectionError' }, 'x', 'TUNE-20006'],
    [{ name: 'MongoClientClosedError' }, 'x', 'TUNE-20006'],
    [{ name: 'MongoTopologyClosedError' }, 'x', 'TUNE-20006'],
    [{ name: 'MongoNotConnectedError' }, 'x', 'TUNE-20006'],
    [{ name: 'MongoExpiredSessionError' }, 'x', 'TUNE-20006'],
    [{ name: 'MongoPoolClearedError' }, 'x', 'TUNE-20006'],
    [{ name: 'PoolClearedOnNetworkError' }, 'x', 'TUNE-20006'],
    [{ name: 'MongoInvalidArgumentError' }, 'x', 'TUNE-20008'],
  ])) {
    it(`${JSON.stringify(fields)} ${message} → ${code}`, () => {
      const error = map(thrown(fields, message));
      assert.equal(error.code, code);
      assert.equal(error.cause.message, message);
    });
  }

  it('our own errors and defects pass through', () => {
    const own = new TuneError('TUNE-30002', 'x');
    assert.equal(map(own), own);
    const defect = new TypeError('x is not a function');
    assert.equal(map(defect), defect);
  });
  it('what is no error becomes one', () =>
    assert.deepEqual([map('just text').message, map(null).message], ['just text', 'null']));

  it('after Ctrl-C a lost connection is the interruption', () => {
    const stop = new AbortController();
    stop.abort();
    assert.equal(
      /** @type {any} */ (
        mapServerError(thrown({ name: 'MongoClientClosedError' }), 'x', stop.signal)
      ).code,
      'TUNE-30009',
    );
    assert.equal(
      /** @type {any} */ (
        mapServerError(thrown({ name: 'MongoServerError', code: 13 }), 'x', stop.signal)
      ).code,
      'TUNE-20005',
    );
    assert.equal(
      /** @type {any} */ (
        mapServerError(
          thrown({ name: 'MongoClientClosedError' }),
          'x',
          new AbortController().signal,
        )
      ).code,
      'TUNE-20006',
    );
  });

  it('never shows a password', () => {
    assert.equal(
      withoutSecrets('cannot reach mongodb://joe:s3cret@h:1/?x=1'),
      'cannot reach mongodb://h:1/?x=1',
    );
    assert.equal(
      withoutSecrets('mongodb+srv://joe:s3cret@h/ and mongodb://h'),
      'mongodb+srv://h/ and mongodb://h',
    );
    assert.equal(withoutSecrets('mongodb://joe:s3/c@r3t@h:1/x, then'), 'mongodb://h:1/x, then');
    assert.equal(withoutSecrets('mongo://joe:s3cret@h'), 'mongo://h');
    assert.equal(
      withoutSecrets('"mongodb://a:b@h" "mongodb://c:d@i"'),
      '"mongodb://h" "mongodb://i"',
    );
    assert.equal(
      withoutSecrets(
        'mongodb://h/?tls=true&tlsCertificateKeyFilePassword=s3cret&authMechanismProperties=AWS_SESSION_TOKEN:s3cret&x=1',
      ),
      'mongodb://h/?tls=true&tlsCertificateKeyFilePassword=…&authMechanismProperties=…&x=1',
    );
    assert.doesNotMatch(
      map(thrown({ name: 'MongoNetworkError' }, 'mongodb://joe:s3cret@h failed')).message,
      /s3cret/,
    );
  });

  it('a refusal is an answer; a lost connection and an interruption are none', () => {
    assert.deepEqual(
      [13, 8000, 2].map((code) => isRefusal(map(thrown({ code })))),
      [true, true, true],
    );
    assert.deepEqual(
      [
        map(thrown({ name: 'MongoNetworkError' })),
        new TuneError('TUNE-30009', 'x'),
        new Error('x'),
      ].map(isRefusal),
      [false, false, false],
    );
  });
});
