'use strict';

const { temporaryFolder } = require('./cleanup');
const { contextOf } = require('./context');
const { startReplicaSet } = require('./server');

/**
 * @import { Context } from '../../lib/base/context'
 */

/** A set of three for the tests of a `describe`, and for each of them a new folder for the journal. */
function useThreeMembers() {
  /** @type {Awaited<ReturnType<typeof startReplicaSet>>} */ let set;
  /** @type {{ path: string, remove(): void }} */ let home;
  before(async () => {
    set = await startReplicaSet({ members: 3 });
  });
  after(() => set?.stop());
  beforeEach(() => {
    home = temporaryFolder('home');
  });
  afterEach(() => home?.remove());
  return {
    get set() {
      return set;
    },
    get home() {
      return home;
    },
    /** @param {Record<string, unknown>} [more] @returns {Context} */
    context: (more = {}) => contextOf(set.client, { home: home.path, ...more }),
    /** A shell on one member. @param {string} host @returns {Promise<Context>} */
    at: async (host) => contextOf(await set.connect(set.uriOf(host)), { home: home.path }),
  };
}

module.exports = { useThreeMembers };
