'use strict';

const { execFile } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { promisify } = require('node:util');
const { cacheFolder, fillFolder } = require('../mongod/cache');

const run = promisify(execFile);

/** A release whose modules the proxy of Go has. `go install` refuses it, since its go.mod replaces some. */
const MODULE = 'github.com/prometheus/prometheus';
const VERSION = 'v0.54.1';
/** It takes five minutes on two quiet cores; more is not waited for. */
const LIMIT_MS = 10 * 60_000;

/**
 * promtool for the tests: the one in PATH or in TUNE_PROMTOOL, else one that is built once from the module
 * proxy of Go into the cache.
 * @param {{ env?: NodeJS.ProcessEnv, progress?: (line: string) => void }} [means]
 * @returns {Promise<{ file: string } | { why: string }>}
 */
async function providePromtool({ env = process.env, progress = () => {} } = {}) {
  const named = env.TUNE_PROMTOOL || 'promtool';
  const place = path.join(cacheFolder(env), `promtool-${VERSION}`);
  const built = path.join(place, 'promtool');
  try {
    if (await starts(named, ['--version'], env)) return { file: named };
    if (fs.existsSync(built)) return { file: built };
    if (!(await starts('go', ['version'], env))) return { why: 'there is no go to build promtool' };
    progress(`building promtool ${VERSION}`);
    await fillFolder(place, (folder) => build(folder, env));
    return { file: built };
  } catch (error) {
    return { why: `promtool could not be built: ${reasonOf(/** @type {Error} */ (error))}` };
  }
}

/** The last line of what a program said. @param {Error & { stderr?: string }} error */
const reasonOf = ({ stderr = '', message }) => stderr.trim().split('\n').at(-1) || message;

/** @param {string} program @param {string[]} args @param {NodeJS.ProcessEnv} env */
const starts = (program, args, env) =>
  run(program, args, { env }).then(
    () => true,
    () => false,
  );

/**
 * As the main module, in a copy: what lies in the cache of modules may not be written.
 * @param {string} folder
 * @param {NodeJS.ProcessEnv} env
 */
async function build(folder, env) {
  const means = { env: { ...env, GOFLAGS: '-modcacherw' }, timeout: LIMIT_MS };
  const { stdout } = await run('go', ['mod', 'download', '-json', `${MODULE}@${VERSION}`], {
    ...means,
    cwd: folder,
  });
  const copy = path.join(folder, 'source');
  fs.cpSync(JSON.parse(stdout).Dir, copy, { recursive: true });
  fs.chmodSync(copy, 0o755);
  const target = path.join(folder, 'promtool');
  await run('go', ['build', '-mod=mod', '-o', target, './cmd/promtool'], { ...means, cwd: copy });
  await run('chmod', ['-R', 'u+w', copy]);
  fs.rmSync(copy, { recursive: true, force: true });
}

module.exports = { providePromtool };
