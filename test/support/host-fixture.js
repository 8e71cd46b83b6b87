'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { recordedSnapshots } = require('../../lib/host/host-file');

/**
 * @import { Gathered, Subject } from '../../lib/host/snapshot'
 * @import { HostDocument } from '../../lib/host/types'
 */

const HOSTS = path.join(__dirname, '../hosts');
const MS_BETWEEN = 1000;

/** @returns {string[]} the hosts there are */
const hostNames = () =>
  fs
    .readdirSync(HOSTS)
    .filter((file) => path.extname(file) === '.json')
    .map((file) => path.basename(file, '.json'));

/**
 * One of test/hosts, with as many looks as its document has.
 * @param {string} name
 * @param {Partial<Subject>} [more] instead of what the
 *   document says
 * @returns {{
 *   snapshots: Gathered[],
 *   subject: Subject
 * }}
 */
function openHost(name, more = {}) {
  /** @type {HostDocument} */
  const document = JSON.parse(fs.readFileSync(path.join(HOSTS, `${name}.json`), 'utf8'));
  const { pid, dbPath, port } = document;
  return {
    snapshots: recordedSnapshots(document),
    subject: { pid, dbPath, port, interface: null, ...more },
  };
}

/**
 * A few files that need no document of their own.
 * @param {Record<string, string>[]} all of each sample; what a later one does not have did not change
 * @param {Partial<Pick<HostDocument, 'links' | 'commands' | 'failed'>>} [more]
 */
const snapshotsOf = (all, { links = {}, commands = {}, failed = {} } = {}) =>
  recordedSnapshots({
    format: 'mongosh-tune host',
    version: 1,
    pid: null,
    dbPath: null,
    port: null,
    links,
    commands,
    failed,
    snapshots: all.map((files, i) => ({ atMs: i * MS_BETWEEN, files })),
  });

module.exports = { openHost, hostNames, snapshotsOf };
