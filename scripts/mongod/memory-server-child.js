'use strict';
// Runs apart because mongodb-memory-server waits a minute for bytes, tries again, and prints to the
// console as it likes.

const { MongoBinary } = require('mongodb-memory-server-core/lib/util/MongoBinary');
const { DryMongoBinary } = require('mongodb-memory-server-core/lib/util/DryMongoBinary');

// An answer of the site that was not read to its end keeps the process alive.
const end = () => process.exit();
main().then(
  (value) => answer(value, end),
  (error) => answer({ why: error instanceof Error ? error.message : String(error) }, end),
);

async function main() {
  const options = await DryMongoBinary.generateOptions({ version: '' });
  const cached = await DryMongoBinary.locateBinary(options);
  if (cached !== undefined) return { path: cached };
  if (process.argv[2] !== 'download') return { why: `not in the cache (${options.version})` };
  answer({ downloading: options.version, folder: options.downloadDir });
  return { path: await MongoBinary.getPath({ ...options, systemBinary: '' }) };
}

/**
 * One line of JSON; everything else that is printed is not for us.
 * @param {object} value
 * @param {() => void} [done]
 */
function answer(value, done) {
  process.stdout.write(`\n@${JSON.stringify(value)}\n`, done);
}
