'use strict';

const fs = require('node:fs/promises');

/**
 * When this machine was started.
 * @returns {Promise<number | null>} ms since 1970; null where it is not known
 */
async function bootTime() {
  const text = await fs.readFile('/proc/stat', 'utf8').catch(() => '');
  const seconds = Number(/^btime (\d+)$/m.exec(text)?.[1]);
  return seconds > 0 ? seconds * 1000 : null;
}

module.exports = { bootTime };
