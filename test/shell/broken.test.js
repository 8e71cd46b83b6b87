'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { temporaryFolder } = require('../support/cleanup');
const { runMongosh } = require('../support/mongosh');
const { ROOT } = require('./support/place');

// A snippet that throws while it is loaded ends every interactive mongosh at its start.
describe('a broken installation', function () {
  this.timeout(60_000);
  let copy;
  beforeEach(() => {
    copy = temporaryFolder('broken');
    for (const name of ['index.js', 'package.json', 'lib', 'snippets'])
      fs.cpSync(path.join(ROOT, name), path.join(copy.path, name), { recursive: true });
  });
  afterEach(() => copy.remove());

  const file = (name) => path.join(copy.path, name);
  const DAMAGES = [
    [
      'a missing folder',
      () => fs.rmSync(file('lib'), { recursive: true }),
      /Cannot find module '\.\/lib\/entry'/,
    ],
    ['a missing file', () => fs.rmSync(file('lib/shell/port.js')), /Cannot find module '\.\/port'/],
    [
      'a file that is cut off',
      () => {
        const text = fs.readFileSync(file('lib/shell/registry.js'), 'utf8');
        fs.writeFileSync(file('lib/shell/registry.js'), text.slice(0, text.lastIndexOf('{') + 1));
      },
      /Unexpected end of input|Invalid or unexpected token|missing \) after/,
    ],
    [
      'a Node.js that is too old',
      () =>
        fs.writeFileSync(
          file('lib/shell/tune.js'),
          `${fs.readFileSync(file('lib/shell/tune.js'), 'utf8')}\nObject.defineProperty(process.versions, ` +
            `'node', { value: '18.20.8' });`,
        ),
      /needs a mongosh that runs on Node\.js 20 or newer, this one has 18\.20\.8/,
    ],
  ];
  for (const [name, damage, reason] of DAMAGES) {
    it(`(${name}) is told in two lines, and mongosh starts`, async () => {
      damage();
      const rc = `load(${JSON.stringify(file('index.js'))})`;
      const { code, stdout, stderr } = await runMongosh(['--nodb', '--quiet'], {
        rc,
        input: 'print("mongosh " + "works, tune is " + typeof tune)\n',
      });
      assert.equal(code, 0, stderr);
      assert.match(stdout, /mongosh works, tune is undefined/);
      const [first, second] = stdout.split('\n');
      assert.match(first, /^tune is not loaded: /);
      assert.match(first, reason);
      assert.equal(
        second,
        'Install it again, or remove it: mongosh --nodb --eval \'snippet("uninstall","tune")\'',
      );
    });
  }

  it('(one command) lets the others work, and says so when that one is called', async () => {
    fs.truncateSync(file('lib/commands/history.js'), 2000);
    const { code, stdout, stderr } = await runMongosh([
      '--nodb',
      '--quiet',
      '--eval',
      `load(${JSON.stringify(file('index.js'))}); print(tune.help())`,
      '--eval',
      'tune.history()',
    ]);
    assert.equal(code, 1);
    assert.match(stdout, /tune\.undo  +Undoes a change/);
    assert.match(stdout, /tune\.history  +cannot be loaded; install tune again/);
    assert.match(
      stderr,
      /\[TUNE-90001\] tune\.history cannot be loaded: [^.]+\. If the installation is not complete, install tune again\./,
    );
  });
});
