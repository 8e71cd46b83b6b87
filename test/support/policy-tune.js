'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { makeTune } = require('../../lib/shell/tune');
const { listCommands } = require('../../lib/shell/registry');
const { openerOf, senderOf } = require('../../lib/shell/port');
const { addressOf, connectTo } = require('../../lib/shell/member-connection');
const { reach } = require('../../lib/shell/uri-connection');
const { temporaryFolder } = require('./cleanup');

/**
 * @import { MongoClient } from 'mongodb'
 */

/**
 * tune as a program gets it, under a policy of the machine and one of the user.
 * @typedef {{ system?: string, user?: string, env?: NodeJS.ProcessEnv, home?: string }} Policies
 * @param {MongoClient} client
 * @param {Policies} [policies]
 * @param {Record<string, unknown>[]} [sent] gets what is sent
 */
function tuneOf(
  client,
  { system, user, env = {}, home = temporaryFolder('home').path } = {},
  sent = [],
) {
  const systemFile = path.join(temporaryFolder('etc').path, 'policy.yaml');
  if (system !== undefined) fs.writeFileSync(systemFile, system);
  if (user !== undefined) fs.writeFileSync(path.join(home, 'policy.yaml'), user);
  const send = senderOf(client);
  const tune = makeTune(listCommands(), {
    send: (database, spec, options) => {
      sent.push(/** @type {any} */ (spec));
      return send(database, spec, options);
    },
    open: openerOf(() => client),
    address: () => addressOf(client),
    connect: (host) => connectTo(client, host),
    reach: (uri, ms) => reach(null, uri, ms),
    home,
    policyPlaces: { systemFile, env },
    terminal: /** @type {any} */ ({ isTTY: false, columns: 80, write() {} }),
    progress: () => () => {},
    guard: (job) => job.run(new AbortController().signal),
  });
  return { tune: /** @type {any} */ (tune), home };
}

module.exports = { tuneOf };
