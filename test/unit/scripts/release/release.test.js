'use strict';

const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { main } = require('../../../../scripts/release');
const { whatIsWrong, UNPACKED_LIMIT_BYTES } = require('../../../../scripts/release/contents');
const { temporaryFolder } = require('../../../support/cleanup');
const { skipIf } = require('../../../support/skip');

const CHANGELOG =
  '# Changelog\n\n## 1.2.3 - 2026-01-02\n\n- Something new.\n\n## 1.2.2 - 2025-12-31\n\n- ' +
  'Something older.\n';
const FILES = [
  'index.js',
  'error-matchers.js',
  'package.json',
  'README.md',
  'LICENSE',
  'CHANGELOG.md',
  'snippets/check.js',
  'lib/entry.js',
  'schemas/check.json',
  'docs/install.md',
  'docs/commands/README.md',
  'docs/rules/README.md',
  'docs/monitoring/alerts.yml',
  'docs/monitoring/dashboard.json',
];
const PACKED = {
  filename: 'p-1.2.3.tgz',
  size: 300,
  unpackedSize: 1000,
  files: FILES.map((name) => ({ path: name, size: 1 })),
};
const CLEAN = { metadata: { vulnerabilities: { total: 0 } } };
const ON_GITHUB = { GITHUB_ACTIONS: 'true', ACTIONS_ID_TOKEN_REQUEST_URL: 'https://127.0.0.1:1' };

describe('npm run release', () => {
  let folder;
  let root;
  beforeEach(function () {
    skipIf(
      this,
      process.platform === 'win32' ? 'the npm of this test is a script of a POSIX shell' : null,
    );
    folder = temporaryFolder('release');
    root = path.join(folder.path, 'package');
    fs.mkdirSync(root);
    fs.mkdirSync(path.join(folder.path, 'bin'));
    write(
      'package.json',
      JSON.stringify({ name: 'p', version: '1.2.3', repository: 'github:x/y' }),
    );
    write('CHANGELOG.md', CHANGELOG);
    npm();
    git('init', '--quiet');
    commit();
  });
  afterEach(() => folder?.remove());

  const write = (/** @type {string} */ name, /** @type {string} */ text) =>
    fs.writeFileSync(path.join(root, name), text);
  const git = (/** @type {string[]} */ ...args) =>
    execFileSync(
      'git',
      ['-c', 'user.name=test', '-c', 'user.email=test@example.invalid', ...args],
      { cwd: root, stdio: 'ignore' },
    );
  const commit = () => {
    git('add', '.');
    git('commit', '--quiet', '--message', 'test');
  };
  const sent = () => {
    try {
      return fs.readFileSync(path.join(folder.path, 'sent'), 'utf8').trim().split('\n');
    } catch {
      return [];
    }
  };
  /**
   * An npm that answers as told and writes down what it was asked; git is the real one.
   * @param {{
   *   packed?: object, audit?: object | string, tests?: number, rest?: number, publish?: number
   * }} [answers]
   */
  function npm({ packed = PACKED, audit = CLEAN, tests = 0, rest = 0, publish = 0 } = {}) {
    const answer = (/** @type {unknown} */ value) =>
      `printf '%s' '${typeof value === 'string' ? value : JSON.stringify(value)}'`;
    fs.writeFileSync(
      path.join(folder.path, 'bin/npm'),
      `#!/bin/sh
      echo "$@" >> ${folder.path}/sent
      for last; do :; done
      case "$1" in
        pack) [ "$last" = --dry-run ] || echo tarball > "$last/p-1.2.3.tgz"; ${answer([packed])};;
        audit) ${answer(audit)};;
        sbom) ${answer({ bomFormat: 'CycloneDX', components: [{ name: 'known' }] })};;
        test) exit ${tests};;
        run) exit ${rest};;
        publish) exit ${publish};;
      esac`,
      { mode: 0o755 },
    );
  }
  /** @param {string[]} [args] @param {NodeJS.ProcessEnv} [more] */
  function release(args = [], more = {}) {
    /** @type {string[]} */ const said = [];
    const log = (/** @type {string} */ line) => {
      said.push(line);
    };
    const env = {
      HOME: folder.path,
      PATH: `${path.join(folder.path, 'bin')}${path.delimiter}${process.env.PATH}`,
      ...more,
    };
    return {
      code: main([...args, '--out', path.join(folder.path, 'out')], {
        root,
        env,
        out: { log, error: log },
      }),
      said: said.join('\n'),
    };
  }
  const published = () => sent().filter((line) => line.startsWith('publish'));

  it('without --publish says each step, writes tarball, SBOM and digests, and sends nothing', () => {
    const { code, said } = release();
    assert.equal(code, 0, said);
    for (const step of [
      /^p 1\.2\.3, dry run/,
      /^tree +everything is committed$/m,
      /^changelog +1\.2\.3 of 2026-01-02, lines that say what is new: 1$/m,
      /^tag +v1\.2\.3 is free$/m,
      /^install scripts +none/m,
      /^contents +14 files, 1000 bytes/m,
      /^audit +no known/m,
      /^tests +npm test and npm run test:all passed$/m,
      /Nothing was sent/,
    ])
      assert.match(said, step);
    assert.deepEqual(fs.readdirSync(path.join(folder.path, 'out')).sort(), [
      'SHA256SUMS',
      'p-1.2.3.tgz',
      'sbom.cdx.json',
      'tune-bundle.cjs',
      'tune.js',
    ]);
    assert.match(
      fs.readFileSync(path.join(folder.path, 'out/SHA256SUMS'), 'utf8'),
      /^[0-9a-f]{64} {2}p-1\.2\.3\.tgz\n[0-9a-f]{64} {2}sbom\.cdx\.json\n[0-9a-f]{64} {2}tune\.js\n[0-9a-f]{64} {2}tune-bundle\.cjs\n$/,
    );
    assert.deepEqual(published(), []);
  });

  for (const [what, spoil, reason] of /** @type {[string, () => void, RegExp][]} */ ([
    ['a tree with changes', () => write('index.js', '1'), /^tree +NO: not committed: index\.js$/m],
    [
      'a version without an entry in CHANGELOG.md',
      () => {
        write('CHANGELOG.md', CHANGELOG.replace('1.2.3', '1.2.30'));
        commit();
      },
      /^changelog +NO: CHANGELOG\.md has no entry "## 1\.2\.3 /m,
    ],
    [
      'an entry without a day',
      () => {
        write('CHANGELOG.md', CHANGELOG.replace('2026-01-02', 'unreleased'));
        commit();
      },
      /^changelog +NO: the entry of 1\.2\.3 in CHANGELOG\.md has no day/m,
    ],
    [
      'an address of the repository that is not filled in',
      () => {
        write('package.json', JSON.stringify({ name: 'p', version: '1.2.3' }));
        commit();
      },
      /^repository +NO: package\.json names no "repository", the one place/m,
    ],
    [
      'an install text that says it is not published',
      () => {
        write('README.md', 'The package is not published yet.');
        commit();
      },
      /^install texts +NO: "not published yet" is still in README\.md$/m,
    ],
    [
      'an entry that says nothing',
      () => {
        write('CHANGELOG.md', CHANGELOG.replace('- Something new.', ''));
        commit();
      },
      /^changelog +NO: .* says nothing$/m,
    ],
    ['a tag that exists', () => git('tag', 'v1.2.3'), /^tag +NO: v1\.2\.3 is there already/m],
    [
      'a script that runs when it is installed',
      () => {
        write(
          'package.json',
          JSON.stringify({ name: 'p', version: '1.2.3', scripts: { postinstall: 'x' } }),
        );
        commit();
      },
      /^install scripts +NO: package\.json has postinstall$/m,
    ],
    [
      'a test file in the package',
      () =>
        npm({
          packed: { ...PACKED, files: [...PACKED.files, { path: 'test/x.test.js', size: 1 }] },
        }),
      /^contents +NO: not to be shipped: test\/x\.test\.js$/m,
    ],
    [
      'a known vulnerability',
      () => npm({ audit: { metadata: { vulnerabilities: { total: 2 } } } }),
      /^audit +NO: 2 known vulnerabilities/m,
    ],
    ['tests that fail', () => npm({ tests: 3 }), /^tests +NO: npm test ended with 3$/m],
    ['others that fail', () => npm({ rest: 3 }), /^tests +NO: npm run test:all ended with 3$/m],
  ])) {
    it(`refuses ${what}, dry or not`, () => {
      spoil();
      for (const [args, env] of /** @type {[string[], object][]} */ ([
        [[], {}],
        [['--publish'], ON_GITHUB],
      ])) {
        const { code, said } = release(args, env);
        assert.equal(code, 1, said);
        assert.match(said, reason);
        assert.match(said, /p 1\.2\.3 does not go out\.$/);
      }
      assert.deepEqual(published(), []);
      assert.equal(fs.existsSync(path.join(folder.path, 'out')), false);
    });
  }

  it('tells everything that is wrong at once, and does not run the tests then', () => {
    write('index.js', '1');
    git('tag', 'v1.2.3');
    const { said } = release();
    assert.match(said, /^tree +NO/m);
    assert.match(said, /^tag +NO/m);
    assert.match(said, /^tests +not run/m);
    assert.ok(!sent().includes('test'));
  });

  it('an audit that nobody answers is said in a dry run, and is not good enough to publish', () => {
    npm({ audit: { message: 'Not found' } });
    const dry = release();
    assert.equal(dry.code, 0, dry.said);
    assert.match(dry.said, /^audit +the registry could not be asked: Not found$/m);
    assert.equal(release(['--publish'], ON_GITHUB).code, 1);
  });

  it('publishes on a build server alone, with provenance, that very tarball', () => {
    const here = release(['--publish']);
    assert.equal(here.code, 1);
    assert.match(here.said, /^provenance +NO: only a build server can prove/m);
    assert.deepEqual(published(), []);
    const there = release(['--publish'], ON_GITHUB);
    assert.equal(there.code, 0, there.said);
    assert.deepEqual(published(), [
      `publish --provenance --access=public ${path.join(folder.path, 'out/p-1.2.3.tgz')}`,
    ]);
    assert.match(there.said, /published\. Now: git tag v1\.2\.3/);
  });
  it('GitLab can prove it, too', () =>
    assert.equal(release(['--publish'], { GITLAB_CI: 'true', SIGSTORE_ID_TOKEN: 'x' }).code, 0));
  it('refuses to publish what names no repository', () => {
    write('package.json', JSON.stringify({ name: 'p', version: '1.2.3' }));
    commit();
    assert.match(
      release(['--publish'], ON_GITHUB).said,
      /^provenance +NO: package\.json names no "repository"/m,
    );
    assert.deepEqual(published(), []);
  });
  it('says so when npm did not take it', () => {
    npm({ publish: 1 });
    const { code, said } = release(['--publish'], ON_GITHUB);
    assert.equal(code, 1);
    assert.match(said, /npm publish ended with 1; nothing was tagged/);
  });
  it('writes no SBOM that does not list what is needed', () => {
    write(
      'package.json',
      JSON.stringify({
        name: 'p',
        version: '1.2.3',
        repository: 'github:x/y',
        dependencies: { known: '1.0.0' },
        devDependencies: { tool: '1.0.0' },
      }),
    );
    commit();
    const { code, said } = release();
    assert.equal(code, 0, said);
    write(
      'package.json',
      JSON.stringify({
        name: 'p',
        version: '1.2.3',
        repository: 'github:x/y',
        dependencies: { known: '1.0.0', other: '1.0.0' },
      }),
    );
    commit();
    assert.throws(() => release(), /npm sbom does not list other/);
  });
  it('does not guess what wrong arguments mean', () => {
    const { code, said } = release(['--publsh']);
    assert.equal(code, 2);
    assert.match(said, /npm run release -- \[--publish\]/);
    assert.deepEqual(sent(), []);
  });
});

describe('the contents of a package', () => {
  const add = (/** @type {string} */ name) =>
    whatIsWrong({ ...PACKED, files: [...PACKED.files, { path: name, size: 1 }] });
  for (const name of [
    'lib/a/b.js',
    'snippets/check.js',
    'docs/faq.md',
    'docs/pictures/a.png',
    'docs/evidence/a.md',
  ])
    it(`${name} belongs to it`, () => assert.equal(add(name), null));
  for (const name of [
    'test/unit/x.test.js',
    'coverage/x.json',
    'docs/dev/a.md',
    'docs/dev/decisions/a.md',
    'docs/evidence/a.png',
    'scripts/release.js',
    '.ci/run',
    'bench/run.js',
    'monday.ndjson.gz',
  ])
    it(`${name} does not`, () => assert.match(String(add(name)), /not to be shipped/));
  it('nothing that it needs is missing', () =>
    assert.equal(whatIsWrong({ ...PACKED, files: PACKED.files.slice(1) }), 'missing: index.js'));
  it('it is no larger than it may be', () => {
    assert.equal(whatIsWrong({ ...PACKED, unpackedSize: UNPACKED_LIMIT_BYTES }), null);
    assert.match(
      String(whatIsWrong({ ...PACKED, unpackedSize: UNPACKED_LIMIT_BYTES + 1 })),
      /over the limit/,
    );
  });
});
