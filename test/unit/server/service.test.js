'use strict';

const assert = require('node:assert/strict');
const { collectServer } = require('../../../lib/server/facts');
const { isAtlas, refuseAtlas } = require('../../../lib/server/identity');

const HOUR_MS = 3_600_000;
const ATLAS_HOST = 'ac-abc-shard-00-01.xyz12.mongodb.net:27017';

/** @param {{ hello?: any, status?: any, whole?: any, build?: any }} answers */
function port({ hello = {}, status = {}, whole = status, build = {} }) {
  let asked = 0;
  return /** @type {any} */ ({
    adminCommand: async (/** @type {any} */ spec) => {
      if (spec.hello) return hello;
      if (spec.hostInfo) return {};
      if (spec.buildInfo) return build;
      return asked++ === 0 ? status : whole;
    },
  });
}

describe('server/identity: what only speaks the protocol (forms after the documentation of each)', () => {
  for (const [what, answers, name] of /** @type {[string, any, RegExp][]} */ ([
    [
      'Amazon DocumentDB',
      { hello: { me: 'docdb-1.abc.eu-west-1.docdb.amazonaws.com:27017' } },
      /this is Amazon DocumentDB\. Use its CloudWatch/,
    ],
    [
      'Azure Cosmos DB',
      { hello: { primary: 'c.mongocluster.cosmos.azure.com:10260' } },
      /this is Azure Cosmos DB\./,
    ],
    ['Atlas M0 and Flex', { status: { host: ATLAS_HOST } }, /Atlas of a free or Flex tier/],
    ['FerretDB', { build: { ferretdb: { version: '2.5.0' } } }, /this is FerretDB/],
    ['another', {}, /no mongod with WiredTiger/],
  ]))
    it(`${what} is refused at once, with what to do there`, () =>
      assert.rejects(
        collectServer(port({ ...answers, status: { uptimeMillis: HOUR_MS, ...answers.status } })),
        (/** @type {any} */ error) => error.code === 'TUNE-20002' && name.test(error.message),
      ));
  it('a server that has just started may not have its engine yet', async () => {
    await collectServer(port({ status: { uptime: 60 } }));
    await assert.rejects(collectServer(port({ status: { uptime: 61 } })), { code: 'TUNE-20002' });
  });
  it('a mongod that does not name its engine and shows it is one', async () => {
    await collectServer(port({ status: { uptime: 999 }, whole: { wiredTiger: {} } }));
    await collectServer(port({ status: {} }));
  });
  it('a change on Atlas is refused before anything is sent', () => {
    assert.equal(isAtlas(ATLAS_HOST), true);
    for (const host of ['db1.example.com:27017', 'mongodb.net.example.com:27017', null])
      assert.equal(isAtlas(host), false);
    assert.throws(() => refuseAtlas({ host: 'vm', me: ATLAS_HOST }), { code: 'TUNE-20007' });
    assert.throws(() => refuseAtlas({ host: ATLAS_HOST }), { code: 'TUNE-20007' });
    refuseAtlas({ host: 'vm:27017', me: null });
  });
});
