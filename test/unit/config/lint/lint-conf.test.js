'use strict';

const assert = require('node:assert/strict');
const { lintConf } = require('../../../../lib/config/lint/lint-conf');
const { parseYaml } = require('../../../../lib/base/pure/yaml');

/** @param {string} text @param {string} [version] */
const lint = (text, version = '6.0.5') => {
  const { value, positionOf } = parseYaml(text);
  return lintConf({ value, positionOf, version });
};
/** @param {string} text @param {string} [version] */
const said = (text, version) =>
  lint(text, version)
    .map(({ level, key, say, todo }) => `${level} ${key}: ${say}. ${todo}`)
    .join('\n');
/** @param {string} options below storage.wiredTiger.engineConfig */
const engine = (options) =>
  `storage:\n  wiredTiger:\n    engineConfig:\n      ${options.split('\n').join('\n      ')}\n`;

describe('config/lint: mongod.conf', () => {
  it('a good one', () => {
    assert.equal(
      said(
        `systemLog:\n  destination: file\n  path: /var/log/mongod.log\nnet:\n  port: ` +
          `27017\nreplication:\n  replSetName: rs0\nprocessManagement: { fork: true ` +
          `}\nsetParameter:\n  enableLocalhostAuthBypass: ` +
          `false\n${engine('cacheSizeGB: 2.5\nconfigString: eviction=(threads_min=4,threads_max=8)\njournalCompressor: snappy')}`,
      ),
      '',
    );
  });
  it('an empty one', () =>
    assert.deepEqual([said(''), said('# nothing\n'), said('storage:\n')], ['', '', '']));

  // Answers of `mongod --outputConfig` 6.0.5.
  for (const [text, expected] of /** @type {[string, RegExp][]} */ ([
    [
      engine('cacheSizeGb: 1'),
      /^error storage\.wiredTiger\.engineConfig\.cacheSizeGb: mongod does not support.*Did you mean cacheSizeGB\?/,
    ],
    [engine('cacheSizeGB: 0.1'), /cacheSizeGB 0\.1 is out of range\. Give 0\.25 to 10000/],
    [engine('cacheSizeGB: 20000'), /out of range/],
    [engine('cacheSizeGB: 1G'), /must be a number, not "1G"\. Write a number without a unit/],
    [engine('cacheSizeGB: true'), /must be a number, not true/],
    [engine('cacheSizeGB: ""'), /must be a number/],
    [
      engine('cacheSizePct: 50'),
      /is available from 8\.0\.20 and 8\.2; MongoDB 6\.0\.5 does not start with it\. Give cacheSizeGB\./,
    ],
    ['foo: 1\n', /^error foo: mongod does not support the option foo/],
    ['storage: 5\n', /^error storage: storage must contain options, not 5/],
    ['sotrage: {}\n', /Did you mean storage\?/],
    ['storage:\n  mmapv1:\n    nsSize: 1\n', /removed after 4\.0/],
    ['storage:\n  indexBuildRetry: false\n', /removed after 4\.4/],
    ['storage:\n  syncPeriodSecs: 9000001\n', /out of range\. Give 0 to 9000000/],
    ['net:\n  serviceExecutor: adaptive\n', /^error net\.serviceExecutor/],
    [
      'setParameter:\n  wiredTigerEngineRuntimeConfig: "cache_size=1G"\n',
      /^error setParameter\.wiredTigerEngineRuntimeConfig: .*Unknown --setParameter/,
    ],
    [
      engine('configString: eviction_target=90,eviction_trigger=85'),
      /^error eviction_trigger: eviction_target 90% is not below eviction_trigger 85%\./,
    ],
    [engine('configString: eviction=(threads_max=21)'), /above the maximum of 20/],
    [engine('configString: 7'), /configString must be text/],
    [
      engine('cacheSizeGB: 1\nconfigString: eviction_dirty_target=2G'),
      /eviction_dirty_target is 2 GiB, more than a cache of 1 GiB/,
    ],
  ])) {
    it(`refuses ${JSON.stringify(text)}`, () => assert.match(said(text), expected));
  }
  for (const [text, expected] of /** @type {[string, RegExp][]} */ ([
    [
      engine('cacheSizeGB: 1\nconfigString: cache_size=2G'),
      /given twice: cache_size in configString overrides/,
    ],
    [engine('configString: cache_size=2G'), /bypasses mongod's own checks/],
    [
      'storage:\n  engine: inMemory\n',
      /With the engine "inMemory" the wiredTiger options have no effect/,
    ],
    ['storage:\n  syncPeriodSecs: 0\n', /disables periodic checkpoints/],
    [engine('configString: checkpoint=(wait=9)'), /second checkpoint thread/],
  ])) {
    it(`warns of ${JSON.stringify(text)}`, () =>
      assert.match(said(text), new RegExp(`^warning [\\s\\S]*${expected.source}`)));
  }

  it('a cache beyond the memory of the server, where that is known', () => {
    const { value, positionOf } = parseYaml(engine('cacheSizeGB: 200'));
    const max = (/** @type {number | null} */ memoryBytes) =>
      lintConf({ value, positionOf, version: '6.0.5', memoryBytes }).map(
        ({ level, key, say, when, position }) => [level, key, say, when, position],
      );
    assert.deepEqual(max(24 * 2 ** 30), [
      [
        'warning',
        'storage.wiredTiger.engineConfig.cacheSizeGB',
        'A cache of 200 GiB is more than 80% of the 24 GiB RAM available to this server',
        'start',
        positionOf(['storage', 'wiredTiger', 'engineConfig', 'cacheSizeGB']),
      ],
    ]);
    assert.deepEqual([max(250 * 2 ** 30), max(null)], [[], []]);
  });
  it('a size in configString that is not safe', () => {
    assert.match(said(engine('configString: cache_size=10M')), /A cache of 10 MiB is below/);
    const { value, positionOf } = parseYaml(engine('configString: cache_size=200G'));
    assert.match(
      lintConf({ value, positionOf, version: '6.0.5', memoryBytes: 24 * 2 ** 30 })
        .map(({ say }) => say)
        .join(),
      /200 GiB is more than 80%/,
    );
  });
  it('a number in quotes is a number, as for mongod', () =>
    assert.equal(said(engine('cacheSizeGB: "1"')), ''));
  it('what is expanded at start is not an option', () =>
    assert.equal(said('storage:\n  __exec: "cat x"\n'), ''));
  it('an empty configString and the default engine are nothing to say', () =>
    assert.equal(said(`${engine('configString: ""')}  engine: wiredTiger\n`), ''));

  it('the journal can be switched off until 6.0 only', () => {
    assert.equal(said('storage:\n  journal:\n    enabled: true\n', '6.0.5'), '');
    assert.match(
      said('storage:\n  journal:\n    enabled: true\n', '6.1.0'),
      /storage\.journal\.enabled was removed after 6\.0/,
    );
  });
  it('cacheSizePct from 8.0.20 (its changelog) and 8.2 on, not beside cacheSizeGB', () => {
    assert.equal(said(engine('cacheSizePct: 50'), '8.0.20'), '');
    for (const version of ['8.0.19', '8.1.9', '7.0.99'])
      assert.match(said(engine('cacheSizePct: 50'), version), /is available from/);
    assert.equal(said(engine('cacheSizePct: 50'), '8.2.0'), '');
    assert.match(said(engine('cacheSizePct: 81'), '8.2.0'), /out of range/);
    assert.match(said(engine('cacheSizePct: 50\ncacheSizeGB: 1'), '8.2.0'), /exclude each other/);
  });
  it('4.4 starts with a cache that is too small', () =>
    assert.deepEqual(
      ['4.4.29', '5.0.0'].map((version) => lint(engine('cacheSizeGB: 0.1'), version)[0].level),
      ['warning', 'error'],
    ));
  it('serviceExecutor was an option once', () =>
    assert.match(said('net:\n  serviceExecutor: synchronous\n', '5.0.4'), /^warning/));

  it('points into the file, also into the string', () => {
    const text = engine('configString: "cache_size=1G,eviction=(threads_max=99)"');
    assert.deepEqual(
      lint(text).map(({ position }) => text.slice(position ?? 0, (position ?? 0) + 4)),
      ['cach', '99)"'],
    );
    assert.deepEqual(
      lint('storage:\n  foo: 1\n').map(({ position, when }) => [position, when]),
      [[16, 'start']],
    );
  });
});
