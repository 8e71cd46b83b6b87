'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { spawn } = require('node:child_process');
const { mongod } = require('../support/server');
const { makeHome } = require('../support/home');
const { endWithProcess } = require('../support/cleanup');

/**
 * @import { ChildProcess } from 'node:child_process'
 */

const START = path.join(__dirname, '..', '..', 'scripts', 'start.js');
/** The promise is 90 s on a machine of its own; a test suite beside it takes its share. */
const LIMIT_MS = 170_000;

/**
 * Processes that a demonstration has started, by the folder and the script in their command line.
 * @param {number} pid of it
 */
function leftOver(pid) {
  const folder = `mongosh-tune-${pid}-demo-`;
  const processes = fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => readOr('', `/proc/${name}/cmdline`).includes(folder));
  return [...processes, ...fs.readdirSync(os.tmpdir()).filter((name) => name.startsWith(folder))];
}

/** @param {string} fallback @param {string} file */
function readOr(fallback, file) {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch (_gone) {
    return fallback;
  }
}

describe('npm start, without a terminal', function () {
  this.timeout(LIMIT_MS);
  before(async () => {
    process.env.MONGOMS_SYSTEM_BINARY ??= (await mongod()).path;
  });

  /** @param {(text: string, child: ChildProcess) => void} [onText] */
  async function start(onText = () => {}) {
    const home = makeHome();
    const child = spawn(process.execPath, [START], {
      env: { ...process.env, HOME: home.path },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const forget = endWithProcess(() => child.kill('SIGTERM'));
    const began = performance.now();
    let firstMs = Infinity;
    let text = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (more) => {
        firstMs = Math.min(firstMs, performance.now() - began);
        text += more;
        onText(text, child);
      });
    const code = await new Promise((resolve) => child.once('close', resolve));
    forget();
    home.remove();
    return { code, text, firstMs, pid: Number(child.pid) };
  }

  it('walks through the main job on its own server and leaves nothing behind', async () => {
    const { code, text, firstMs, pid } = await start();
    assert.equal(code, 0, text);
    assert.ok(firstMs < 10_000, `first line after ${firstMs} ms`);
    for (const wanted of [
      /tune> before = tune\.status/,
      /BOTTLENECK +cache-dirty/,
      /RECOMMENDED +cacheSizeGB: /,
      /DRY RUN: nothing was changed/,
      /change done and verified/,
      /writesPerSec/,
      /undo done and verified/,
      /undone/,
    ])
      assert.match(text, wanted);
    assert.deepEqual(leftOver(pid), []);
  });

  it('Ctrl-C cleans up, too', async () => {
    let sent = false;
    const { code, pid } = await start((text, child) => {
      if (sent || !/ sample\b/.test(text)) return;
      sent = true;
      child.kill('SIGINT');
    });
    assert.ok(sent);
    assert.equal(code, 0);
    assert.deepEqual(leftOver(pid), []);
  });
});
