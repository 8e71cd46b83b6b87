'use strict';

const assert = require('node:assert/strict');
const { incidentAnswer } = require('../../../lib/incident/pure/answer');
const { assumedLines, withChangedLines } = require('../../../lib/incident/pure/trigger-lines');
const { incidentOf } = require('../../../lib/incident/pure/incident');
const { chartDataOf, attachedSeries } = require('../../../lib/series/chart-data');
const { chartOf, CHARTS } = require('../../../lib/report/pure/html/charts');
const { recordedConfig } = require('../../../lib/config/effective-config');
const { event, readOf, loweredTrigger, HOST, NIGHT_MS } = require('../../support/incident-events');

const PARAMETER = 'wiredTigerEngineRuntimeConfig';
/** @param {string | null} configString @param {string[]} [engineStrings] */
const configOf = (configString, engineStrings = []) =>
  recordedConfig({
    startup: { opened: null, cacheSizeGB: 1, configString, syncPeriodSecs: null },
    engineStrings,
    memoryBytes: null,
    live: {},
  });
/** @param {string} to @param {number} [seconds] */
const set = (to, seconds = 600) =>
  event('parameter-set', seconds, { values: { parameter: PARAMETER, from: '', to } });
const LEVELS = { dirtyTriggerRatio: 0.2, updatesTriggerRatio: 0.1, triggerRatio: 0.95 };
const NOTES = {
  dirtyTriggerRatio: 'default',
  updatesTriggerRatio: 'default',
  triggerRatio: 'default',
};
/** @param {any[]} events @param {object} [notes] */
function lines(events, notes = NOTES) {
  const chart = chartDataOf(
    [1],
    { dirtyRatio: [0.1] },
    { levels: LEVELS, levelNotes: { ...notes } },
  );
  const { levels, levelNotes } = withChangedLines(chart, incidentOf(readOf(events)).events);
  return { levels, levelNotes };
}

describe('trigger lines in the charts of an incident', () => {
  it('are the default where neither the recording nor a log shows a value, and say so', () => {
    assert.deepEqual(assumedLines(configOf(null), null), {
      levels: {
        targetRatio: 0.8,
        triggerRatio: 0.95,
        dirtyTargetRatio: 0.05,
        dirtyTriggerRatio: 0.2,
        updatesTargetRatio: 0.025,
        updatesTriggerRatio: 0.1,
      },
      levelNotes: Object.fromEntries(
        ['target', 'trigger', 'dirtyTarget', 'dirtyTrigger', 'updatesTarget', 'updatesTrigger'].map(
          (name) => [`${name}Ratio`, 'default'],
        ),
      ),
    });
    assert.deepEqual(assumedLines(null, null), { levels: {}, levelNotes: {} });
  });
  it('are those of the start where the options have them; bytes have no line', () => {
    const string = 'eviction_dirty_trigger=30,eviction_trigger=900MB';
    const { levels, levelNotes } = assumedLines(configOf(string), string);
    assert.equal(levels.dirtyTriggerRatio, 0.3);
    assert.equal(levelNotes.dirtyTriggerRatio, 'at start');
    assert.equal(levels.updatesTriggerRatio, 0.15);
    assert.equal('triggerRatio' in levels, false);
  });
  it('need no word where the recording has them: parameters of 8.0, thresholds of 9.0', () => {
    const { dirtyTriggerRatio } = assumedLines(
      configOf(null, ['eviction_dirty_trigger=9']),
      null,
    ).levels;
    assert.equal(dirtyTriggerRatio, undefined);
    assert.deepEqual(assumedLines(configOf(null, ['']), null).levels, {});
  });
  it('follow the log, with the time, and the updates trigger follows the dirty one', () => {
    assert.deepEqual(lines([set('eviction_dirty_trigger=10')]), {
      levels: { dirtyTriggerRatio: 0.1, updatesTriggerRatio: 0.05, triggerRatio: 0.95 },
      levelNotes: {
        dirtyTriggerRatio: 'since 03:10:00',
        updatesTriggerRatio: 'since 03:10:00',
        triggerRatio: 'default',
      },
    });
    const { updatesTriggerRatio, ...others } = NOTES;
    assert.equal(updatesTriggerRatio, 'default');
    assert.equal(lines([set('eviction_dirty_trigger=10')], others).levels.updatesTriggerRatio, 0.1);
    const atStart = { ...NOTES, updatesTriggerRatio: 'at start' };
    assert.equal(
      lines([set('eviction_dirty_trigger=10')], atStart).levels.updatesTriggerRatio,
      0.05,
    );
    const twice = [set('eviction_trigger=90'), set('eviction_trigger=85', 660)];
    assert.equal(lines(twice).levels.triggerRatio, 0.85);
    assert.equal(lines(twice).levelNotes?.triggerRatio, 'since 03:11:00');
  });
  it("and tune's journal", () => {
    const changed = event('tune-changed', 5, {
      values: { settings: 'evictionTrigger to 90, evictionThreadsMax to 8' },
    });
    assert.equal(lines([changed]).levels.triggerRatio, 0.9);
  });
  it('are gone where they are bytes, or are not known', () => {
    assert.deepEqual(
      lines([set('eviction_dirty_trigger=100MB,eviction_updates_trigger=0')]).levels,
      { triggerRatio: 0.95 },
    );
  });
  it('stay where something else was set', () => {
    const others = [
      set('eviction=(threads_max=8)'),
      event('parameter-set', 5, { values: { parameter: 'syncdelay', from: '60', to: '30' } }),
      event('tune-changed', 9, { values: {} }),
      event('fsync-locked', 9),
    ];
    assert.deepEqual(lines(others), { levels: LEVELS, levelNotes: NOTES });
  });

  it('the chart has the word, and the answer the lines of its member alone', () => {
    const member = {
      host: HOST,
      version: '6.0.5',
      samples: 9,
      fromMs: NIGHT_MS,
      toMs: NIGHT_MS + 1,
      rows: { everyMs: 1, length: 0, atMs: new Float64Array(), columns: {} },
      breaks: [],
      chart: () =>
        chartDataOf([1], { dirtyRatio: [0.1] }, { levels: LEVELS, levelNotes: { ...NOTES } }),
    };
    const events = [...loweredTrigger(), { ...set('eviction_trigger=70', 605), host: 'db2:27017' }];
    const answer = incidentAnswer(
      /** @type {any} */ ({ ...readOf(events), members: [{ member }] }),
    );
    const drawn = /** @type {any} */ (attachedSeries(answer)?.(10));
    assert.deepEqual(drawn.levelNotes, {
      dirtyTriggerRatio: 'since 03:10:00',
      updatesTriggerRatio: 'since 03:10:00',
      triggerRatio: 'default',
    });
    const [dirty] = CHARTS.filter(({ id }) => id === 'dirty');
    const { placed, markup } = chartOf(dirty, drawn, { line: 0, top: null, key: '' });
    assert.deepEqual(placed?.levels, [
      ['dirty trigger (since 03:10:00)', 0.01],
      ['updates trigger (since 03:10:00)', 0.005],
    ]);
    assert.match(String(markup), /dirty trigger \(since 03:10:00\) 1%/);
  });
});
