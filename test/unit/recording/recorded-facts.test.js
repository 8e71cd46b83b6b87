'use strict';

const assert = require('node:assert/strict');
const { factsIn } = require('../../../lib/recording/recording-file');
const { makeConfig } = require('../../../lib/config/effective-config');
const { NO_FACTS } = require('../../../lib/server/pure/facts');

const { config } = makeConfig({ startup: null, runTime: [], memoryBytes: 2 ** 32, live: {} });

describe('recording/recording-file, facts', () => {
  it('takes back what was recorded', () => {
    const facts = {
      ...NO_FACTS,
      host: 'h',
      role: 'primary',
      cores: 4,
      memoryBytes: 2 ** 32,
      journalCommitMs: 0,
      disks: ['sda'],
      config,
    };
    assert.deepEqual(factsIn(JSON.parse(JSON.stringify(facts))), {
      host: 'h',
      role: 'primary',
      cores: 4,
      memoryBytes: 2 ** 32,
      journalCommitMs: 0,
      disks: ['sda'],
      config,
    });
  });
  for (const [name, reported] of /** @type {[string, any][]} */ ([
    ['nothing', undefined],
    ['null', null],
    ['text', 'text'],
    ['names that are none', { host: 7, version: {}, engine: null, role: 'king', dbPath: [] }],
    ['numbers that are none', { cores: '4', memoryBytes: NaN, memLimitBytes: -1, dataBytes: {} }],
    ['a machine without memory', { memoryBytes: 0, memLimitBytes: 0, cores: 0 }],
    ['disks that are none', { disks: [1] }],
    ['what nobody asked for', { colour: 'red', __proto__: { host: 1 } }],
    ['a configuration cut short', { config: { ...config, evictionTrigger: undefined } }],
    [
      'one of other kinds',
      {
        config: {
          ...config,
          evictionTrigger: { value: 'x', from: 'default', default: 1, sinceRestart: false },
        },
      },
    ],
    [
      'one from elsewhere',
      {
        config: {
          ...config,
          evictionTrigger: { value: 1, from: 'afar', default: 1, sinceRestart: false },
        },
      },
    ],
  ]))
    it(`does not know ${name}`, () => assert.deepEqual(factsIn(reported), {}));
});
