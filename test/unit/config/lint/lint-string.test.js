'use strict';

const assert = require('node:assert/strict');
const { lintString } = require('../../../../lib/config/lint/lint-string');
const { checkRelease, RELEASE } = require('../../../../lib/config/lint/lint');
const { defaultsFor } = require('../../../../lib/config/config-layers');
const { ENGINE_STRINGS } = require('../../../support/engine-strings');

const BASE = { ...defaultsFor(null), cacheSizeGB: 0.25 };
/** @param {string} text @param {object} [place] */
const lint = (text, place = {}) =>
  lintString(text, { version: '6.0.5', at: 'runtime', base: BASE, ...place });
/** One line a problem. @param {string} text @param {object} [place] */
const said = (text, place) =>
  lint(text, place).map(({ level, key, say, todo }) => `${level} ${key}: ${say}. ${todo}`);

describe("config/lint: the server's own answers", () => {
  for (const [text, accepted] of ENGINE_STRINGS) {
    it(`${JSON.stringify(text)}: ${accepted ? 'accepted' : 'refused'}`, () => {
      assert.equal(
        lint(text).every(({ level, when }) => level !== 'error' || when === 'start'),
        accepted,
        said(text).join('\n'),
      );
    });
  }
});

describe('config/lint: the name of a group alone', () => {
  // 6.0.5 reads what lies behind it in memory, and takes it or not.
  for (const text of ['debug_mode', 'eviction', 'io_capacity', 'cache_overhead=8,statistics_log'])
    it(`${text}: refused`, () => assert.ok(lint(text).some(({ level }) => level === 'error')));
});

describe('config/lint: what it says', () => {
  for (const [text, expected] of /** @type {[string, RegExp][]} */ ([
    [
      'cache_sice=1G',
      /^error cache_sice: WiredTiger in MongoDB 6\.0\.5 does not support the key cache_sice\. Did you mean cache_size\?$/,
    ],
    ['nonsense=1', /does not support the key nonsense\. Remove it\.$/],
    [
      'eviction=(workers=3)',
      /^error eviction\.workers: .* eviction has: threads_max, threads_min\.$/,
    ],
    ['eviction=(threads_mx=3)', /Did you mean eviction\.threads_max\?/],
    [
      'threads_max=8',
      /^error threads_max: threads_max belongs in brackets\. Write eviction=\(threads_max=8\)\.$/,
    ],
    ['threads_min', /Write eviction=\(threads_min=…\)\.$/],
    ['wait=5', /Write checkpoint=\(wait=5\) or statistics_log=\(wait=5\)/],
    [
      'eviction.threads_max=8',
      /dotted keys such as eviction\.threads_max\. Write eviction=\(threads_max=…\)\./,
    ],
    ['8=1', /"8" is in the place of a key/],
    [
      'session_max=100',
      /^error session_max: session_max is start-up only\. Set it in storage\.wiredTiger\.engineConfig\.configString/,
    ],
    ['cache_size=1.5G', /must be a whole number, not "1\.5G"\. .*Fractions are not supported/],
    ['cache_size="1G"', /Remove the quotes/],
    [
      'cache_size',
      /must be a whole number, not a key alone\. Write a whole number with one of the units/,
    ],
    ['eviction_target=80%', /Remove the percent sign/],
    ['cache_size=1KB', /cache_size=1KB is below the minimum of 1MB\. Give at least 1MB/],
    ['cache_size=11TB', /above the maximum of 10TB/],
    [
      'cache_size=1 G',
      /a new value starts without a separator\. Put a comma between two settings; a number and its unit/,
    ],
    ['cache_size==1G', /the value is already complete\. Write key=value/],
    ['eviction=(threads_max=8', /unbalanced brackets\. Add the missing closing bracket/],
    [
      'eviction = (threads_max=8)',
      /reads eviction from the wrong place when anything but "=" is between.*Write eviction=\(…\)/,
    ],
    ['"eviction"=(threads_max=8)', /reads eviction from the wrong place/],
    ['eviction=8', /eviction needs its settings in brackets, not "8"/],
    ['eviction,cache_size=1G', /^error eviction: eviction needs its settings in brackets\. /],
    [
      'verbose=evict',
      /verbose must be a list in brackets, not "evict"\. Write verbose=\(evict\)\./,
    ],
    ['verbose=[evct]', /verbose does not accept "evct"\. Did you mean evict\?/],
    ['json_output=[all]', /json_output does not accept "all"\. It accepts: error, message\./],
    ['statistics', /statistics needs a value\. Write statistics=\(…\)\./],
    [
      'json_output=[error==1]',
      /cannot read the list of json_output: the value is already complete/,
    ],
    ['debug_mode=(cursor_copy=no)', /debug_mode\.cursor_copy must be true or false, not "no"/],
    ['statistics=(all,fast)', /accepts only one of all, fast, none/],
    ['io_capacity=(total=10)', /io_capacity\.total must be 0 or at least 1 MB/],
    ['history_store=(file_max=10)', /history_store\.file_max must be 0 or at least 100 MB/],
    [
      'eviction=(threads_min=8,threads_max=4)',
      /^error eviction\.threads_max: eviction\.threads_min 8 is above eviction\.threads_max 4\./,
    ],
    [
      'eviction=(threads_min=8)',
      /^error eviction\.threads_min: eviction\.threads_min 8 is above eviction\.threads_max 4 \(default\)\./,
    ],
    [
      'eviction_target=90,eviction_trigger=85',
      /eviction_target 90% is not below eviction_trigger 85%: mongod exits at its next start. A running server accepts it/,
    ],
    [
      'eviction_dirty_target=100G',
      /eviction_dirty_target is 100 GiB, more than a cache of 256 MiB: WiredTiger rejects it, but keeps a new cache_size/,
    ],
    [
      'error_prefix="abc',
      /quote is not closed: a running server accepts it, then rejects every later setting/,
    ],
    ['a\0b', /NUL/],
    [
      'compatibility=(release=10.0)',
      /^error compatibility\.release: compatibility\.release is rejected by a running server, or terminates it\. Use setFeatureCompatibilityVersion\.$/,
    ],
  ])) {
    it(JSON.stringify(text), () =>
      assert.match(said(text).find((line) => line.startsWith('error')) ?? '', expected),
    );
  }

  for (const [text, expected] of /** @type {[string, RegExp][]} */ ([
    ['', /An empty string sets nothing/],
    ['cache_size=1G,cache_size=2G', /cache_size is given twice; the last one counts/],
    ['"cache_size"=512M', /quotes around cache_size make it a second key/],
    ['(cache_size=1G),foo=1', /Text after the bracket around the whole string is ignored/],
    ['eviction_target=101', /means bytes: up to 100 is percent/],
    ['cache_size=1KMB', /In 1KMB every unit letter multiplies/],
    ['checkpoint=(wait=25)', /checkpoint\.wait starts a second checkpoint thread.*syncPeriodSecs/],
    ['checkpoint=(log_size=1GB)', /second checkpoint thread/],
    ['statistics=(all)', /walks the cache or the trees at every serverStatus/],
    ['statistics=(fast,clear)', /resets the counters/],
    ['statistics=(none)', /removes the counters from serverStatus/],
    ['statistics_log=(wait=5)', /writes statistics files/],
    ['debug_mode=(cursor_copy=true)', /for debugging WiredTiger/],
    ['timing_stress_for_test=[checkpoint_slow]', /slows WiredTiger deliberately/],
    ['verbose=[evict]', /flood the log/],
    ['operation_tracking=(enabled=true)', /a file for every operation/],
    ['history_store=(file_max=1G)', /panic/],
    ['cache_max_wait_ms=10', /makes operations fail/],
    ['operation_timeout_ms=10', /maxTimeMS/],
    ['shared_cache=(name=x)', /overrides cache_size/],
    ['block_cache=(enabled=true,size=1M,type=DRAM)', /second cache besides cache_size/],
    ['error_prefix=x', /changes log messages that tools search for/],
    ['log=(remove=false)', /every journal file forever/],
    ['log=(archive=0)', /every journal file forever/],
    ['log=(zero_fill=true)', /writes each journal file twice/],
  ])) {
    it(`warns: ${JSON.stringify(text)}`, () => {
      assert.match(said(text).join('\n'), expected);
      assert.ok(
        said(text).every((line) => line.startsWith('warning')),
        said(text).join('\n'),
      );
    });
  }

  for (const text of [
    'cache_size=512M',
    'eviction=(threads_min=4,threads_max=8)',
    'eviction_dirty_target=5,eviction_dirty_trigger=20',
    'checkpoint=(wait=0)',
    'statistics=(fast)',
    'debug_mode=(cursor_copy=false)',
    'debug_mode=(corruption_abort=true)',
    'verbose=[]',
    'timing_stress_for_test=[]',
    'error_prefix=',
    'shared_cache=(name=none)',
    'log=(remove=true)',
    'history_store=(file_max=0)',
    'eviction=',
  ]) {
    it(`has nothing against ${JSON.stringify(text)}`, () => assert.deepEqual(said(text), []));
  }

  it('levels of messages: any before 6.0, two in 6.0, six since', () => {
    for (const [version, level, fits] of [
      ['5.0.31', 9, true],
      ['6.0.5', 1, true],
      ['6.0.5', 2, false],
      ['7.0.21', 5, true],
      ['8.0.10', 6, false],
    ]) {
      assert.equal(
        said(`verbose=(evict:${level})`, { version }).every((line) => line.startsWith('warning')),
        fits,
        `${version} ${level}`,
      );
    }
    assert.match(
      said('verbose=(api,evict:2)')[1],
      /^error verbose: verbose does not accept "2" as the level of evict\. Give a level from 0 to 1, or evict alone\.$/,
    );
  });
  it('a block cache needs a size and a kind', () =>
    assert.match(
      said('block_cache=(enabled=true)').join(),
      /error block_cache\.enabled: block_cache\.enabled also needs a size and type=dram\. Remove block_cache/,
    ));
  it('what ends a running server is a danger at a start', () => {
    assert.deepEqual(said('compatibility=(release=10.0)', { at: 'start' }), [
      'warning compatibility.release: compatibility.release changes file formats without the ' +
        'knowledge of mongod. Use setFeatureCompatibilityVersion.',
    ]);
  });
  it('points at the place, in the order of the text', () => {
    const text = 'cache_size=1.5G,eviction=(threads_max=21, threds=3)';
    assert.deepEqual(
      lint(text).map(({ position }) => text.slice(position ?? 0)),
      ['1.5G,eviction=(threads_max=21, threds=3)', '21, threds=3)', 'threds=3)'],
    );
  });
  it('updates that follow a wrong dirty pair are not counted twice', () =>
    assert.equal(lint('eviction_dirty_target=30,eviction_dirty_trigger=20').length, 1));
  it('an updates target of its own is', () =>
    assert.equal(lint('eviction_dirty_target=30,eviction_updates_target=12').length, 2));
});

describe('config/lint: what is accepted and not safe', () => {
  const GB = 2 ** 30;
  for (const [text, expected] of /** @type {[string, RegExp | null][]} */ ([
    [
      'cache_size=10M',
      /^warning cache_size: A cache of 10 MiB is below the minimum of 256 MiB that mongod requires at start-up\. Give at least 256 MiB\.$/,
    ],
    ['cache_size=255M', /below the minimum of/],
    ['cache_size=256M', null],
    ['cache_size=8G', null],
    [
      'cache_size=8193M',
      /^warning cache_size: A cache of 8 GiB is more than 80% of the 10 GiB RAM available to this server\. Give at most 8 GiB/,
    ],
    [
      'eviction_trigger=99',
      /^warning eviction_trigger: With eviction_trigger 99% application threads evict only when the cache is full/,
    ],
    ['eviction_trigger=98', null],
    [
      'eviction_target=49',
      /^warning eviction_target: With eviction_target 49% pages are evicted from a cache with free space/,
    ],
    ['eviction_target=50', null],
  ])) {
    it(`${text}: ${expected ? 'warned of' : 'no word'}`, () => {
      const lines = said(text, { memoryBytes: 10 * GB, base: { ...BASE, cacheSizeGB: 4 } });
      if (expected) assert.match(lines.join('\n'), expected);
      else assert.deepEqual(lines, []);
    });
  }
  it('points at the value', () =>
    assert.deepEqual(
      lint('cache_size=10M').map(({ position }) => position),
      [11],
    ));
  it('without the memory of the server only what is too small', () =>
    assert.deepEqual([said('cache_size=200GB'), said('cache_size=10M').length], [[], 1]));
  it('what is out of range is an error, and nothing beside it', () =>
    assert.deepEqual(
      [said('cache_size=1KB').length, said('cache_size=11TB', { memoryBytes: GB }).length],
      [1, 1],
    ));
  it('what was so before is not blamed on it', () =>
    assert.deepEqual(
      said('eviction=(threads_max=5)', {
        base: { ...BASE, cacheSizeGB: 9, evictionTrigger: 100 },
        memoryBytes: 10 * GB,
      }),
      [],
    ));
});

describe('config/lint: which releases are known', () => {
  for (const [version, expected] of /** @type {[string, RegExp | null]} */ (
    /** @type {any} */ ([
      ['3.2', /MongoDB 3\.2 is too old for tune\.lint \(4\.4\.0 and later\)/],
      ['4.2.25', /too old/],
      ['4.4.0', null],
      ['6.0', null],
      ['6.0.99', null],
      ['6.3.1', /not a release of tune\.lint/],
      ['8.2.1', null],
      ['8.3.0', /newer than the releases of tune\.lint/],
    ])
  )) {
    it(version, () => {
      const lines = checkRelease(version).map(({ level, say }) => `${level}: ${say}`);
      if (expected) assert.match(lines.join(), expected);
      else assert.deepEqual(lines, []);
    });
  }
  it('what a release looks like', () =>
    assert.deepEqual(
      ['8.0', '8.0.10', '8.0.0-rc18', '6.0.5-4', '', 'abc', '8', 'v8.0.1', '8.0.x'].map((text) =>
        RELEASE.test(text),
      ),
      [true, true, true, true, false, false, false, false, false],
    ));
});

describe('config/lint: by release', () => {
  it('target and trigger are checked live from 8.1 on', () => {
    const when = (/** @type {string} */ version) =>
      lint('eviction_target=90,eviction_trigger=85', { version }).map((problem) => problem.when);
    assert.deepEqual(
      ['8.0.10', '8.1.0', '8.2.2'].map((version) => when(version)),
      [['start'], ['always'], ['always']],
    );
  });
  it('dirty and updates targets are checked from 5.0.5 on', () => {
    assert.deepEqual(
      ['4.4.29', '5.0.4', '5.0.5'].map(
        (version) => lint('eviction_dirty_target=20', { version, at: 'start' })[0].level,
      ),
      ['warning', 'warning', 'error'],
    );
    assert.equal(lint('eviction_target=95', { version: '4.4.0', at: 'start' })[0].level, 'error');
  });
  it('keys that only some releases of a line have', () =>
    assert.match(
      said('eviction=(evict_sample_inmem=true)', { version: '6.0.12' }).join(),
      /^warning eviction\.evict_sample_inmem: Only some releases of the 6\.0\.12 series/,
    ));
  it('64 threads, on the releases that take them', () => {
    assert.deepEqual(said('eviction=(threads_max=64)', { version: '8.2.6' }), []);
    assert.deepEqual(said('eviction=(threads_max=64)', { version: '8.0.24' }), []);
    assert.match(
      said('eviction=(threads_max=65)', { version: '8.2.6' }).join(),
      /^error .*above the maximum of 64/,
    );
    for (const version of ['8.0.23', '8.1.9', '8.2.5'])
      assert.match(
        said('eviction=(threads_max=21)', { version }).join(),
        /^error .*above the maximum of 20/,
      );
  });
  it('controls of application threads in eviction (changelogs of 8.0.16 and 8.0.30)', () => {
    const text =
      'cache_eviction_controls=[incremental_app_eviction=true,app_eviction_min_cache_fill_ratio=50,' +
      'cache_tolerance_for_app_eviction=20]';
    assert.deepEqual(said(text, { version: '8.0.30' }), []);
    assert.match(
      said(text, { version: '8.0.16' }).join(),
      /^warning cache_eviction_controls\.app_eviction_min_cache_fill_ratio: Only some releases/,
    );
    assert.deepEqual(
      said('cache_eviction_controls=(incremental_app_eviction=true)', { version: '8.0.16' }),
      [],
    );
    assert.match(
      said('cache_eviction_controls=(incremental_app_eviction=true)', { version: '8.0.10' }).join(),
      /^error cache_eviction_controls/,
    );
    assert.match(
      said('cache_eviction_controls=(cache_tolerance_for_app_eviction=101)', {
        version: '8.0.30',
      }).join(),
      /^error .*above the maximum of 100/,
    );
    assert.match(
      said('eviction=(cache_tolerance_for_app_eviction=20)', { version: '9.0.2' }).join(),
      /^warning eviction\.cache_tolerance_for_app_eviction/,
    );
  });
  it('a key newer than the table is uncertain, never an error', () => {
    for (const version of ['8.0.11', '7.0.22', '8.2.0', '9.0.2'])
      assert.match(said('brand_new_thing=1', { version }).join(), /^warning .*as far as is known/);
    for (const version of ['8.0.10', '7.0.21'])
      assert.match(said('brand_new_thing=1', { version }).join(), /^error /);
  });
  it('a server newer than the table may know more keys', () => {
    assert.match(
      said('brand_new=1', { version: '9.0.0' }).join(),
      /^warning brand_new: .* as far as is known/,
    );
    assert.match(said('cache_sise=1G', { version: '9.0.0' }).join(), /^error cache_sise/);
  });
  it('experimental and discouraged keys', () => {
    assert.match(
      said('eviction=(evict_use_softptr=true)', { version: '8.1.1' }).join(),
      /experimental/,
    );
    assert.match(
      said('eviction=(legacy_page_visit_strategy=true)', { version: '8.0.10' }).join(),
      /strongly discouraged/,
    );
    assert.match(said('extra_diagnostics=[all]', { version: '7.0.0' }).join(), /adds checks/);
  });
  it('checkpoint_cleanup was a word before it was a category', () => {
    assert.deepEqual(said('checkpoint_cleanup=reclaim_space', { version: '7.0.5' }), []);
    assert.match(
      said('checkpoint_cleanup=slow', { version: '7.0.5' }).join(),
      /does not accept "slow"/,
    );
    assert.match(
      said('checkpoint_cleanup=', { version: '7.0.5' }).join(),
      /needs a value\. It accepts: none, reclaim_space/,
    );
    assert.match(
      said('checkpoint_cleanup=reclaim_space', { version: '8.0.0' }).join(),
      /does not know the key checkpoint_cleanup\.reclaim_space|needs its settings in brackets/,
    );
  });
});

describe('config/lint: at start', () => {
  const atStart = (/** @type {string} */ text) => said(text, { at: 'start' }).join('\n');
  it('knows the keys of the start', () =>
    assert.equal(atStart('session_max=33000,hash=(buckets=512)'), ''));
  it('warns of those that endanger data', () => {
    assert.match(atStart('log=(enabled=false)'), /disables the journal/);
    assert.match(atStart('in_memory=true'), /keeps nothing on disk/);
    assert.match(atStart('readonly=true'), /read-only/);
    assert.match(atStart('salvage=true'), /damaged files/);
  });
  it('without knowledge of the server the defaults are the base', () =>
    assert.equal(
      lintString('eviction=(threads_min=5)', { version: '6.0.5', at: 'start' }).length,
      1,
    ));
  it('what was wrong before is not blamed on it', () =>
    assert.deepEqual(said('cache_size=1G', { base: { ...BASE, evictionTarget: 96 } }), []));
});
