'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const { isLine } = require('../../../lib/change/pure/line-shape');
const { journalPath } = require('../../../lib/change/journal');
const { run: history } = require('../../../lib/commands/history');
const { run: config } = require('../../../lib/commands/settings');
const { run: apply } = require('../../../lib/commands/apply');
const { run: undo } = require('../../../lib/commands/undo');
const { TuneError } = require('../../../lib/base/pure/errors');
const { temporaryFolder } = require('../../support/cleanup');

const RUN = { host: 'h:1', processId: 'p1', pid: 7, startedAtMs: 1000 };
const LINES = [
  {
    kind: 'intent',
    id: 'a',
    at: '2026-01-01T00:00:00.000Z',
    atMs: 100,
    action: 'apply',
    undoes: null,
    host: 'h:1',
    version: '6.0.5',
    run: RUN,
    change: { evictionTarget: 70 },
    before: { evictionTarget: 80 },
    commands: ['eviction_target=70'],
    was: '',
  },
  { kind: 'asking', id: 'a', atMs: 101, command: 'eviction_target=70' },
  { kind: 'refused', id: 'a', atMs: 101, command: 'eviction_target=70' },
  { kind: 'external', id: 'a', atMs: 101, configs: ['cache_size=1G'], planned: '' },
  { kind: 'sent', id: 'a', atMs: 101, command: 'eviction_target=70', was: '' },
  {
    kind: 'outcome',
    id: 'a',
    at: '2026-01-01T00:00:01.000Z',
    outcome: 'applied',
    after: { evictionTarget: 70 },
    verified: true,
    reason: null,
  },
];
const OTHER_TYPES = [
  null,
  true,
  -1,
  'x',
  '',
  [],
  [1],
  {},
  { evictionTarget: 'x' },
  { evictionTarget: null },
];

/** Each field missing, of another type, and the line cut. */
function* spoiled() {
  for (const [i, line] of LINES.entries()) {
    const texts = (/** @type {string} */ text) =>
      LINES.map((one, k) => (k === i ? text : JSON.stringify(one)));
    for (const path of pathsOf(line))
      for (const value of [undefined, ...OTHER_TYPES])
        yield texts(JSON.stringify(replaced(line, path, value)));
    const whole = JSON.stringify(line);
    for (let length = 0; length < whole.length; length += 5) yield texts(whole.slice(0, length));
  }
}

/** @param {Record<string, any>} doc @returns {string[][]} */
const pathsOf = (doc) =>
  Object.entries(doc).flatMap(([name, value]) => [
    [name],
    ...(value && typeof value === 'object' ? pathsOf(value).map((path) => [name, ...path]) : []),
  ]);

/** @param {any} doc @param {string[]} path @param {unknown} value @returns {any} */
function replaced(doc, [name, ...rest], value) {
  const copy = Array.isArray(doc) ? [...doc] : { ...doc };
  copy[name] = rest.length === 0 ? value : replaced(doc[name], rest, value);
  return copy;
}

/** A server of which nothing is known but its name. */
const port = {
  adminCommand: async (/** @type {any} */ command) => {
    if (command.hello) return { topologyVersion: { processId: 'p1' }, isWritablePrimary: true };
    if (command.serverStatus)
      return {
        host: 'h:1',
        version: '6.0.5',
        pid: 7,
        uptimeMillis: 1,
        localTime: new Date(2000),
        storageEngine: { name: 'wiredTiger' },
        wiredTiger: { cache: { 'maximum bytes configured': 2 ** 30 } },
      };
    if (command.getLog) return { log: [], totalLinesWritten: 5 };
    if (command.getCmdLineOpts) return { parsed: {} };
    return { wiredTigerEngineRuntimeConfig: 'eviction_target=70' };
  },
};

describe('change/pure/line-shape', () => {
  it('takes every kind of line, with fields of later releases', () => {
    for (const line of LINES)
      assert.deepEqual([isLine(line), isLine({ ...line, later: 1 })], [true, true]);
    const [intent, asking, sent, outcome] = LINES;
    for (const line of [
      {
        ...intent,
        was: null,
        version: null,
        host: null,
        undoes: 'b',
        action: 'undo',
        before: {},
        commands: [],
      },
      { ...intent, force: true, unsettled: true },
      { ...asking, again: true },
      { ...sent, again: true },
      { ...sent, was: null },
      { ...outcome, after: null, verified: null, reason: 'r', outcome: 'partly-undone' },
    ])
      assert.equal(isLine(line), true);
    assert.equal(
      isLine({ ...intent, run: { host: null, processId: null, pid: null, startedAtMs: null } }),
      true,
    );
    assert.equal(isLine({ ...asking, kind: 'toString' }), false);
    assert.equal(isLine({ ...asking, again: 'yes' }), false);
    assert.equal(isLine({ ...intent, force: 1 }), false);
  });

  it('no field may be missing', () => {
    for (const line of LINES)
      for (const path of pathsOf(line).filter(
        ([name, inner]) => inner === undefined || name === 'run',
      ))
        assert.equal(
          isLine(JSON.parse(JSON.stringify(replaced(line, path, undefined)))),
          false,
          `${line.kind} ${path}`,
        );
  });

  it('whatever stands in the journal, no command stumbles', async function () {
    this.timeout(60_000);
    const home = temporaryFolder('home');
    const ctx = /** @type {any} */ ({
      port,
      home: home.path,
      signal: new AbortController().signal,
      progress: () => undefined,
      terminal: { isTTY: false, columns: 80, write: () => undefined },
    });
    const commands = [
      () => history(ctx),
      () => history(ctx, { all: true }),
      () => config(ctx),
      () => apply(ctx, { evictionTarget: 75 }),
      () => undo(ctx),
      () => undo(ctx, 'a'),
    ];
    const write = (/** @type {string[]} */ lines) =>
      fs.writeFileSync(journalPath(home.path), lines.join('\n'));
    write(LINES.map((line) => JSON.stringify(line)));
    assert.match(
      (await Promise.all(commands.map(async (command) => String(await command())))).join('\n'),
      /Undo[^]*evictionTarget +70%[^]*evictionTarget +70%[^]*75[^]*70[^]*80/,
    );
    for (const lines of spoiled()) {
      write(lines);
      for (const command of commands)
        await command()
          .then(String)
          .catch((error) =>
            assert.ok(error instanceof TuneError, `${error.stack}\n${command} of ${lines}`),
          );
    }
    home.remove();
  });
});
