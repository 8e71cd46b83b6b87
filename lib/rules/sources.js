'use strict';

/**
 * Sources of thresholds and advice, each with its title and address, so that a reader can follow
 * it. What the project measured has a page in docs/evidence; a figure without a source of its own
 * is called a heuristic.
 */

/** @param {string} title @param {string} path @returns {string} */
const manual = (title, path) => `MongoDB manual, ${title} (https://www.mongodb.com/docs/${path})`;

const OPTIONS = 'manual/reference/configuration-options/';
const PARAMETERS = 'manual/reference/parameters/';

/** A start-up option of mongod. @param {string} name */
const option = (name) => manual(name, OPTIONS);

/** A server parameter. @param {string} name */
const parameter = (name) => manual(name, PARAMETERS);

/** @param {string} what a section or field of serverStatus */
const serverStatus = (what) =>
  manual(`serverStatus: ${what}`, 'manual/reference/command/serverStatus/');

/** @param {string} what */
const productionNotes = (what) =>
  manual(`Production Notes: ${what}`, 'manual/administration/production-notes/');

/** @param {string} id of a ticket @param {string} what it says */
const ticket = (id, what) => `${id}: ${what} (https://jira.mongodb.org/browse/${id})`;

/** @param {string} what @param {string} page */
const wiredTiger = (what, page) =>
  `WiredTiger documentation, ${what} (https://source.wiredtiger.com/develop/${page}.html)`;

/** @param {string} what */
const wiredTigerSource = (/** @type {string} */ what, /** @type {string} */ file) =>
  `WiredTiger source, ${what} (https://github.com/wiredtiger/wiredtiger/blob/develop/${file})`;

/** A statistic, by the name that serverStatus shows. @param {string} name */
const statistic = (name) => wiredTigerSource(`statistic "${name}"`, 'dist/stat_data.py');

/** @param {string} what @param {string} page */
const kernel = (what, page) =>
  `Linux kernel documentation, ${what} (https://docs.kernel.org/${page}.html)`;

/** @param {string} page @param {number} section @param {string} [what] */
const man = (page, section, what) =>
  `${page}(${section})${what === undefined ? '' : `, ${what}`} ` +
  `(https://man7.org/linux/man-pages/man${section}/${page}.${section}.html)`;

/** Tests that others published; docs/evidence/published-tests.md has their conditions. */
const S390X = 'one s390x test, 24 cores, mostly reads (docs/evidence/published-tests.md)';
const OPPO =
  'MongoDB High-Throughput Cluster Optimization, 2022 ' +
  '(https://www.besthub.dev/articles/mongodb-high-throughput-cluster-optimization-software-configuration-and-storage-engine-tuning-7aa1c39e800b)';
const IIBENCH =
  'MongoDB 3.2 WiredTiger in iiBench, Percona blog, 2015 ' +
  '(https://www.percona.com/blog/2015/12/15/mongodb-3-2-wiredtiger-in-iibench/)';
const ZFS_TEST =
  'MongoDB Performance on ZFS and Linux, 2016 ' +
  '(http://www.clock.co.uk/blog/mongodb-performance-on-zfs-and-linux)';

/** @param {string} page of docs/evidence */
const measured = (page) => `project measurement (docs/evidence/${page}.md)`;

/** A page of the manual of Linux, such as proc_stat(5), is written as it is called. */
const MANUAL_PAGE = /^[a-z_0-9]+\(\d\)/;

/**
 * Several sources as one text.
 * @param {...string} list
 */
function sources(...list) {
  const text = list.join('; ');
  return `${MANUAL_PAGE.test(text) ? text[0] : text[0].toUpperCase()}${text.slice(1)}.`;
}

module.exports = {
  sources,
  manual,
  option,
  parameter,
  serverStatus,
  productionNotes,
  ticket,
  wiredTiger,
  wiredTigerSource,
  statistic,
  kernel,
  man,
  measured,
  S390X,
  OPPO,
  IIBENCH,
  ZFS_TEST,
};
