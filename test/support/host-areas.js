'use strict';

const path = require('node:path');
const { openHost, snapshotsOf } = require('./host-fixture');
const { collectPart } = require('../../lib/host/snapshot');

const area = (/** @type {string} */ name) =>
  require(path.join(__dirname, '../../lib/host/areas', name));
const SUBJECT = { pid: 7, dbPath: null, port: 27017, interface: null };

/**
 * The values of one area on a host of test/hosts, from its first two samples, one second apart.
 * @param {string} name
 * @param {string} host
 * @param {object} [subject]
 */
async function areaOfHost(name, host, subject = {}) {
  const opened = openHost(host, subject);
  const snapshots = opened.snapshots.slice(0, 2);
  for (const snapshot of snapshots) await area(name).snap?.(snapshot, opened.subject);
  return collectPart(area(name).values(snapshots, opened.subject));
}

/**
 * The values of one area from files that are given, one object for each sample.
 * @param {string} name
 * @param {Record<string, string>[]} files
 * @param {{ links?: Record<string, string>, failed?: Record<string, string>, subject?: object }}
 *   [more]
 */
async function areaOfFiles(name, files, { subject = {}, ...more } = {}) {
  return collectPart(area(name).values(snapshotsOf(files, more), { ...SUBJECT, ...subject }));
}

module.exports = { areaOfHost, areaOfFiles };
