'use strict';

const assert = require('node:assert/strict');
const { connectTo } = require('../../../lib/shell/member-connection');

describe('shell/connect', () => {
  it("asks the shell's provider for a connection of its own, as this one is", async () => {
    const seen = [];
    const member = {
      runCommandWithCheck: async (database, command) => {
        seen.push([database, command]);
        return { ok: 1 };
      },
      close: async () => {
        seen.push('closed');
      },
    };
    const provider = {
      getURI: () => 'mongodb://u:p@a:1,b:2/?replicaSet=rs&tls=true',
      getNewConnection: async (uri) => {
        seen.push(uri);
        return member;
      },
    };
    const { port, close } = await connectTo(provider, 'b:2');
    await port.adminCommand({ ping: 1 });
    await close();
    assert.deepEqual(seen, [
      'mongodb://u:p@b:2/?tls=true&directConnection=true&serverSelectionTimeoutMS=3000&connectTimeoutMS=3000',
      ['admin', { ping: 1 }],
      'closed',
    ]);
  });
  it('rejects as the driver does', () =>
    assert.rejects(
      connectTo(
        {
          getURI: () => 'mongodb://a',
          getNewConnection: async () => {
            throw new Error('ECONNREFUSED');
          },
        },
        'b:2',
      ),
      /ECONNREFUSED/,
    ));
});
