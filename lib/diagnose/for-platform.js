'use strict';

/**
 * @import { Finding } from '../base/pure/finding'
 * @import { Facts } from '../server/pure/types'
 */

/**
 * Removes advice that does not apply to this server: settings of Linux where it runs on Windows,
 * and disks of a mongos, which stores no data.
 */

const OF_LINUX = /sysctl|\bvm\.|swappiness|\/proc\/|\/sys\/|kernel writeback/;
const SENTENCE = /(?<=[.:;]) (?=[A-Z])/;

/**
 * @param {string} text
 * @returns {string} the text without the sentences about Linux
 */
const withoutLinux = (text) =>
  text
    .split(SENTENCE)
    .filter((sentence) => !OF_LINUX.test(sentence))
    .join(' ');

/**
 * @param {readonly string[]} lines
 * @param {Pick<Facts, 'osType'>} facts
 * @returns {string[]}
 */
const explainFor = (lines, { osType }) =>
  osType === 'Windows' ? lines.map(withoutLinux).filter((line) => line !== '') : [...lines];

/**
 * @param {readonly Finding[]} findings
 * @param {Pick<Facts, 'osType' | 'role'>} facts
 * @returns {Finding[]}
 */
function findingsFor(findings, { osType, role }) {
  const ofServer =
    role === 'mongos' ? findings.filter(({ area }) => area !== 'disk') : [...findings];
  if (osType !== 'Windows') return ofServer;
  return ofServer.map((finding) => ({
    ...finding,
    advice: finding.advice === null ? null : withoutLinux(finding.advice) || null,
  }));
}

module.exports = { explainFor, findingsFor, withoutLinux };
