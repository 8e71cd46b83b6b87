'use strict';
// npm run release [-- --publish] [-- --out FOLDER]: checks, packs and, on a build server,
// publishes. Without --publish nothing leaves the machine.

const fs = require('node:fs');
const path = require('node:path');
const { CHECKS } = require('./release/checks');
const { publish, whyNoProvenance, writeRelease } = require('./release/publish');

const ROOT = path.join(__dirname, '..');
const USAGE = 'npm run release -- [--publish] [--out FOLDER]';

/**
 * @typedef {import('./release/checks').Place} Place
 * @typedef {Pick<Console, 'log' | 'error'>} Out
 */

/**
 * @param {string[]} args
 * @param {{ root?: string, env?: NodeJS.ProcessEnv, out?: Out }} [options] `root`: the package
 * @returns {number} exit code: 0 it may go out (with --publish: it is out), 1 it may not, 2 wrong
 *   arguments
 */
function main(args, { root = ROOT, env = process.env, out = console } = {}) {
  const asked = readArgs(args);
  if (asked === null) {
    out.error(`These are not its arguments: ${args.join(' ')}. ${USAGE}`);
    return 2;
  }
  const place = {
    root,
    env,
    manifest: JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')),
  };
  const { name, version } = place.manifest;
  out.log(`${name} ${version}, ${asked.publish ? 'to be published' : 'dry run'}`);
  if (!mayGoOut(place, asked.publish, out)) {
    out.error(`\n${name} ${version} does not go out.`);
    return 1;
  }
  const [tarball, ...alongside] = writeRelease(place, path.resolve(root, asked.folder));
  out.log(`written          ${[tarball, ...alongside].join('\n                 ')}`);
  return asked.publish ? send(place, tarball, out) : sayHow(place, out);
}

/** @param {string[]} args @returns {{ publish: boolean, folder: string } | null} */
function readArgs(args) {
  const rest = args.filter((arg) => arg !== '--publish');
  if (rest.length === 0) return { publish: args.length > 0, folder: 'tmp/release' };
  return rest.length === 2 && rest[0] === '--out'
    ? { publish: rest.length < args.length, folder: rest[1] }
    : null;
}

/**
 * Makes every check, also after one that failed: all of it can be put right at once.
 * @param {Place} place
 * @param {boolean} forGood
 * @param {Out} out
 */
function mayGoOut(place, forGood, out) {
  let good = true;
  for (const [name, check] of Object.entries(CHECKS)) {
    if (name === 'tests' && !good) out.log('tests            not run: the rest comes first');
    else if (!passes(name, check(place), forGood, out)) good = false;
  }
  const unproven = forGood ? whyNoProvenance(place) : null;
  if (unproven !== null) out.log(`provenance       NO: ${unproven}`);
  return good && unproven === null;
}

/**
 * What nobody could tell is said in a dry run, and is not good enough for the world.
 * @param {string} name
 * @param {import('./release/checks').Answer} answer
 * @param {boolean} forGood
 * @param {Out} out
 */
function passes(name, answer, forGood, out) {
  const refused = 'wrong' in answer || ('unknown' in answer && forGood);
  out.log(`${name.padEnd(16)} ${refused ? 'NO: ' : ''}${Object.values(answer)[0]}`);
  return !refused;
}

/** @param {Place} place @param {string} tarball @param {Out} out */
function send(place, tarball, out) {
  const code = publish(place, tarball);
  out.log(
    code === 0
      ? `published. Now: git tag v${place.manifest.version} && git push origin ` +
          `v${place.manifest.version}`
      : `npm publish ended with ${code}; nothing was tagged`,
  );
  return code === 0 ? 0 : 1;
}

/** @param {Place} place @param {Out} out */
function sayHow(place, out) {
  const unproven = whyNoProvenance(place);
  out.log(
    'Nothing was sent. npm run release -- --publish sends ' +
      `it${unproven ? `; not from here: ${unproven}` : ''}.`,
  );
  return 0;
}

if (require.main === module) process.exitCode = main(process.argv.slice(2));

module.exports = { main };
