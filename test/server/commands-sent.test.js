'use strict';

const assert = require('node:assert/strict');
const { startServer } = require('../support/server');
const { contextOf } = require('../support/context');
const { run: advise } = require('../../lib/commands/advise');
const { run: apply } = require('../../lib/commands/apply');
const { run: check } = require('../../lib/commands/check');
const { run: checkpoints } = require('../../lib/commands/checkpoints');
const { run: status } = require('../../lib/commands/status');
const { SMALL_STATUS } = require('../../lib/server/pure/commands');

/**
 * @import { Server } from '../support/server'
 * @import { Context } from '../../lib/base/types'
 */

describe('what looking at a server sends', function () {
  this.timeout(60_000);
  /** @type {Server} */ let server;
  before(async () => {
    server = await startServer();
  });
  after(() => server?.stop());

  /**
   * @param {(ctx: Context) => Promise<unknown>} command
   * @returns {Promise<string[]>}
   */
  async function sentBy(command) {
    const ctx = contextOf(server.client);
    /** @type {string[]} */ const sent = [];
    const port = {
      ...ctx.port,
      adminCommand: (/** @type {any} */ spec) => {
        sent.push(JSON.stringify(spec));
        return ctx.port.adminCommand(spec);
      },
    };
    await command({ ...ctx, port });
    return sent;
  }

  for (const [name, command] of /** @type {[string, (ctx: Context) => Promise<unknown>][]} */ ([
    ['status', (ctx) => status(ctx, { seconds: 0.2 })],
    ['check', (ctx) => check(ctx, { seconds: 0.2 })],
    ['advise', (ctx) => advise(ctx, { seconds: 1, includeHost: false })],
    ['checkpoints', (ctx) => checkpoints(ctx, { seconds: 1 })],
    ['apply that is only shown', (ctx) => apply(ctx, { evictionThreadsMax: 6 })],
  ])) {
    it(`${name}: who the server is, it is asked once`, async () => {
      const sent = await sentBy(command);
      for (const asked of ['{"hello":1}', JSON.stringify(SMALL_STATUS)])
        assert.equal(sent.filter((spec) => spec === asked).length, 1, sent.join('\n'));
    });
  }
});
