'use strict';

const { PARTS } = require('./samples/record');
const { renderSample } = require('./samples/list');
const { writePages } = require('./samples/pages');

/**
 * npm run samples [-- walk pinned …]: runs the commands of the samples in the pages on real servers,
 * keeps what was answered in test/samples, and writes the pages. Takes four minutes on two busy cores. `npm run
 * docs` alone writes the pages from what is kept.
 */

/** @param {readonly string[]} asked all of them by default */
async function main(asked) {
  const parts = asked.length > 0 ? asked : Object.keys(PARTS);
  const unknown = parts.filter((part) => !Object.hasOwn(PARTS, part));
  if (unknown.length > 0)
    throw new Error(
      `no samples "${unknown.join(', ')}"; there are ${Object.keys(PARTS).join(', ')}`,
    );
  for (const part of parts) {
    console.log(part);
    await PARTS[part]();
  }
  for (const page of writePages(renderSample)) console.log(`wrote ${page}`);
}

main(process.argv.slice(2)).then(
  () => process.exit(0),
  (error) => {
    console.error(error);
    process.exit(1);
  },
);
