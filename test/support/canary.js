'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const vm = require('node:vm');
const zlib = require('node:zlib');
const { inspect } = require('node:util');
const { allCommands } = require('../../lib/shell/registry');

/**
 * @import { Table } from '../../lib/shell/registry'
 */

/**
 * Passwords that must not be seen anywhere, and everything that is said and written while they are
 * in use.
 */

/** What is looked for: the letters before it are written in several ways. */
const CORE = 'anarybird77';
/**
 * As people have them: with signs that must be encoded in a connection string, and that they leave
 * as they are.
 */
const PASSWORD = `c@${CORE}/é`;
const ENCODED = encodeURIComponent(PASSWORD);
const OPTIONS = `tlsCertificateKeyFilePassword=x${CORE}&proxyPassword=y${CORE}&authMechanismProperties=AWS_SESSION_TOKEN:z${CORE},SERVICE_NAME:w${CORE}`;

/**
 * @param {string} host
 * @returns {string[]} connection strings in all forms in which they hold a secret
 */
const urisWith = (host) => [
  `mongodb://joe:${ENCODED}@${host}/`,
  `mongodb://joe:${PASSWORD}@${host}/`,
  `mongodb://joe:"${CORE}'@${host}/`,
  `mongodb+srv://joe:%63${CORE}@${host}/?x=1`,
  `mongodb://${host}/?${OPTIONS}`,
];

/**
 * A call in an example of the help, without what stands around it: `const a = tune.f({ x: 1 }).y` →
 * `tune.f({ x: 1 })`.
 * @param {string} line
 * @returns {string | null}
 */
function callIn(line) {
  const from = line.search(/tune\.[\w.]+\(/);
  if (from < 0) return null;
  let depth = 0;
  for (let at = line.indexOf('(', from); at < line.length; at += 1) {
    if ('([{'.includes(line[at])) depth += 1;
    if (')]}'.includes(line[at])) depth -= 1;
    if (depth === 0) return line.slice(from, at + 1);
  }
  return null;
}

/**
 * Every example of every command, as short and as harmless as it can be.
 * @param {Table} table @returns {{ name: string, call: string }[]}
 */
const callsOf = (table) =>
  allCommands(table).flatMap(([name, { examples }]) =>
    examples.flatMap((line) => {
      const call = callIn(line)
        ?.replace(/(seconds: )\d+/g, '$11')
        .replace(/confirm: true/g, 'confirm: false');
      return call === undefined ? [] : [{ name, call }];
    }),
  );

/**
 * What a call says, however it ends.
 * @param {any} tune
 * @param {string} call
 * @param {Record<string, unknown>} [known] names that the example uses
 * @returns {Promise<string>}
 */
async function said(tune, call, known = {}) {
  try {
    const answer = await vm.runInNewContext(call, { ...known, tune });
    const parts = [answer, answer?.script?.(), answer?.timeline?.()];
    return parts
      .map(
        (part) =>
          `${part}\n${inspect(part, { depth: 12, colors: false })}\n${JSON.stringify(part) ?? ''}`,
      )
      .join('\n');
  } catch (/** @type {any} */ error) {
    return `${error}\n${error?.stack}\n${inspect(error, { depth: 12, showHidden: true })}\n${JSON.stringify(error)}`;
  }
}

/**
 * @param {string} folder
 * @returns {[file: string, text: string][]} unpacked, where they are packed
 */
function filesIn(folder) {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => {
      const file = path.join(one.parentPath, one.name);
      const bytes = fs.readFileSync(file);
      return [
        file,
        (bytes[0] === 0x1f && bytes[1] === 0x8b
          ? zlib.gunzipSync(bytes, { finishFlush: zlib.constants.Z_SYNC_FLUSH })
          : bytes
        ).toString('utf8'),
      ];
    });
}

/** @param {string} what @param {string} text */
function assertNoSecret(what, text) {
  const at = text.search(new RegExp(CORE, 'i'));
  assert.equal(
    at < 0 ? null : `${what}: … ${text.slice(Math.max(0, at - 200), at + 40)} …`,
    null,
    'a password is seen',
  );
}

module.exports = {
  CORE,
  PASSWORD,
  ENCODED,
  OPTIONS,
  urisWith,
  callsOf,
  said,
  filesIn,
  assertNoSecret,
};
