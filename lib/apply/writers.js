'use strict';

/**
 * Who wrote a line of the journal: a process of this computer, which may be gone.
 * @param {number | undefined} pid undefined: a line that does not tell
 * @returns {boolean} whether another process of that number runs. It may be another program by now: where that matters the user has { force: true }
 */
function isAlive(pid) {
  if (pid === undefined || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}

module.exports = { isAlive };
