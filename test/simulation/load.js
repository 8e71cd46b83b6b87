'use strict';

const fs = require('node:fs');
const nodeCrypto = require('node:crypto');
const nodeModule = require('node:module');
const path = require('node:path');
const vm = require('node:vm');
const { startGuardian } = require('./guardian');

/**
 * The real code of a split, loaded once for each simulated shell: its timers, its clock, its
 * process and its computer are those of that shell. Everything else (errors, options, rendering) is
 * the ordinary module.
 */

const LIB = path.join(__dirname, '../../lib');
const OWN = [
  path.join(LIB, 'split') + path.sep,
  path.join(LIB, 'commands') + path.sep,
  path.join(LIB, 'base/context.js'),
  path.join(LIB, 'split/resume.js'),
];
const PURE = `${path.sep}pure${path.sep}`;
/** @param {string} file */
const isOwn = (file) => OWN.some((start) => file.startsWith(start)) && !file.includes(PURE);
const GUARDIAN = path.join(LIB, 'split/guardian.js');
const GLOBALS = [
  'setTimeout',
  'clearTimeout',
  'setInterval',
  'clearInterval',
  'Date',
  'process',
  'performance',
];

/**
 * @typedef {{
 *   text?(file: string, source: string): string,
 *   exports?(file: string, exports: any, load: (file: string) => any): any
 * }} Patch of a fault: the source text, or what a module gives out
 */

/** @type {Map<string, string>} */
const TEXTS = new Map();
/** @param {string} file */
function textOf(file) {
  let text = TEXTS.get(file);
  if (text === undefined) TEXTS.set(file, (text = fs.readFileSync(file, 'utf8')));
  return text;
}

/**
 * One place to load into. `shell` is who uses it now.
 * @param {Patch[]} [patches]
 */
function makeSlot(patches = []) {
  const slot = {
    /** @type {any} */ shell: null,
    load: (/** @type {string} */ file) => load(path.join(LIB, file)),
  };
  /** @type {Map<string, any>} */ const modules = new Map();
  const globals = globalsOf(slot);
  const stubs = stubsOf(slot);
  /** @param {string} file @returns {any} */
  function load(file) {
    const known = modules.get(file);
    if (known) return known.exports;
    const module = { exports: {} };
    modules.set(file, module);
    const source = patches.reduce(
      (text, { text: change }) => change?.(path.relative(LIB, file), text) ?? text,
      textOf(file),
    );
    const wrapped = vm.compileFunction(source, ['exports', 'require', 'module', ...GLOBALS], {
      filename: file,
    });
    const local = nodeModule.createRequire(file);
    const req = (/** @type {string} */ name) => {
      if (stubs[name]) return stubs[name];
      const resolved = local.resolve(name);
      // It starts a process; that one is played, too (guardian.js).
      if (resolved === GUARDIAN)
        return { startGuardian: async () => startGuardian(slot.shell.sim, slot.shell) };
      return isOwn(resolved) ? load(resolved) : local(name);
    };
    wrapped.call(
      module.exports,
      module.exports,
      req,
      module,
      ...GLOBALS.map((name) => globals[name]),
    );
    for (const { exports: change } of patches)
      module.exports =
        change?.(path.relative(LIB, file), module.exports, slot.load) ?? module.exports;
    return module.exports;
  }
  return slot;
}

/** @param {{ shell: any }} slot @returns {Record<string, any>} */
function globalsOf(slot) {
  class SimulatedDate extends Date {
    /** @param {any[]} given */
    constructor(...given) {
      if (given.length === 0) super(slot.shell.clock());
      else super(.../** @type {[any]} */ (given));
    }

    static now() {
      return slot.shell.clock();
    }
  }
  return {
    setTimeout: (
      /** @type {() => void} */ go,
      /** @type {number} */ ms,
      /** @type {any[]} */ ...args
    ) => slot.shell.timer(() => go(...args), ms, false),
    setInterval: (/** @type {() => void} */ go, /** @type {number} */ ms) =>
      slot.shell.timer(go, ms, true),
    clearTimeout: (/** @type {any} */ timer) => timer?.clear(),
    clearInterval: (/** @type {any} */ timer) => timer?.clear(),
    Date: SimulatedDate,
    performance: { now: () => slot.shell.monotonic() },
    process: {
      get pid() {
        return slot.shell?.pid ?? 1;
      },
      platform: 'linux',
      env: {},
      version: process.version,
      versions: process.versions,
      uptime: () => slot.shell.monotonic() / 1000,
      hrtime: { bigint: () => BigInt(Math.round(slot.shell.monotonic() * 1e6)) },
      kill: (/** @type {number} */ pid) => {
        if (!slot.shell.sees(pid)) throw Object.assign(new Error('kill ESRCH'), { code: 'ESRCH' });
        return true;
      },
      on: () => {},
      once: () => {},
      off: () => {},
      emitWarning: () => {},
    },
  };
}

/** @param {{ shell: any }} slot @returns {Record<string, any>} */
function stubsOf(slot) {
  const os = {
    hostname: () => slot.shell?.host ?? 'host',
    platform: () => 'linux',
    userInfo: () => ({ username: 'user' }),
  };
  const crypto = {
    ...nodeCrypto,
    randomUUID: () => slot.shell.uuid(),
    randomBytes: (/** @type {number} */ n) =>
      Buffer.from(
        slot.shell
          .uuid()
          .replaceAll('-', '')
          .repeat(4)
          .slice(0, 2 * n),
        'hex',
      ),
  };
  const files = {
    ...fs,
    readFileSync: (/** @type {string} */ file, /** @type {any[]} */ ...more) =>
      slot.shell?.file(file) ?? fs.readFileSync(file, .../** @type {[any]} */ (more)),
    readlinkSync: (/** @type {string} */ file) => slot.shell?.file(file) ?? fs.readlinkSync(file),
  };
  return { 'node:os': os, os, 'node:crypto': crypto, crypto, 'node:fs': files, fs: files };
}

module.exports = { makeSlot };
