'use strict';

const assert = require('node:assert/strict');
const { renderCheck, renderPlugin, renderUnable } = require('../../../lib/check/pure/check-text');

/** @param {any} [more] */
const perf = (more) => ({
  label: 'cache_used',
  value: 80.123456,
  unit: '%',
  warn: null,
  crit: null,
  min: 0,
  max: 100,
  ...more,
});
const CHECKED = /** @type {any} */ ({
  host: 'db1:27017',
  version: '6.0.5',
  status: 'ok',
  bottleneck: 'none',
  because: 'All is well.',
  findings: [],
  suppressed: [],
  inBaseline: [],
  notes: [],
  perfdata: [
    perf(),
    perf({ label: 'cache_dirty', value: 4 }),
    perf({ label: 'reads', value: 1234.5, unit: '', max: null }),
  ],
});
const FINDING = {
  rule: 'tickets',
  key: 'tickets',
  status: 'critical',
  message: 'The queue is long.',
  advice: 'Look at the disk.',
};
/** @param {any} [more] */
const lines = (more) => renderPlugin({ ...CHECKED, ...more }).split('\n');
/** A line of a plugin, as its guidelines define one. */
const PERF = /^'[^'=]+'=(U|-?[\d.]+)(us|ms|s|%|[KMGT]?B|c)?(;[\d.:~@-]*){0,4}$/;

describe('check/pure/check-text', () => {
  it('one line of state, server and figures, then the performance data', () => {
    assert.deepEqual(lines(), [
      'TUNE OK - db1:27017, MongoDB 6.0.5: cache 80.1% used, 4.0% dirty; 1,235 reads/s, ? ' +
        "writes/s | 'cache_used'=80.123%;;;0;100 'cache_dirty'=4%;;;0;100 'reads'=1234.5;;;0;",
      'bottleneck none: All is well.',
    ]);
  });
  it('every figure is one that monitors read', () => {
    const [line] = lines({
      perfdata: [
        perf({ warn: 15, crit: 20.5 }),
        perf({ value: null }),
        perf({ value: 1e300 }),
        perf({ value: NaN }),
        perf({ value: 1e-9 }),
        perf({ value: -0 }),
        perf({ value: 123456789012, unit: 'B' }),
      ],
    });
    const figures = line.split(' | ')[1].split(' ');
    for (const figure of figures) assert.match(figure, PERF);
    assert.deepEqual(
      figures.map((figure) => figure.split('=')[1].split(';')[0]),
      ['80.123%', 'U', 'U', 'U', '0%', '0%', '123456789012B'],
    );
    assert.match(figures[0], /;15;20\.5;0;100$/);
  });
  it('the worst finding in the first line, all of them with advice below', () => {
    assert.deepEqual(
      lines({
        status: 'critical',
        findings: [
          FINDING,
          { ...FINDING, rule: 'x', status: 'warning', advice: null },
          { ...FINDING, rule: 'y', status: 'error', advice: null },
        ],
      }).map((line) => line.split(' | ')[0]),
      [
        'TUNE CRITICAL - db1:27017, MongoDB 6.0.5: tickets: The queue is long. (and 2 more)',
        'bottleneck none: All is well.',
        'CRITICAL tickets: The queue is long.',
        '  Look at the disk.',
        'WARNING x: The queue is long.',
        'UNKNOWN y: The queue is long.',
      ],
    );
    assert.match(lines({ findings: [FINDING] })[0], /is long\. \|/);
  });
  it('what is silent, known or noted comes last; a bottleneck that is not known is not reported', () => {
    assert.deepEqual(
      lines({
        bottleneck: 'unknown',
        suppressed: [{ ...FINDING, reason: 'import', until: '2026-12-31' }],
        inBaseline: [FINDING],
        notes: ['So be it.'],
      }).slice(1),
      [
        'suppressed until 2026-12-31 (import): tickets: The queue is long.',
        'in baseline, critical: tickets: The queue is long.',
        'note: So be it.',
      ],
    );
  });
  it('names can neither end the line, nor begin performance data, nor paint', () => {
    const [line, ...rest] = lines({
      host: "a|b\nc\x1b[31m'x'=1",
      version: null,
      findings: [{ ...FINDING, message: 'x | y\nz' }],
    });
    assert.equal(line.split('|').length, 2);
    assert.match(line, /^TUNE OK - a¦b\\nc\\u001b\[31m'x'=1, MongoDB \?: tickets: x ¦ y\\nz \| /);
    assert.doesNotMatch(rest.join(''), /[|\x1b]/);
  });
  it('a server that does not say who it is', () =>
    assert.match(lines({ host: null })[0], /^TUNE OK - \?, MongoDB 6/));
  it('long output fits 80 columns', () =>
    assert.ok(
      lines({ findings: [{ ...FINDING, message: 'word '.repeat(60).trim() }] })
        .slice(1)
        .every((line) => line.length <= 80),
    ));
  it('for a person there is colour, and no performance data', () => {
    const text = renderCheck(
      { ...CHECKED, status: 'critical', findings: [FINDING] },
      (word, tone) => `<${tone} ${word}>`,
    );
    assert.match(
      text,
      /^<bad CRITICAL> {5}<strong db1:27017> {2}MongoDB 6\.0\.5 {2}<faint exit code 2>\n<strong BOTTLENECK> {3}none\n {2}<bad CRIT> {2}tickets {2}The queue is long\.\n {2}Diagnose {3}<strong tune\.advise\(\)>\n/,
    );
    assert.doesNotMatch(text, /cache_used/);
    assert.ok(
      renderCheck(
        { ...CHECKED, findings: [{ ...FINDING, message: 'word '.repeat(60).trim() }] },
        (word) => word,
      )
        .split('\n')
        .every((line) => line.length <= 80),
    );
  });
  it('no answer is unknown, in one line', () =>
    assert.equal(renderUnable('It is | away.\n    at x'), 'TUNE UNKNOWN - It is ¦ away.'));
});
