'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { providePromtool } = require('../../../../scripts/testing/promtool');
const { temporaryFolder } = require('../../../support/cleanup');
const { skipIf } = require('../../../support/skip');

describe('promtool for the tests', () => {
  /** @type {ReturnType<typeof temporaryFolder>} */ let folder;
  beforeEach(function () {
    skipIf(this, process.platform === 'win32' ? 'programs of this test are scripts' : null);
    folder = temporaryFolder('promtool');
    fs.mkdirSync(path.join(folder.path, 'bin'));
  });
  afterEach(() => folder?.remove());
  const env = () => ({
    PATH: `${path.join(folder.path, 'bin')}:/bin:/usr/bin`,
    HOME: folder.path,
    XDG_CACHE_HOME: path.join(folder.path, 'cache'),
    TUNE_PROMTOOL: '',
  });
  /** @param {string} name @param {string} text */
  const program = (name, text) =>
    fs.writeFileSync(path.join(folder.path, 'bin', name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });

  it('is the one there is', async () => {
    program('promtool', 'exit 0');
    assert.deepEqual(await providePromtool({ env: env() }), { file: 'promtool' });
    const named = path.join(folder.path, 'bin/promtool');
    assert.deepEqual(await providePromtool({ env: { ...env(), TUNE_PROMTOOL: named } }), {
      file: named,
    });
  });

  it('is built once where go is', async () => {
    const source = path.join(folder.path, 'module');
    fs.mkdirSync(source, { mode: 0o555 });
    program(
      'go',
      `case "$1" in mod) echo '{"Dir":"${source}"}';; build) echo built >> "$HOME/log"; printf '#!/bin/sh\\n' > "$4";; esac`,
    );
    for (let i = 0; i < 2; i++) {
      const found = await providePromtool({ env: env() });
      assert.ok('file' in found && fs.existsSync(found.file), JSON.stringify(found));
    }
    assert.equal(fs.readFileSync(path.join(folder.path, 'log'), 'utf8'), 'built\n');
  });

  it('says why there is none', async () => {
    program('go', 'case "$1" in version) ;; *) echo "no route to proxy" >&2; exit 1;; esac');
    assert.deepEqual(await providePromtool({ env: env() }), {
      why: 'promtool could not be built: no route to proxy',
    });
    program('go', 'exit 1');
    assert.deepEqual(await providePromtool({ env: env() }), {
      why: 'there is no go to build promtool',
    });
  });
});
