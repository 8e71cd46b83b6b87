'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { temporaryFolder } = require('./cleanup');

// Nothing leaves this machine: no telemetry, no index of snippets, no question for updates.
const QUIET_CONFIG = {
  enableTelemetry: false,
  snippetIndexSourceURLs: '',
  updateURL: '',
  disableGreetingMessage: true,
};

/**
 * A home of its own for mongosh: configuration, history, logs and snippets live there.
 * @param {{ config?: Record<string, unknown>, rc?: string }} [options] settings of mongosh beside
 *   the quiet ones; text of .mongoshrc.js
 * @returns {{ path: string, remove: () => void }}
 */
function makeHome({ config = {}, rc } = {}) {
  const home = temporaryFolder('home');
  const folder = path.join(home.path, '.mongodb', 'mongosh');
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, 'config'), JSON.stringify({ ...QUIET_CONFIG, ...config }));
  if (rc !== undefined) fs.writeFileSync(path.join(home.path, '.mongoshrc.js'), rc);
  return home;
}

module.exports = { makeHome };
