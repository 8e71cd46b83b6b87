'use strict';

/**
 * Does something at once and then at a fixed rate; a beat is skipped while the last one still runs.
 * @param {number} ms
 * @param {() => Promise<void>} work
 * @param {(error: unknown) => void} fail
 * @returns {() => void} stops it
 */
function every(ms, work, fail) {
  let isBusy = false;
  const beat = () => {
    if (isBusy) return;
    isBusy = true;
    work()
      .catch(fail)
      .finally(() => {
        isBusy = false;
      });
  };
  beat();
  const timer = setInterval(beat, ms);
  return () => clearInterval(timer);
}

module.exports = { every };
