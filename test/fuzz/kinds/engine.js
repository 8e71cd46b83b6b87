'use strict';

const assert = require('node:assert/strict');
const fc = require('fast-check');
const { settingsIn, defaultsFor } = require('../../../lib/config/config-layers');
const { lintString } = require('../../../lib/config/lint/lint-string');
const { setExternally } = require('../../support/engine');
const { startServer } = require('../../support/server');
const { engineText } = require('../engine-text');

/**
 * @import { Server } from '../../support/server'
 */

/**
 * The same strings, to a real server: what the linter accepts the server takes, and the other way
 * round. What an accepted string changed is put back; where that fails, or the server is gone, a
 * new one takes its place, and the string is told.
 */

// No more than 8 threads: to end threads takes the server most of a second each time.
const AS_IT_WAS = [
  'cache_size=256M,eviction=(threads_min=4,threads_max=8),eviction_target=80,' +
    'eviction_trigger=95,eviction_dirty_target=5,eviction_dirty_trigger=20,' +
    'eviction_updates_target=0,eviction_updates_trigger=0,' +
    'eviction_checkpoint_target=1',
  'cache_overhead=8,error_prefix=,verbose=[],timing_stress_for_test=[],' +
    'statistics=(fast),json_output=(error,message),cache_max_wait_ms=0,' +
    'operation_timeout_ms=0,checkpoint=(wait=0,log_size=0)',
  'statistics_log=(wait=0,sources=(),json=false,on_close=false),operation_tracking=(enabled=false)',
];
const BASE = { ...defaultsFor(null), cacheSizeGB: 0.25, evictionThreadsMax: 8 };
/** A server that has not answered by then hangs. */
const HANGS_MS = 30_000;
const TRIES = 3;
const MAX_LISTED = 12;
/**
 * What these change stays: the next strings would be judged by another server than the one the
 * linter knows of.
 */
const STICKY = /shared_cache|block_cache|tiered|statistics_log=.*path|operation_tracking=.*path/;
/**
 * What a server takes and is of no use afterwards, or dies of: refused on purpose, and not asked.
 */
const NOT_ASKED = /^This quote is not closed|is rejected by a running server, or terminates it$/;
/**
 * What the linter refuses on purpose although a server takes it, see docs/evidence/hardening.md.
 */
const STRICTER = /needs its settings in brackets|reads \S+ from the wrong place/;

/** A mongod, and another one when it is needed. */
class Subject {
  constructor() {
    /** @type {Server | null} */ this.server = null;
    this.started = 0;
    /** What ended a server, or left it so that it refuses everything. @type {string[]} */ this.broke =
      [];
    this.asked = 0;
    this.taken = 0;
  }

  async ready() {
    if (this.server !== null) return this.server;
    this.started += 1;
    this.server = await patiently(startServer);
    await this.reset();
    return this.server;
  }

  async reset() {
    for (const text of AS_IT_WAS)
      await withTimeout(setExternally(/** @type {any} */ (this.server), text));
  }

  /** @param {string} text @returns {Promise<boolean>} whether it took it */
  async takes(text) {
    const outcome = await this.send(text);
    if (outcome === 'taken') this.taken += 1;
    const changed = outcome === 'taken' || Object.keys(settingsIn(text)).length > 0;
    const isWhole =
      outcome !== 'broken' &&
      (!changed ||
        (await this.reset().then(
          () => true,
          () => false,
        )));
    if (!isWhole) this.broke.push(text);
    if (!isWhole || (outcome === 'taken' && STICKY.test(text))) await this.end();
    return outcome === 'taken';
  }

  /**
   * What no server answers, it is asked again of another: the machine may have stalled.
   * @param {string} text
   * @returns {Promise<'taken' | 'refused' | 'broken'>}
   */
  async send(text, tries = TRIES) {
    const server = await this.ready();
    this.asked += 1;
    const outcome = await withTimeout(setExternally(server, text)).then(
      () => 'taken',
      (error) => (error.name === 'MongoServerError' ? 'refused' : 'broken'),
    );
    if (outcome !== 'broken' || tries === 1) return outcome;
    await this.end();
    return this.send(text, tries - 1);
  }

  async end() {
    await this.server?.stop();
    this.server = null;
  }
}

/**
 * On a machine that does much else a server may not start in time.
 * @template T
 * @param {() => Promise<T>} act
 * @returns {Promise<T>}
 */
async function patiently(act, tries = TRIES) {
  try {
    return await act();
  } catch (error) {
    if (tries === 1) throw error;
    return patiently(act, tries - 1);
  }
}

/** @template T @param {Promise<T>} promise @returns {Promise<T>} */
function withTimeout(promise) {
  const { promise: late, reject } = Promise.withResolvers?.() ?? withResolvers();
  const timer = setTimeout(() => reject(new Error('no answer')), HANGS_MS);
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

function withResolvers() {
  /** @type {any} */ const made = {};
  made.promise = new Promise((resolve, reject) => Object.assign(made, { resolve, reject }));
  return made;
}

/** @param {Subject} subject @param {string} text */
async function holds(subject, text) {
  const { version } = await subject.ready();
  const problems = lintString(text, { version, at: 'runtime', base: BASE });
  // Within some lines only the later releases know a key: the linter says so, and cannot know.
  if (problems.some(({ say }) => say.startsWith('Only some releases'))) return;
  const objected = problems.some(({ level, when }) => level === 'error' && when !== 'start');
  if (problems.some(({ say }) => NOT_ASKED.test(say))) return;
  const stricter = problems.some(({ say }) => STRICTER.test(say));
  let accepted = await subject.takes(text);
  if (accepted !== objected || (accepted && stricter)) return;
  // What came before may have changed the server: asked again of a new one.
  await subject.end();
  accepted = await subject.takes(text);
  assert.equal(
    accepted,
    !objected,
    `the server ${accepted ? 'accepts' : 'refuses'} ${JSON.stringify(text)}; the linter ` +
      `says: ${problems.map(({ level, say }) => `${level} ${say}`).join('; ') || 'nothing'}`,
  );
}

module.exports = {
  name: 'engine',
  what: 'configuration strings to a real server',
  share: 0,
  async open() {
    const subject = new Subject();
    const { version } = await subject.ready();
    return {
      property: fc.asyncProperty(engineText(version).text, (text) => holds(subject, text)),
      close: () => subject.end(),
      note: () =>
        `MongoDB ${version}: ${subject.asked} strings sent, ${subject.taken} taken, ${subject.started} servers${
          subject.broke.length > 0
            ? `; ${subject.broke.length} broke one, such as ${subject.broke
                .slice(0, MAX_LISTED)
                .map((text) => JSON.stringify(text))
                .join(' ')}`
            : ''
        }`,
    };
  },
};
