'use strict';

/**
 * Does something at most so often, wherever it is asked to.
 * @param {number} ms from its last end to its next begin
 * @param {(() => Promise<unknown>) | null} doIt null: there is nothing to do
 * @returns {() => Promise<void>}
 */
function atMostEvery(ms, doIt) {
  let at = Date.now();
  return async () => {
    if (doIt === null || Date.now() - at < ms) return;
    await doIt();
    at = Date.now();
  };
}

module.exports = { atMostEvery };
