'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { filesUnder } = require('../../lib/collect/host/root-files');
const { makeLook } = require('../../lib/collect/host/look');
const { recordedLooks } = require('../../lib/collect/host/recorded-files');

const HOSTS = path.join(__dirname, '../hosts');
const MS_BETWEEN = 1000;

/** @returns {string[]} the hosts there are */
const hostNames = () =>
  fs
    .readdirSync(HOSTS, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);

/**
 * One of test/hosts, looked at as often as it has files for.
 * @param {string} name
 * @param {Partial<import('../../lib/collect/host/part').Subject>} [more] instead of what its
 *   subject.json says
 * @returns {{
 *   looks: import('../../lib/collect/host/look').Look[],
 *   subject: import('../../lib/collect/host/part').Subject, root: string
 * }}
 */
function openHost(name, more = {}) {
  const root = path.join(HOSTS, name);
  const later = path.join(root, 'later');
  const overlays = fs.existsSync(later)
    ? fs
        .readdirSync(later)
        .sort((a, b) => Number(a) - Number(b))
        .map((number) => path.join(later, number))
    : [];
  // What changed last counts: the second look has the files of later/1 over those of the host.
  const links = linksOf(root);
  const looks = [0, ...overlays].map((_, i) =>
    makeLook(
      withLinks(filesUnder([...overlays.slice(0, i).reverse(), root], {}), links),
      i * MS_BETWEEN,
    ),
  );
  return {
    looks,
    subject: { ...JSON.parse(fs.readFileSync(path.join(root, 'subject.json'), 'utf8')), ...more },
    root,
  };
}

/**
 * Links are lines of a file: not every checkout and archive keeps them.
 * @param {string} root
 * @returns {Map<string, string>}
 */
function linksOf(root) {
  const lines = fs.readFileSync(path.join(root, '.links'), 'utf8').split('\n').filter(Boolean);
  return new Map(lines.map((line) => /** @type {[string, string]} */ (line.split(' -> '))));
}

/**
 * @param {import('../../lib/collect/host/look').Files} files
 * @param {Map<string, string>} links
 * @returns {import('../../lib/collect/host/look').Files}
 */
const withLinks = (files, links) => ({
  ...files,
  link: async (file) => links.get(file) ?? files.link(file),
});

/**
 * A few files that need no folder.
 * @param {Record<string, string>[]} all of each look; what a later one does not have did not change
 * @param {Partial<Pick<import('../../lib/collect/host/recorded-files').HostDocument, 'links' |
 *   'commands' | 'failed'>>} [more]
 */
const looksOf = (all, { links = {}, commands = {}, failed = {} } = {}) =>
  recordedLooks({
    format: 'mongosh-tune host',
    version: 1,
    pid: null,
    dbPath: null,
    port: null,
    links,
    commands,
    failed,
    looks: all.map((files, i) => ({ atMs: i * MS_BETWEEN, files })),
  });

module.exports = { openHost, hostNames, looksOf };
