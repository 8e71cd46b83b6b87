'use strict';

// Writes schemas/ from the types that the commands declare. With --check it writes nothing and fails
// where a schema differs.
const path = require('node:path');
const { differing, write } = require('./documents/folder');
const { answerSchemas } = require('./documents/schema/answers');

const FOLDER = path.join(__dirname, '..', 'schemas');

/** @returns {Map<string, string>} file name → text */
const wantedFiles = () =>
  new Map(
    [...answerSchemas()].map(([name, schema]) => [
      `${name}.json`,
      `${shortLines(JSON.stringify(schema, null, 1))}\n`,
    ]),
  );

/**
 * Puts each short list or object of plain values on one line, as people write it.
 * @param {string} json
 */
const shortLines = (json) =>
  [LIST, OBJECT].reduce(
    (text, pattern) =>
      text.replace(pattern, (whole, open, values, close) => {
        const space = open === '{' ? ' ' : '';
        const line = open + space + values.replace(/,\n\s+/g, ', ') + space + close;
        return line.length <= MAX_LENGTH ? line : whole;
      }),
    json,
  );
const MAX_LENGTH = 80;
const LIST = /(\[)\n\s+("[^"\n]*"(?:,\n\s+"[^"\n]*")*)\n\s+(\])/g;
/** Of words, numbers, and lists that are on one line. */
const OBJECT = /(\{)\n\s+((?:"[^"\n]*": (?:"[^"\n]*"|[\w.-]+|\[[^\]\n]*\])(?:,\n\s+)?)+)\n\s+(\})/g;

/**
 * @param {string[]} args
 * @param {{
 *   folder?: string, wanted?: Map<string, string>, out?: Pick<Console, 'log' | 'error'>
 * }} [options]
 * @returns {number} exit code
 */
function main(args, { folder = FOLDER, wanted = wantedFiles(), out = console } = {}) {
  const names = differing(folder, wanted);
  if (args.includes('--check')) {
    if (names.length > 0)
      out.error(
        'These schemas differ from what the commands declare; run npm run schemas, and read git ' +
          `diff: what is removed or changed is a breaking change (docs/stability.md):\n${names
            .map((name) => `  schemas/${name}`)
            .join('\n')}`,
      );
    return names.length > 0 ? 1 : 0;
  }
  write(folder, wanted, names);
  out.log(names.length === 0 ? 'schemas: nothing to do' : `schemas: wrote ${names.join(', ')}`);
  return 0;
}

if (require.main === module) process.exitCode = main(process.argv.slice(2));

module.exports = { main };
