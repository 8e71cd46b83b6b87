'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { spawnSync } = require('node:child_process');
const { runMongosh } = require('../support/mongosh');
const { startServer } = require('../support/server');
const { temporaryFolder } = require('../support/cleanup');
const { problemsWith } = require('../support/schemas');
const { ROOT, makeTuneHome } = require('./support/place');

/**
 * @import { Server } from '../support/server'
 */

const script = (name) => path.join(ROOT, 'snippets', `${name}.js`);
/** A monitor reads the first line, up to the bar; what is behind it are figures. */
const PLUGIN_LINE =
  /^TUNE (OK|WARNING|CRITICAL) - \S+:\d+, MongoDB [\d.]+: [^|\n]+ \| ('\w+'=(U|[\d.]+(%|ms|B)?)(;[\d.]*){4} ?)+$/;
/** Some sessions are open on any server, so that these make trouble of a server that has none. */
const WARNING = 'thresholds:\n  sessions:\n    nearRatio: 0.000000001\n';
const CRITICAL = `${WARNING}    atLimitRatio: 0.000000001\n`;

describe('runbook scripts in mongosh --file, as a user with clusterMonitor alone', function () {
  this.timeout(120_000);
  /** @type {Server} */ let server;
  let uri;
  let folder;
  let place;
  before(async () => {
    server = await startServer({ auth: true });
    uri = await server.addUser('monitor', ['clusterMonitor']);
    folder = temporaryFolder('runbook');
    place = makeTuneHome();
  });
  after(async () => {
    await server?.stop();
    folder?.remove();
    place?.remove();
  });
  const file = (name, text) => {
    fs.writeFileSync(path.join(folder.path, name), text);
    return path.join(folder.path, name);
  };
  /** Nothing that it says, on any way out, may have the password in it. */
  async function run(name, { args = [uri], variables = {}, then = [] } = {}) {
    const ended = await runMongosh([...args, '--quiet', '--file', script(name), ...then], {
      env: { ...place.env, TUNE_SECONDS: '0.2', TUNE_TIMEOUT_SECONDS: '50', ...variables },
      cwd: folder.path,
    });
    assert.doesNotMatch(ended.stdout + ended.stderr, /monitor-password|other-password/);
    return ended;
  }
  const nodb = (variables) => ({ args: ['--nodb'], variables });

  describe('check.js', () => {
    it('ends with 0: one line with performance data; and nothing runs after it', async () => {
      const after = file('after.js', 'print("NOT HERE")');
      const { code, stdout, stderr } = await run('check', {
        variables: { TUNE_FAIL_ON: 'critical' },
        then: ['--file', after],
      });
      assert.deepEqual([code, stderr], [0, ''], stdout);
      assert.match(stdout.split('\n')[0], PLUGIN_LINE);
      assert.match(stdout, /^TUNE OK - /);
      assert.doesNotMatch(stdout, /NOT HERE/);
    });

    it('ends with 1 for a warning, such as a suppression that is over', async () => {
      const { code, stdout, stderr } = await run('check', {
        variables: {
          TUNE_SUPPRESS: file(
            'old.yaml',
            '- key: sessions\n  reason: import\n  until: 2020-01-01\n',
          ),
        },
      });
      assert.deepEqual([code, stderr], [1, '']);
      assert.match(stdout, /^TUNE WARNING - /);
      assert.match(stdout, /The suppression of sessions \("import"\) ended on\s+2020-01-01\./);
    });

    it('ends with 2 when it is critical; as JSON all of stdout is one document', async () => {
      const { code, stdout, stderr } = await run(
        'check',
        nodb({
          TUNE_URI_FILE: file('uri', `${uri}\n`),
          TUNE_THRESHOLDS: file('critical.yaml', CRITICAL),
          TUNE_JSON: '1',
        }),
      );
      assert.deepEqual([code, stderr], [2, ''], stdout);
      const answer = JSON.parse(stdout);
      assert.deepEqual(
        [answer.status, answer.exitCode, answer.version],
        ['critical', 2, server.version],
      );
      assert.deepEqual(problemsWith('check', answer), []);
      assert.ok(
        answer.findings.some(({ key }) => key === 'sessions') && answer.perfdata.length > 10,
      );
    });

    it('with a suppression in effect it is quiet, and says so', async () => {
      const both = file(
        'both.yaml',
        `${WARNING}suppress:\n  - key: sessions\n    reason: import\n    until: 2999-12-31\n`,
      );
      const { code, stdout } = await run(
        'check',
        nodb({
          TUNE_URI: uri,
          TUNE_THRESHOLDS: both,
          TUNE_SUPPRESS: both,
          TUNE_FAIL_ON: 'critical',
        }),
      );
      assert.equal(code, 0, stdout);
      assert.match(stdout, /suppressed until 2999-12-31 \(import\): sessions: /);
    });

    for (const [
      title,
      variables,
      expected,
    ] of /** @type {[string, () => Record<string, string>, RegExp][]} */ ([
      [
        'cannot connect',
        () => ({ TUNE_URI: 'mongodb://monitor:other-password@127.0.0.1:1/' }),
        /TUNE-20011\] The server cannot be reached: connect ECONNREFUSED/,
      ],
      [
        'may not log in',
        () => ({ TUNE_URI: uri.replace('monitor-password', 'other-password') }),
        /TUNE-20005\] The server does not accept this user/,
      ],
      [
        'has nothing to connect to',
        () => ({}),
        /TUNE-20001\] The shell is not connected to a server, and neither TUNE_URI nor TUNE_URI_FILE says to which/,
      ],
      [
        'is told what it does not know',
        () => ({ TUNE_URI: uri, TUNE_THRESHOLD: 'x.yaml' }),
        /TUNE-10001\] check\.js: there is no variable TUNE_THRESHOLD\. Allowed: .*TUNE_THRESHOLDS/,
      ],
    ])) {
      it(`ends with 3 when it ${title}`, async () => {
        const { code, stdout, stderr } = await run('check', nodb(variables()));
        assert.deepEqual([code, stderr], [3, '']);
        assert.match(stdout, /^TUNE UNKNOWN - .*\n$/);
        assert.match(stdout, expected);
      });
    }

    it('ends with 3 when the server does not answer in time, as JSON too', async () => {
      process.kill(server.pid, 'SIGSTOP');
      try {
        const { code, stdout, stderr } = await run(
          'check',
          nodb({ TUNE_URI: uri, TUNE_TIMEOUT_SECONDS: '1', TUNE_JSON: 'yes' }),
        );
        assert.equal(code, 3, stdout + stderr);
        const answer = JSON.parse(stdout);
        assert.deepEqual([answer.status, answer.error.code], ['unknown', 'TUNE-20012']);
        assert.deepEqual(problemsWith('error', answer), []);
        assert.match(stderr, /There was no answer within 1 s/);
      } finally {
        process.kill(server.pid, 'SIGCONT');
      }
    });

    it('without a mongosh around it says so, and ends with 3', () => {
      const { status, stderr } = spawnSync(process.execPath, [script('check')], {
        encoding: 'utf8',
      });
      assert.deepEqual(
        [status, stderr],
        [3, 'Run it in mongosh: mongosh "$URI" --quiet --file check.js\n'],
      );
    });
  });

  it('status.js and advise.js print what their commands print', async () => {
    const [status, advice] = [
      await run('status'),
      await run('advise', { variables: { TUNE_INCLUDE_HOST: '0', TUNE_JSON: '1' } }),
    ];
    assert.deepEqual([status.code, status.stderr, advice.code, advice.stderr], [0, '', 0, '']);
    assert.match(status.stdout, /^CACHE .* of 256 MiB/m);
    assert.equal(JSON.parse(advice.stdout).source, 'live');
    assert.deepEqual(problemsWith('advise', JSON.parse(advice.stdout)), []);
  });

  it('report.js writes its page, and asks for the name of it', async () => {
    const [page, none] = [
      await run('report', { variables: { TUNE_OUTPUT: 'now.html' } }),
      await run('report'),
    ];
    assert.equal(page.code, 0, page.stdout + page.stderr);
    assert.match(fs.readFileSync(path.join(folder.path, 'now.html'), 'utf8'), /^<!doctype html>/i);
    assert.deepEqual([none.code, none.stdout], [3, '']);
    assert.match(none.stderr, /TUNE-10004\] report\.js: TUNE_OUTPUT is missing/);
  });

  it('host-collect.js and ftdc.js need no server', async () => {
    const variables = { TUNE_SECONDS: '' };
    const [collect, ftdc] = [
      await run('host-collect', nodb(variables)),
      await run('ftdc', nodb({ ...variables, TUNE_PATH: server.dbPath })),
    ];
    assert.deepEqual(
      [collect.code, collect.stderr, ftdc.code, ftdc.stderr],
      [0, '', 0, ''],
      ftdc.stderr,
    );
    assert.match(collect.stdout, /^#!\/bin\/sh\n/);
    assert.match(ftdc.stdout, /BOTTLENECK /);
  });
});
