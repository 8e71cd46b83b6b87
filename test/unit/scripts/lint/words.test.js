'use strict';

const assert = require('node:assert/strict');
const path = require('node:path');
const { ESLint } = require('eslint');

const eslint = new ESLint({ cwd: path.join(__dirname, '../../../..') });
const messages = async (code, file = 'lib/commands/x.js') =>
  (await eslint.lintText(`'use strict';\n${code}\n`, { filePath: file }))[0].messages
    .filter(({ ruleId }) => ruleId === 'own/words')
    .map(({ message }) => message);

describe('the lint rule own/words', () => {
  for (const [code, file] of [
    ['const knobValue = 1;'],
    ['module.exports = { isTold: true };'],
    ['const SAFE_POINT = 1;'],
    ['call(look);', 'lib/commands/x.js'],
    ['', 'lib/commands/last-look.js'],
  ])
    it(`refuses ${file ?? code}`, async () => assert.equal((await messages(code, file)).length, 1));
  it('says what to write, and where exceptions are', async () =>
    assert.match(
      (await messages('let rung;'))[0],
      /not "rung" but "step" .*glossary\.md.*words\.js/,
    ));
  for (const code of ['lookUp();', 'const outlook = 1;', 'const steps = [];'])
    it(`takes ${code}`, async () => assert.deepEqual(await messages(code), []));
  it('leaves tests and scripts alone', async () =>
    assert.deepEqual(await messages('let rung;', 'scripts/x.js'), []));
});
