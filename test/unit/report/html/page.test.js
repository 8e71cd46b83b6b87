'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const vm = require('node:vm');
const { html, lines, showValue, showTime } = require('../../../../lib/report/pure/html/elements');
const { encode } = require('../../../../lib/report/pure/html/chart-group');
const { kindOf } = require('../../../../lib/report/pure/html/kinds');
const { renderComparison } = require('../../../../lib/report/pure/html/comparison');
const { renderReport } = require('../../../../lib/report/pure/html/page');
const { renderWritten } = require('../../../../lib/report/pure/written-files');
const { chartDataOf } = require('../../../../lib/series/chart-data');
const values = require('../../../support/answers');

const HOSTILE = '</script><img src=x onerror=alert(1)>"\'&\u202e\u001b[31m';
const ABOUT = {
  at: new Date(0),
  assets: {
    style: '/* style */',
    script: '/* script */',
    styleHash: 'sha256-a',
    scriptHash: 'sha256-b',
    version: '1.2.3',
  },
  notes: [],
};
const itemOf = (value, drawn = null) => {
  const kind = kindOf(value);
  return { value, kind, drawn: drawn ?? kind.draw?.(value) ?? null };
};
const pageOf = (...given) =>
  renderReport(
    given.map((value) => itemOf(value)),
    ABOUT,
  );
const textOf = (page) =>
  page
    .replace(/<(style|script)[^]*?<\/\1>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&#39;/g, "'")
    .replace(/&quot;/g, '"')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ');
const dataOf = (page) =>
  JSON.parse(/<script type="application\/json" id="data">([^]*?)<\/script>/.exec(page)[1]);

describe('markup', () => {
  it('takes what is put into it for text', () => {
    assert.equal(
      `${html`<p title="${'"'}">${HOSTILE}</p>`}`,
      '<p title="&quot;">&lt;/script&gt;&lt;img src=x ' +
        'onerror=alert(1)&gt;&quot;&#39;&amp;\\u202e\\u001b[31m</p>',
    );
  });
  it('leaves nothing of nothing, joins lists, keeps markup and 0', () => {
    assert.equal(
      `${html`${null}${undefined}${false}|${[1, html`<b>${'<'}</b>`, [0]]}`}`,
      '|1<b>&lt;</b>0',
    );
  });
  it('keeps the lines of a text', () => assert.equal(`${lines('a <\n\tb')}`, 'a &lt;\n\\tb'));
});

describe('values on a page', () => {
  for (const [name, value, shown] of [
    ['dirtyRatio', 0.123, '12.3%'],
    ['usedBytes', 2 ** 20, '1 MiB'],
    ['readBytesPerSec', 2 ** 20, '1 MiB/s'],
    ['lastMs', 1500, '1.5 s'],
    ['opsPerSec', 1234, '1,234/s'],
    ['everySeconds', 60, '60 s'],
    ['threads', 4, '4'],
    ['x', null, '?'],
    ['x', undefined, '?'],
    ['x', true, 'yes'],
    ['x', false, 'no'],
    ['x', 'text', 'text'],
    ['x', ['a', 'b'], 'a, b'],
    ['x', [], 'none'],
    ['x', '', 'empty'],
    ['x', [0.12345, 1234.5], '0.12, 1,235'],
    ['sizesBytes', [2 ** 20, 2 ** 21], '1 MiB, 2 MiB'],
    ['x', [{ a: 1 }, { a: 2, b: 'c' }], 'a: 1; a: 2, b: c'],
    ['x', { a: 1, sizeBytes: 1024 }, 'a: 1, sizeBytes: 1 KiB'],
    ['x', {}, 'none'],
    ['shareOfClients', 0.5, '50.0%'],
    ['ratio', 0.5, '50.0%'],
  ])
    it(`${name}: ${JSON.stringify(value)} is ${shown}`, () =>
      assert.equal(showValue(name, value), shown));
  it('moments, in any form, or unknown', () =>
    assert.deepEqual(
      [
        showTime(new Date(0)),
        showTime('1970-01-01T00:00:01Z'),
        showTime(null),
        showTime(undefined),
        showTime('x'),
      ],
      ['1970-01-01 00:00:00', '1970-01-01 00:00:01', '?', '?', '?'],
    ));
});

describe('lines in a page', () => {
  const file = (name) =>
    fs.readFileSync(path.join(__dirname, '../../../../lib/report/page', name), 'utf8');
  const decode = vm.runInNewContext(`${file('decode.js')}; decodeLine`);
  it('are read as they were written, to a 100,000th of their range', () => {
    const series = {
      a: [0, 1e9, null, 123_456_789],
      b: [null, null, 7, null],
      c: [-5, -5, -5, -5],
    };
    const coded = JSON.parse(
      JSON.stringify(
        encode(
          chartDataOf([1000, 2000, 2000, 5500], series, {
            checkpoints: [{ fromMs: 1000.4, toMs: 2000 }],
            stalls: null,
            blocks: [{ fromMs: 1, toMs: 2, setting: 'B' }],
          }),
        ),
      ),
    );
    const line = decode(coded, false);
    assert.deepEqual([...line.x], [1, 2, 2, 5.5]);
    assert.deepEqual([...decode(coded, true).x], [0, 1, 1, 4.5]);
    for (const [name, list] of Object.entries(series))
      list.forEach((value, i) =>
        assert.ok(
          value === null
            ? line.columns[name][i] === null
            : Math.abs(line.columns[name][i] - value) <= 1e4,
          `${name} ${i}`,
        ),
      );
    assert.deepEqual(
      [coded.checkpoints, coded.stalls, coded.blocks],
      [[[1000, 2000]], [], [[1, 2, 'B']]],
    );
  });
  it('may be empty', () =>
    assert.deepEqual(encode(chartDataOf([], {})), {
      fromMs: 0,
      steps: [],
      series: {},
      levels: {},
      checkpoints: [],
      stalls: [],
      breaks: [],
      blocks: [],
    }));
});

describe('pages', () => {
  for (const [name, value] of Object.entries(values)) {
    it(`${name}: is whole, says its words, and has no id twice`, () => {
      const page = pageOf(value.answer);
      for (const words of value.says)
        assert.ok(textOf(page).includes(words), `${words}\n${textOf(page)}`);
      const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
      assert.deepEqual(
        ids.filter((id, i) => ids.indexOf(id) !== i),
        [],
      );
      for (const [, id] of page.matchAll(
        /(?:href="#|data-copy="|data-filters="|aria-labelledby=")([^"]+)"/g,
      ))
        assert.ok(ids.includes(id), id);
      assert.doesNotMatch(page, /undefined|NaN|\[object|Invalid/);
      assert.doesNotMatch(page.replace(/<pre[^]*?<\/pre>/g, ''), / style="| src="| on\w+="/);
    });
    it(`${name}: with hostile text everywhere it is the same page`, () => {
      const replaced = (node, key = '') => {
        if (typeof node === 'string') return KEPT.has(key) ? node : HOSTILE;
        if (Array.isArray(node)) return node.map((one) => replaced(one, key));
        if (node === null || typeof node !== 'object' || node instanceof Date) return node;
        return Object.fromEntries(Object.entries(node).map(([k, v]) => [k, replaced(v, k)]));
      };
      const page = pageOf(replaced(value.answer));
      const tagsOf = (text) =>
        [...text.matchAll(/<([a-z]+\d?)/g)]
          .map(([, tag]) => tag)
          .filter((tag) => ['img', 'script', 'iframe', 'object', 'link', 'style'].includes(tag));
      assert.deepEqual(tagsOf(page.replace(/&lt;[^]*?&gt;/g, '')), ['style', 'script', 'script']);
      assert.doesNotMatch(page, /<img|\u202e|\u001b/);
    });
  }
  /** Words that programs read: another one would be another answer. */
  const KEPT = new Set([
    'status',
    'setting',
    'kind',
    'metric',
    'order',
    'verdict',
    'worthIt',
    'at',
    'from',
    'to',
  ]);

  it('forbids by its policy all but its own style and script', () => {
    assert.match(
      pageOf(values.advice.answer),
      /content="default-src &#39;none&#39;; style-src &#39;sha256-a&#39;; script-src &#39;sha256-b&#39;; img-src data:; base-uri &#39;none&#39;; form-action &#39;none&#39;"/,
    );
  });
  it('tell of the host and every note once, and draw what can be drawn', () => {
    const page = renderReport(
      [
        itemOf(
          values.advice.answer,
          chartDataOf(
            [0, 1000],
            { readsPerSec: [1, 2], dirtyRatio: [0.1, 0.2] },
            {
              levels: { dirtyTriggerRatio: 0.2 },
              stalls: [],
              checkpoints: [{ fromMs: 0, toMs: 1 }],
              breaks: [{ fromMs: 0, toMs: 1, kind: 'gap' }],
              downsampledTo: 2,
              sampleCount: 1,
            },
          ),
        ),
        { ...itemOf(values.host.answer), comment: 'mongosh-tune trial 3f9a1c CHG-7' },
      ],
      { ...ABOUT, notes: ['a note', 'Interrupted.'] },
    );
    assert.match(page, /<h1>db1:27017<\/h1>/);
    assert.match(textOf(page), /carry the comment (?:"|&quot;)mongosh-tune trial 3f9a1c CHG-7/);
    assert.equal(page.match(/<li>Interrupted\.<\/li>/g).length, 1);
    const data = dataOf(page);
    assert.deepEqual(
      data.charts.map(({ id, series, levels }) => [id, series, levels]),
      [
        ['chart-operations', ['readsPerSec'], []],
        ['chart-dirty', ['dirtyRatio'], [['dirty trigger', 0.2]]],
      ],
    );
    assert.match(
      textOf(page),
      /1 sample; downsampled to 2 buckets that keep each minimum and maximum; 1 checkpoint; 0 stalls; 1 gap or restart\./,
    );
    assert.match(textOf(page), /reads – 1\/s 1\.5\/s 2\/s/);
  });
  it('of a trial tell what each line was like under A and under B', () => {
    const blocks = [
      { fromMs: 0, toMs: 1000, setting: 'A', means: { readsPerSec: 1 } },
      { fromMs: 2000, toMs: 3000, setting: 'B', means: { readsPerSec: 5 } },
      { fromMs: 4000, toMs: 5000, setting: 'B', means: { readsPerSec: 7, dirtyRatio: 0.1 } },
    ];
    const page = renderReport(
      [
        itemOf(
          values.trial.answer,
          chartDataOf(
            [0, 1000, 5000],
            { readsPerSec: [1, 9, 5], dirtyRatio: [0.1, 0.1, 0.1] },
            { blocks, sampleCount: 9 },
          ),
        ),
      ],
      ABOUT,
    );
    for (const words of [
      'A active B active',
      '3 blocks; 9 samples.',
      'mean A mean B max reads – 1/s 6/s 9/s',
      'dirty – ? 10.0% 10.0%',
    ])
      assert.ok(textOf(page).includes(words), `${words}\n${textOf(page)}`);
    assert.match(page, /reads: mean A 1\/s, mean B 6\/s, max 9\/s"/);
    const kept = textOf(renderReport([itemOf(values.trial.answer)], ABOUT));
    for (const words of ['3 blocks.', 'mean A mean B max operations – 100/s 150/s 150/s'])
      assert.ok(kept.includes(words), `${words}\n${kept}`);
  });
  it('say so where there are no series', () =>
    assert.match(textOf(pageOf(values.advice.answer)), /No charts: this answer holds no samples/));
  it('are made of answers alone', () =>
    assert.deepEqual([null, 3, 'x', {}, [], { findings: [] }].map(kindOf), [
      null,
      null,
      null,
      null,
      null,
      null,
    ]));
  it('of what JSON kept are the same', () => {
    for (const { answer } of Object.values(values))
      assert.equal(pageOf(JSON.parse(JSON.stringify(answer))), pageOf(answer));
  });
  it('list what needs a person, and fold away all other rules', () => {
    const parts = (page) => [
      /<ul class="findings">([^]*?)<\/ul>/.exec(page)?.[1] ?? '',
      /<details><summary>Other rules[^]*<\/table>/.exec(page)?.[0] ?? '',
    ];
    const [severe, folded] = parts(pageOf(values.advice.answer));
    assert.match(textOf(severe), /^ ?CRIT dirty-ratio/);
    assert.doesNotMatch(severe, /tickets/);
    assert.match(textOf(folded), /Other rules: 1 ok .* OK tickets tickets is ok\./);
    assert.doesNotMatch(folded, /dirty-ratio is critical/);
    const fine = {
      ...values.advice.answer,
      findings: values.advice.answer.findings.filter(({ status }) => status === 'ok'),
    };
    assert.match(textOf(pageOf(fine)), /None critical, none warning\. Other rules: 1 ok/);
    assert.deepEqual(parts(pageOf(fine))[0], '');
  });
  it('show the command of the recommended change once, and each finding once', () => {
    const change = { cacheSizeGB: 1 };
    const own = {
      ...values.advice.answer.findings[0],
      change,
      advice: 'Give it more. Type: tune.apply({ cacheSizeGB: 1 })',
    };
    const other = {
      ...own,
      rule: 'host-swappiness',
      status: 'warning',
      change: null,
      advice: null,
    };
    const page = pageOf({ ...values.advice.answer, findings: [own, other] }, values.host.answer);
    assert.equal(page.match(/tune\.apply\(\{ cacheSizeGB: 1 \}\)/g).length, 1);
    assert.match(page, /Give it more\. <a href="#recommended">Recommended change<\/a>/);
    assert.match(textOf(page), /Also under Findings above: host-swappiness\./);
    assert.match(textOf(page), /Other rules: 1 warning .* WARN host-swappiness/);
  });
  it('have no title twice', () => {
    const page = pageOf(values.advice.answer, values['a recording'].answer, values.status.answer);
    const titles = [...page.matchAll(/<h2[^>]*>([^<]*)</g)].map(([, title]) => title);
    assert.deepEqual(
      titles.filter((title, i) => titles.indexOf(title) !== i),
      [],
    );
  });
  it('do not part a number from its unit', () => {
    const because = 'A page write takes 18.5 ms of 1 GiB.';
    assert.match(
      pageOf({ ...values.advice.answer, because }),
      /takes 18\.5\u00a0ms of 1\u00a0GiB\./,
    );
  });
  it('of members show each with its bottleneck', () => {
    const member = (host, more = {}) => ({
      host,
      role: 'secondary',
      lagSeconds: 2,
      reached: true,
      bottleneck: 'none',
      ...more,
    });
    const page = pageOf({
      ...values.advice.answer,
      members: [
        member('db1'),
        member('db2', { reached: false, bottleneck: null }),
        member('db3', { role: 'arbiter', reached: false, lagSeconds: null, bottleneck: null }),
      ],
    });
    for (const words of ['db1 secondary 2 s none', 'db2 secondary 2 s not checked', 'db3 arbiter'])
      assert.ok(textOf(page).includes(words), words);
  });
});

describe('two answers side by side', () => {
  const drawn = (factor) =>
    chartDataOf([0, 1000], {
      readsPerSec: [1 * factor, 3 * factor],
      readLatencyMs: [2, 2],
      ...(factor > 1 && { usedRatio: [0.5, 0.6] }),
    });
  const better = {
    ...values.advice.answer,
    bottleneck: 'none',
    host: null,
    version: null,
    findings: [
      { ...values.advice.answer.findings[0], status: 'ok', message: 'Fine now.' },
      ...values.advice.answer.findings.slice(1),
    ],
  };
  const page = renderComparison(
    [itemOf(values.advice.answer, drawn(1)), itemOf(better, drawn(2))],
    ABOUT,
  );
  it('has both verdicts, ratios, and what rules say now', () => {
    const text = textOf(page);
    for (const words of [
      'db1:27017 and ?, compared',
      'A, before',
      'B, after',
      'Operations: reads 2/s 4/s ×2 3/s 6/s ×2',
      'Latency: reads 2 ms 2 ms ×1',
      'Cache used: used ? 55.0%',
      'Fine now.',
      'B, after: Interrupted.',
    ])
      assert.ok(text.includes(words), `${words}\n${text}`);
  });
  it('has the same charts on the same scale', () => {
    assert.deepEqual(
      dataOf(page).charts.map(({ id, top }) => [id, top]),
      [
        ['chart-operations-0', 6],
        ['chart-operations-1', 6],
        ['chart-latency-0', 2],
        ['chart-latency-1', 2],
        ['chart-fill-1', 1],
      ],
    );
    assert.match(textOf(page), /Cache used Not reported here/);
    assert.equal(dataOf(page).groups[0].elapsed, true);
  });
  it('says that every rule says the same, and does without series and rules', () => {
    assert.match(
      textOf(
        renderComparison(
          [itemOf(values.advice.answer, drawn(1)), itemOf(values.advice.answer, drawn(1))],
          ABOUT,
        ),
      ),
      /No rule changed its status/,
    );
    const plain = textOf(
      renderComparison([itemOf(values.status.answer), itemOf(values.status.answer)], ABOUT),
    );
    assert.match(plain, /No charts: this answer holds no samples/);
    assert.doesNotMatch(plain, /Rules that changed/);
  });
  const between = (before, after) =>
    textOf(
      renderComparison(
        [before, after].map((version) => itemOf({ ...values.status.answer, version })),
        ABOUT,
      ),
    );
  it('says what the releases explain, where the second is the later one', () => {
    const text = between('4.4.2', '6.0.27');
    assert.match(text, /Between 4\.4\.2 and 6\.0\.27/);
    assert.match(text, /Writes wait for the majority/);
    assert.match(text, /SERVER-115508, gone/);
    assert.match(between('6.0.27', '8.0.3'), /SERVER-115508, new/);
    assert.match(between('99.0.0', '99.0.1'), /knows of no change/);
    for (const [a, b] of [
      ['6.0.5', '6.0.5'],
      ['6.0.27', '6.0.5'],
      ['6.0.5', null],
    ])
      assert.doesNotMatch(between(a, b), /Between/);
  });
  it('knows a rule that is only on one side', () => {
    const more = {
      ...values.advice.answer,
      findings: [
        ...values.advice.answer.findings,
        { ...values.advice.answer.findings[0], key: undefined, rule: 'new-rule', status: 'info' },
      ],
    };
    assert.match(
      textOf(
        renderComparison([itemOf(more, drawn(1)), itemOf(values.advice.answer, drawn(1))], ABOUT),
      ),
      /new-rule/,
    );
    assert.match(
      textOf(
        renderComparison([itemOf(values.advice.answer, drawn(1)), itemOf(more, drawn(1))], ABOUT),
      ),
      /new-rule/,
    );
  });
});

describe('what tune.report answers', () => {
  const plain = (text) => text;
  it('tells where it is and what is in it', () => {
    assert.equal(
      renderWritten(
        { file: '/tmp/a.html', bytes: 2048, of: ['an advice'], points: 10, sampleCount: 1234 },
        plain,
      ),
      'WRITTEN      /tmp/a.html\n             2 KiB: 1 answer of tune.advise(), charts of 1,234 samples\n' +
        'OPEN         in any browser; it needs no network',
    );
    assert.match(
      renderWritten({ file: 'a', bytes: 1, of: ['the host'], points: 0, sampleCount: 0 }, plain),
      /no charts/,
    );
  });
});
