'use strict';

const assert = require('node:assert/strict');
const Module = require('node:module');
const { parseYaml, printYaml, readYaml } = require('../../lib/base/pure/yaml');

describe('yaml', () => {
  it('prints what it parses to, with comments', () => {
    const value = {
      storage: {
        syncPeriodSecs: 30,
        wiredTiger: {
          engineConfig: {
            cacheSizeGB: 1.5,
            configString:
              'eviction=(threads_min=4,threads_max=8),error_prefix="a: b",statistics=(fast)',
          },
        },
      },
    };
    const text = printYaml(value, ['first', '', 'a: b']);
    assert.ok(text.startsWith('# first\n#\n# a: b\nstorage:\n'), text);
    assert.deepEqual(parseYaml(text).value, value);
    assert.equal(printYaml({ a: 1 }), 'a: 1\n');
  });
  it('keeps long strings on one line, as mongod needs them', () =>
    assert.equal(
      printYaml({ s: 'x'.repeat(50) + ','.repeat(100) + 'y z'.repeat(50) }).split('\n').length,
      2,
    ));
  it('says what to run in a checkout without its packages', () => {
    const loader = /** @type {any} */ (Module);
    const load = loader._load;
    const missing = new Error("Cannot find module 'yaml'");
    loader._load = (/** @type {string} */ name, /** @type {unknown[]} */ ...rest) => {
      if (name === 'yaml') throw missing;
      return load(name, ...rest);
    };
    try {
      assert.throws(() => parseYaml('a: 1'), { code: 'TUNE-90001', value: 'yaml', cause: missing });
    } finally {
      loader._load = load;
    }
  });
  it('tells where a value begins, behind its quote', () => {
    const text = 'a:\n  b: "x"\n  c: y\n';
    const { positionOf } = parseYaml(text);
    assert.deepEqual(
      [
        positionOf(['a', 'b']),
        positionOf(['a', 'c']),
        positionOf(['a', 'd']),
        positionOf(['a', 'c', 'e']),
      ],
      [9, 17, null, null],
    );
  });
  it('faults are told, not thrown', () => {
    assert.deepEqual(parseYaml('a:\n\tb: 1\n').faults.length > 0, true);
    assert.deepEqual(parseYaml('a:\n\tb: 1\n').value, null);
    const twice = parseYaml('a: 1\na: 2\n');
    assert.match(twice.faults[0].say, /unique/);
    assert.notEqual(twice.value, null);
  });
  it('what holds no options is refused', () => {
    assert.throws(() => parseYaml('dbpath=/x'), { code: 'TUNE-40003' });
    assert.throws(() => parseYaml('- a\n- b\n'), { code: 'TUNE-40003' });
    assert.equal(parseYaml('').value, null);
  });
  it('an alias without an anchor, and anchors that multiply without end, are faults and no more', () => {
    const bomb = `a: &a [x]\n${'bcdefghijklmn'
      .split('')
      .map((name, i) => `${name}: &${name} [${Array(9).fill(`*${'abcdefghijklm'[i]}`).join(', ')}]`)
      .join('\n')}\n`;
    for (const text of ['storage:\n  dbPath: *nowhere\n', bomb]) {
      const { value, faults } = parseYaml(text);
      assert.equal(value, null);
      assert.match(faults[0].say, /alias/i);
    }
    assert.equal(parseYaml('a: &a 1\nb: *a\nc: *nowhere\n').faults[0].position, 17);
  });
  it('ten megabytes are no mongod.conf, and are not read', () => {
    const text =
      `systemLog:\n  path: ` +
      `/x\n${Array.from({ length: 150_000 }, (_, i) => `option${i}: { a: [1, 2, "${'x'.repeat(40)}"] }`).join('\n')}\n`;
    assert.ok(text.length > 9e6);
    assert.throws(
      () => parseYaml(text),
      (/** @type {any} */ error) =>
        error.code === 'TUNE-40003' && /more than the maximum of 128 KiB/.test(error.message),
    );
  });
  it(
    'of what may be larger than settings it is not asked whether a key is there twice: that ' +
      'would take a day',
    () => {
      const text = `${Array.from({ length: 30_000 }, (_, i) => `key${i}: 1`).join('\n')}\nkey0: 2\n`;
      const { value, faults } = readYaml(text, text.length);
      assert.deepEqual([faults, value.key0, value.key29999], [[], 2, 1]);
      assert.throws(() => readYaml(text, text.length - 1), { code: 'TUNE-40003' });
    },
  );
});
