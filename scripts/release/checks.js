'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { addressOf } = require('./address');
const { pack, whatIsWrong } = require('./contents');
const { run } = require('./run');

/**
 * @import { Ended } from './run'
 */

/**
 * What must hold before a version goes out. Each check answers with what it found, or why not;
 * `unknown` where it could not be told.
 * @typedef {{ root: string, env: NodeJS.ProcessEnv, manifest: Record<string, any> }} Place
 * @typedef {{ good: string } | { wrong: string } | { unknown: string }} Answer
 */

/** What npm runs by itself when somebody installs a package. */
const INSTALL_HOOKS = [
  'preinstall',
  'install',
  'postinstall',
  'preprepare',
  'prepare',
  'postprepare',
];

/** What tells a reader how to get tune. */
const INSTALL_TEXTS = Object.freeze(['README.md', 'docs/install.md', 'SECURITY.md']);
/** @param {string} file */
const isUnpublished = (file) =>
  fs.existsSync(file) && /(?:not|nothing is) published yet/i.test(fs.readFileSync(file, 'utf8'));

/**
 * @type {Readonly<Record<string, (place: Place) => Answer>>} in the order they are made: what is
 *   quick first
 */
const CHECKS = Object.freeze({
  tree: (place) => {
    const { code, stdout, stderr } = run(place, 'git', ['status', '--porcelain']);
    if (code !== 0) return { wrong: `git status failed: ${stderr.trim()}` };
    const lines = stdout.split('\n').filter(Boolean);
    return lines.length === 0
      ? { good: 'everything is committed' }
      : { wrong: `not committed: ${lines.map((line) => line.slice(3)).join(', ')}` };
  },
  changelog: ({ root, manifest: { version } }) => {
    const entry = entryOf(fs.readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8'), version);
    if (entry === null)
      return { wrong: `CHANGELOG.md has no entry "## ${version} - year-month-day"` };
    if (entry.day === null)
      return {
        wrong:
          `the entry of ${version} in CHANGELOG.md has no day: write "## ${version} - ` +
          'year-month-day"',
      };
    return entry.lines === 0
      ? { wrong: `the entry of ${version} in CHANGELOG.md says nothing` }
      : { good: `${version} of ${entry.day}, lines that say what is new: ${entry.lines}` };
  },
  tag: (place) => {
    const tag = `v${place.manifest.version}`;
    const { code, stdout, stderr } = run(place, 'git', ['tag', '--list', tag]);
    if (code !== 0) return { wrong: `git tag failed: ${stderr.trim()}` };
    return stdout.trim() === ''
      ? { good: `${tag} is free` }
      : { wrong: `${tag} is there already: that version is out; choose the next one` };
  },
  repository: ({ manifest }) => {
    const address = addressOf({ repository: manifest.repository });
    return address === ''
      ? {
          wrong:
            'package.json names no "repository", the one place for the address of the project: ' +
            '"repository": "github:owner/name"',
        }
      : { good: address };
  },
  'install texts': ({ root }) => {
    const old = INSTALL_TEXTS.filter((file) => isUnpublished(path.join(root, file)));
    return old.length === 0
      ? { good: 'none says that it is not published' }
      : { wrong: `"not published yet" is still in ${old.join(', ')}` };
  },
  'install scripts': ({ manifest: { scripts = {} } }) => {
    const hooks = INSTALL_HOOKS.filter((hook) => hook in scripts);
    return hooks.length === 0
      ? { good: 'none: nothing runs when it is installed' }
      : { wrong: `package.json has ${hooks.join(', ')}` };
  },
  contents: (place) => {
    const packed = pack(place);
    const wrong = whatIsWrong(packed);
    return wrong
      ? { wrong }
      : {
          good: `${packed.files.length} files, ${packed.unpackedSize} bytes, ${packed.size} packed`,
        };
  },
  audit: (place) => judgeAudit(run(place, 'npm', ['audit', '--omit=dev', '--json'])),
  tests: (place) => {
    for (const args of [['test'], ['run', 'test:all']]) {
      const { code } = run(place, 'npm', args, { shown: true });
      if (code !== 0) return { wrong: `npm ${args.join(' ')} ended with ${code}` };
    }
    return { good: 'npm test and npm run test:all passed' };
  },
});

/**
 * @param {string} text of CHANGELOG.md
 * @param {string} version
 * @returns {{ day: string | null, lines: number } | null}
 */
function entryOf(text, version) {
  const part = text
    .split(/^## /m)
    .slice(1)
    .find((one) => one.split(/\s/)[0] === version);
  if (part === undefined) return null;
  return {
    day: /^\S+ - (\d{4}-\d\d-\d\d)$/m.exec(part)?.[1] ?? null,
    lines: part.split('\n').filter((line) => line.startsWith('- ')).length,
  };
}

/** @param {Ended} ended @returns {Answer} */
function judgeAudit({ stdout, stderr }) {
  /** @type {Record<string, number> | undefined} */
  const counts = parsed(stdout)?.metadata?.vulnerabilities;
  // A registry without that service, or no network, says nothing of the packages.
  if (counts === undefined)
    return {
      unknown:
        'the registry could not be asked: ' +
        `${parsed(stdout)?.message ?? stderr.trim().split('\n').at(-1)}`,
    };
  return counts.total === 0
    ? { good: 'no known vulnerability in what is shipped' }
    : { wrong: `${counts.total} known vulnerabilities; npm audit --omit=dev names them` };
}

/** @param {string} text @returns {any} undefined where it is no JSON */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch (_notJson) {
    return undefined;
  }
}

module.exports = { CHECKS, INSTALL_TEXTS, isUnpublished };
