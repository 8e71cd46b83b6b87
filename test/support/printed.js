'use strict';

/**
 * The calls that an answer or a message of a split prints, in its order.
 * @param {unknown} text
 * @returns {string[]}
 */
function printedCalls(text) {
  const joined = String(text)
    .split('\n')
    .reduce((all, line) => `${all}${all.endsWith(' ') ? '' : ' '}${line.trim()}`, '');
  return [...joined.matchAll(CALL)].map(([call]) => call);
}

const CALL =
  /db\.getSiblingDB\("[^"]+"\)\.(?:getCollection\("[^"]+"\)\.renameCollection\("[^"]+"\)|(?:runCommand|createView)\(.*?\}\]?\)(?= |$))|tune\.split\.\w+\("[^"]+"(?:, \{[^}]*\})?\)/g;

module.exports = { printedCalls };
