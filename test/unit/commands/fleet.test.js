'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { TuneError } = require('../../../lib/base/pure/errors');
const { run: fleet } = require('../../../lib/commands/fleet');
const { readServers } = require('../../../lib/cluster/servers');
const { contextOf } = require('../../support/context');
const { temporaryFolder } = require('../../support/cleanup');

const refused =
  (/** @type {string} */ code, /** @type {RegExp} */ pattern) => (/** @type {any} */ error) =>
    error.code === code && pattern.test(error.message) && !/secret/.test(error.message);

describe('the list of tune.fleet', () => {
  let folder;
  let number = 0;
  before(() => {
    folder = temporaryFolder('fleet-list');
  });
  after(() => folder.remove());
  const fileOf = (/** @type {string} */ text, mode = 0o600) => {
    const file = path.join(folder.path, `list-${number++}`);
    fs.writeFileSync(file, text, { mode });
    return file;
  };
  const namesIn = async (of, env = {}) =>
    (await readServers(of, env)).servers.map(({ name }) => name);

  it('is a file with a string a line, YAML, JSON, an array, or the strings themselves', async () => {
    assert.deepEqual(await namesIn(fileOf('# two\nmongodb://a\nmongodb://b # the other\n')), [
      'a',
      'b',
    ]);
    assert.deepEqual(await namesIn(fileOf('${HOSTS}\n'), { HOSTS: 'mongodb://a:1' }), ['a:1']);
    assert.deepEqual(
      await namesIn(fileOf('# ours\n- mongodb://a\n- uri: mongodb://b\n  name: B\n')),
      ['a', 'B'],
    );
    assert.deepEqual(await namesIn(fileOf('\n\nservers:\n  - mongodb://a\n')), ['a']);
    assert.deepEqual(
      await namesIn(fileOf('{"servers": [{"uri": "mongodb://a", "tags": ["x"]}]}')),
      ['a'],
    );
    assert.deepEqual(await namesIn(fileOf('["mongodb://a"]')), ['a']);
    assert.deepEqual(await namesIn(['mongodb://a', { uri: 'mongodb://b', name: 'B' }]), ['a', 'B']);
    assert.deepEqual(await namesIn(' mongodb://a  mongodb+srv://b '), ['a', 'b']);
  });
  it('says what it is not, before anything is asked', async () => {
    await assert.rejects(
      readServers(undefined, {}),
      refused('TUNE-10004', /a file that lists servers/),
    );
    for (const wrong of [3, {}, true])
      await assert.rejects(readServers(wrong, {}), refused('TUNE-10002', /give a file/));
    await assert.rejects(
      readServers(path.join(folder.path, 'no'), {}),
      refused('TUNE-40002', /ENOENT/),
    );
    await assert.rejects(readServers(folder.path, {}), refused('TUNE-40002', /EISDIR/));
    for (const empty of [fileOf(''), fileOf('# nothing'), []])
      await assert.rejects(
        readServers(empty, {}),
        refused('TUNE-40008', /the list has no servers/),
      );
    await assert.rejects(
      readServers(fileOf('- mongodb://u:secret@a\n- [mongodb://secret\n'), {}),
      refused('TUNE-40008', /neither YAML nor JSON: see line \d/),
    );
    await assert.rejects(
      readServers(fileOf('servers:\n- mongodb://a\n- *secret\n'), {}),
      refused('TUNE-40008', /neither YAML nor JSON: see line 3/),
    );
    await assert.rejects(
      readServers(fileOf('- 1\n- 2\n- 3\n- 4\n- 5\n- 6\n- 7\n'), {}),
      refused('TUNE-40008', /number 1 is not a connection string.*and 2 more/),
    );
    await assert.rejects(
      readServers(
        Array.from({ length: 10_001 }, (_, i) => `mongodb://h${i}`),
        {},
      ),
      refused('TUNE-10002', /10001 servers are more than 10000/),
    );
    await assert.rejects(
      readServers(fileOf('x'.repeat(9 * 2 ** 20)), {}),
      refused('TUNE-40008', /9 MiB, more than the maximum of 8 MiB for a list of servers/),
    );
  });
  it('names the variables that the environment lacks', async () => {
    await assert.rejects(
      readServers(['mongodb://u:${B}@h', 'mongodb://u:${A}@h'], {}),
      (error) =>
        error.code === 'TUNE-10006' &&
        /not set: A, B\. Set it/.test(error.message) &&
        error.value.join() === 'A,B',
    );
  });
  it('notes a server that is named twice, and passwords that others may read', async () => {
    assert.match(
      (await readServers(['mongodb://a', 'mongodb://a'], {})).notes.join(),
      /^1 duplicate entry in the list; each server was checked once/,
    );
    if (process.platform === 'win32') return;
    assert.match(
      (await readServers(fileOf('mongodb://u:secret@a', 0o644), {})).notes.join(),
      /contains passwords.*chmod 600/,
    );
    for (const [text, mode] of [
      ['mongodb://u:secret@a', 0o600],
      ['mongodb://u:${PW}@a', 0o644],
      ['mongodb://a', 0o644],
    ])
      assert.deepEqual(
        (await readServers(fileOf(String(text), Number(mode)), { PW: 'x' })).notes,
        [],
      );
  });
});

describe('tune.fleet', () => {
  const reached = async () => {
    throw new TuneError('TUNE-20011', 'The server cannot be reached: no.', { why: 'no' });
  };
  const contextWith = (reach, more = {}) => ({ ...contextOf(null, more), reach });
  const uris = (/** @type {number} */ count) =>
    Array.from({ length: count }, (_, i) => `mongodb://u:secret@h${i}`);

  it('asks so many at a time, and no more', async () => {
    let [now, max, all] = [0, 0, 0];
    const ctx = contextWith(async () => {
      all += 1;
      max = Math.max(max, ++now);
      await new Promise((resolve) => {
        setTimeout(resolve, 5);
      });
      now -= 1;
      return reached();
    });
    const { rows, states, exitCode } = await fleet(ctx, uris(23), { concurrency: 4 });
    assert.deepEqual(
      [max, all, rows.length, states, exitCode],
      [4, 23, 23, { unreachable: 23 }, 3],
    );
    assert.match(ctx.progressed.at(-2), /23 of 23, 0 critical, 0 warning, 23 not sampled/);
    assert.equal(ctx.progressed.at(-1), null);
  });
  it(
    'listens for Ctrl-C with all its servers, without a warning of Node.js, and to nothing ' +
      'afterwards',
    async () => {
      const { getEventListeners } = require('node:events');
      const warnings = [];
      const note = (warning) => warnings.push(warning.name);
      process.on('warning', note);
      const ctx = contextWith(async () => {
        await new Promise((resolve) => {
          setTimeout(resolve, 20);
        });
        return reached();
      });
      await fleet(ctx, uris(30), { concurrency: 30 });
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
      process.off('warning', note);
      assert.deepEqual(warnings, []);
      assert.equal(getEventListeners(ctx.signal, 'abort').length, 0);
    },
  );
  it('a server that fails is a row, whatever it throws, and shows no password', async () => {
    const errors = [
      new TuneError('TUNE-20003', 'This is a mongos.'),
      Object.assign(new Error('lost mongodb://u:secret@h'), { name: 'MongoNetworkError' }),
      new Error('a bug'),
      new TuneError('TUNE-20005', 'The user may not.'),
    ];
    let at = 0;
    const answer = await fleet(
      contextWith(async () => {
        throw errors[at++];
      }),
      uris(4),
      { concurrency: 1 },
    );
    assert.deepEqual(answer.rows.map(({ name, state }) => [name, state]).sort(), [
      ['h0', 'unsupported'],
      ['h1', 'unreachable'],
      ['h2', 'failed'],
      ['h3', 'refused'],
    ]);
    assert.equal(answer.rows.find(({ name }) => name === 'h3')?.error?.why, 'The user may not');
    assert.doesNotMatch(JSON.stringify(answer) + String(answer), /secret/);
  });
  it('does not wait longer for a server than it was told, and closes what comes too late', async () => {
    let closed = 0;
    const late = new Promise((resolve) => {
      setTimeout(resolve, 1400, {
        port: {},
        close: async () => {
          closed += 1;
          throw new Error('gone');
        },
      });
    });
    const {
      rows: [row],
    } = await fleet(
      contextWith(() => late),
      uris(1),
      { seconds: 0.1, serverTimeoutSeconds: 1 },
    );
    assert.deepEqual([row.state, row.error?.why], ['timed out', 'no answer within 1.1 s']);
    await late;
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    assert.equal(closed, 1);
  });
  it('ends by Ctrl-C with what is there', async () => {
    const stop = new AbortController();
    let asked = 0;
    const ctx = contextWith(
      async () => {
        asked += 1;
        if (asked < 3) return reached();
        stop.abort();
        return new Promise(() => {});
      },
      { signal: stop.signal },
    );
    const answer = await fleet(ctx, uris(9), { concurrency: 1 });
    assert.deepEqual(answer.states, { unreachable: 2, skipped: 7 });
    assert.deepEqual(answer.notes, ['Interrupted: 7 of 9 were not sampled.']);
    assert.match(
      String(await fleet(contextWith(reached, { signal: stop.signal }), uris(2))),
      /2 skipped/,
    );
  });
  it('as JSON: each server in a line of its own, and the summary last', async () => {
    const ctx = contextWith(reached);
    const answer = await fleet(ctx, uris(2), { json: true });
    const lines = [...ctx.lines.join('').trimEnd().split('\n'), String(answer)].map((line) =>
      JSON.parse(line),
    );
    assert.deepEqual(
      lines.map(({ kind, name, rows }) => [kind, name, rows]),
      [
        ['server', 'h0', undefined],
        ['server', 'h1', undefined],
        ['fleet', undefined, undefined],
      ],
    );
    assert.equal(lines[2].servers, 2);
  });
  it('refuses wrong options', async () => {
    for (const wrong of [
      { concurrency: 0 },
      { concurrency: 501 },
      { serverTimeoutSeconds: 0 },
      { seconds: 0 },
      { json: 1 },
    ])
      await assert.rejects(fleet(contextWith(reached), uris(1), wrong), { code: 'TUNE-10002' });
  });
});
