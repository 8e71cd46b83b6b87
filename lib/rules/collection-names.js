'use strict';

const BUCKETS = '.system.buckets.';

/**
 * @param {{ ns: string, index: string | null }} file of a collection or an index
 * @returns {string} as a user calls it
 */
const nameOf = ({ ns, index }) => `${ns.replace(BUCKETS, '.')}${index === null ? '' : ` ${index}`}`;

module.exports = { nameOf };
