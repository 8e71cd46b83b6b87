'use strict';

const assert = require('node:assert/strict');
const { sizeEvictionThreads } = require('../../../lib/sizing/eviction');

const SHORT = {
  'eviction.threadsActive': 4,
  'config.threadsMax': 4,
  'host.cores': 16,
  'process.cpuCores': 4,
  'process.cpuRatio': 0.25,
  'eviction.pageWriteMs': 0.3,
};
/** @param {any} [more] */
const threads = (more = {}) => sizeEvictionThreads({ ...SHORT, ...more });

describe('sizing/eviction', () => {
  it('twice as many, at least and at most the same', () => {
    const { change, explain } = threads();
    assert.deepEqual(change, { evictionThreadsMin: 8, evictionThreadsMax: 8 });
    assert.match(
      explain.join(' '),
      /All 4 eviction threads are active; mongod uses 4 of 16 cores \(25\.0%\); a page write takes 0\.3 ms/,
    );
  });
  it('one for each idle core', () =>
    assert.deepEqual(threads({ 'host.cores': 8, 'process.cpuCores': 5.1 }).change, {
      evictionThreadsMin: 6,
      evictionThreadsMax: 6,
    }));
  it('never more than the cores', () =>
    assert.deepEqual(threads({ 'host.cores': 6, 'process.cpuCores': 1 }).change, {
      evictionThreadsMin: 6,
      evictionThreadsMax: 6,
    }));
  it('never more than 20', () =>
    assert.deepEqual(
      threads({ 'eviction.threadsActive': 16, 'config.threadsMax': 16, 'host.cores': 64 }).change,
      { evictionThreadsMin: 20, evictionThreadsMax: 20 },
    ));
  it('not for one more', () => {
    assert.equal(threads({ 'host.cores': 5, 'process.cpuCores': 1 }).change, null);
  });
  it('back to what mongod starts on every machine, where somebody set fewer', () => {
    for (const now of [1, 2, 3]) {
      const { change, explain } = threads({
        'eviction.threadsActive': now,
        'config.threadsMax': now,
        'host.cores': 2,
        'process.cpuCores': 0.5,
      });
      assert.deepEqual(change, { evictionThreadsMin: 4, evictionThreadsMax: 4 });
      assert.match(
        explain.join(' '),
        now === 1
          ? /The only eviction thread is active; mongod uses 0\.5 of 2 cores.* the default of mongod on any machine/
          : new RegExp(
              `All ${now} eviction threads are active; .* of 2 cores.*the current value is lower`,
            ),
      );
    }
  });
  it('but not where the CPUs or the disk have no room for them', () => {
    for (const full of [{ 'process.cpuRatio': 0.71 }, { 'eviction.pageWriteMs': 5.1 }]) {
      assert.equal(
        threads({ 'eviction.threadsActive': 1, 'config.threadsMax': 1, 'host.cores': 2, ...full })
          .change,
        null,
      );
    }
  });
  it('back to the default also where the cores are not known, as long as one is enough', () => {
    const bare = {
      'eviction.threadsActive': 1,
      'config.threadsMax': undefined,
      'host.cores': undefined,
      'process.cpuRatio': undefined,
    };
    const { change, explain } = threads({ ...bare, 'process.cpuCores': 0.7 });
    assert.deepEqual(change, { evictionThreadsMin: 4, evictionThreadsMax: 4 });
    assert.match(
      explain.join(' '),
      /^The only eviction thread is active; mongod uses 0\.7 cores; a page write/,
    );
    assert.match(
      threads({ ...bare, 'process.cpuCores': 0.71 }).explain.join(' '),
      /CPU use is not known/,
    );
    assert.match(
      threads({ ...bare, 'process.cpuCores': undefined, 'process.cpuRatio': 0.1 }).explain.join(
        ' ',
      ),
      /^The only eviction thread is active; a page write/,
    );
    assert.match(
      threads({ 'host.cores': undefined }).explain.join(' '),
      /the number of idle cores is not known/,
    );
    assert.match(
      threads({
        ...bare,
        'eviction.threadsActive': undefined,
        'process.cpuCores': 0.1,
      }).explain.join(' '),
      /the number of eviction threads is not known/,
    );
  });
  it('counts those at work where the setting is not known', () =>
    assert.deepEqual(threads({ 'config.threadsMax': undefined }).change, {
      evictionThreadsMin: 8,
      evictionThreadsMax: 8,
    }));
  it('says what speaks against it', () => {
    const { change, explain } = threads({ 'eviction.pageWriteMs': 22 });
    assert.equal(change, null);
    assert.match(explain.join(' '), /22 ms, so the disk is the limit/);
    assert.match(
      threads({ 'host.cores': 1, 'process.cpuCores': 0.1 }).explain.join(' '),
      /: 4 eviction threads are enough for 1 core$/,
    );
    assert.match(
      threads({ 'eviction.threadsActive': 1 }).explain.join(' '),
      /only 1 of 4 eviction threads is active$/,
    );
    assert.match(
      threads({ 'eviction.threadsActive': 2 }).explain.join(' '),
      /only 2 of 4 eviction threads are active$/,
    );
  });
});
