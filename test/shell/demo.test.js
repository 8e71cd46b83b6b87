'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { temporaryFolder } = require('../support/cleanup');
const { runMongosh } = require('../support/mongosh');

const INDEX = path.join(__dirname, '../../index.js');

describe('tune.demo in a mongosh without a server', function () {
  this.timeout(120_000);
  const folder = temporaryFolder('demo-shell');
  after(() => folder.remove());

  it('shows the four steps at the prompt, and writes the page', async () => {
    const { code, stdout } = await runMongosh(['--nodb', '--quiet'], {
      input: `load(${JSON.stringify(INDEX)})\ntune.demo()\ntune demo advise\ntune.demo("explain")\ntune.demo("report")\n`,
      cwd: folder.path,
    });
    assert.equal(code, 0);
    for (const step of [1, 2, 3, 4]) assert.match(stdout, new RegExp(`DEMO ${step} of 4`));
    assert.equal(stdout.match(/not your server/g)?.length, 4);
    assert.match(stdout, /BOTTLENECK +cache-dirty/);
    assert.ok(fs.existsSync(path.join(folder.path, 'tune-demo.html')));
  });

  it('is data in a script', async () => {
    const { stdout } = await runMongosh(
      ['--nodb', '--quiet', '--json=relaxed', '--eval', `load(${JSON.stringify(INDEX)})`].concat([
        '--eval',
        'tune.demo("advise")',
      ]),
    );
    assert.equal(JSON.parse(stdout).advice.bottleneck, 'cache-dirty');
  });
});
