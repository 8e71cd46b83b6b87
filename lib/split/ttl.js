'use strict';

/** Seconds, 68 years: a TTL index cannot lose its option, but no document is that old. */
const NEVER_SECONDS = 2_147_483_647;

/**
 * Only where the data is documents may expire: what expired in a copy alone would be missing after
 * a cutover or a rollback, and no event would say so.
 * @param {any} index as it is to be made in the copy
 */
const unexpiring = (index) =>
  index.expireAfterSeconds === undefined ? index : { ...index, expireAfterSeconds: NEVER_SECONDS };

module.exports = { NEVER_SECONDS, unexpiring };
