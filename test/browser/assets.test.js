'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const vm = require('node:vm');
const { pageAssets } = require('../../lib/report/write-report');

const PAGE = path.join(__dirname, '../../lib/report/page');

describe('what goes into a page, before a browser sees it', () => {
  const { script, style } = pageAssets();
  it('is every script and style that lies there', () => {
    for (const name of fs.readdirSync(PAGE).filter((one) => /\.(js|css)$/.test(one)))
      assert.ok((script + style).includes(fs.readFileSync(path.join(PAGE, name), 'utf8')), name);
  });
  it('is one script that a browser can read', () => assert.ok(new vm.Script(script)));
  it('leaves room for the data', () =>
    assert.ok(script.length + style.length < 120_000, `${script.length + style.length}`));
});
