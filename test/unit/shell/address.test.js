'use strict';

const assert = require('node:assert/strict');
const { MongoClient } = require('mongodb');
const { addressOf } = require('../../../lib/shell/member-connection');

/** What a client would do that is made from it. @param {MongoClient} client */
function again(client) {
  const { uri, options } = addressOf(client);
  // It goes over a channel between two processes.
  return new MongoClient(uri, /** @type {any} */ (structuredClone(options))).options;
}

describe('where a connection leads, for another process', () => {
  it('mongosh tells it whole', () =>
    assert.deepEqual(addressOf({ getURI: () => 'mongodb://u:p@h:1/?tls=true' }), {
      uri: 'mongodb://u:p@h:1/?tls=true',
      options: {},
    }));

  it('a client of the driver: hosts, replica set, login, certificates, write concern', () => {
    const client = new MongoClient(
      'mongodb://us%40er:pa%3Ass@h1:1,h2:2/?replicaSet=rs&authSource=other&w=majority&authMechanism=SCRAM-SHA-256',
      { tls: true, ca: 'CA', tlsAllowInvalidHostnames: true },
    );
    const made = again(client);
    assert.deepEqual(made.hosts.map(String), ['h1:1', 'h2:2']);
    assert.deepEqual(
      [made.replicaSet, made.tls, made.ca, made.writeConcern.w],
      ['rs', true, 'CA', 'majority'],
    );
    const { username, password, source, mechanism } = made.credentials;
    assert.deepEqual(
      [username, password, source, mechanism],
      ['us@er', 'pa:ss', 'other', 'SCRAM-SHA-256'],
    );
  });

  it('nobody logged in, one server, a load balancer', () => {
    assert.deepEqual(
      [again(new MongoClient('mongodb://h/?directConnection=true'))].map(
        ({ directConnection, credentials }) => [directConnection, credentials],
      ),
      [[true, undefined]],
    );
    assert.equal(again(new MongoClient('mongodb://h/?loadBalanced=true')).loadBalanced, true);
  });

  it('anything else is none', () => {
    for (const wrong of [null, {}, { getURI: () => undefined }, { options: {} }])
      assert.throws(() => addressOf(wrong), { code: 'TUNE-10002' });
  });
});
