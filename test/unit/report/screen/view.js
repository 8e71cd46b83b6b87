'use strict';

const { CHARTS } = require('../../../../lib/report/pure/screen/charts');

const AT = Date.UTC(2026, 0, 1, 12);
const MEMBERS = Object.freeze([
  {
    host: 'mongo-3.example.net:27017',
    role: 'primary',
    isUp: true,
    canBeShown: true,
    lagSeconds: null,
  },
  {
    host: 'mongo-2.example.net:27017',
    role: 'secondary',
    isUp: true,
    canBeShown: true,
    lagSeconds: 3,
  },
  {
    host: 'mongo-1.example.net:27017',
    role: 'secondary',
    isUp: false,
    canBeShown: true,
    lagSeconds: null,
  },
]);
const STATUS = Object.freeze({
  cache: {
    maxBytes: 2 ** 28,
    usedBytes: 0.82 * 2 ** 28,
    usedRatio: 0.82,
    dirtyBytes: 0.21 * 2 ** 28,
    dirtyRatio: 0.21,
    updatesBytes: 0.03 * 2 ** 28,
    updatesRatio: 0.03,
  },
  thresholds: {
    targetRatio: 0.8,
    triggerRatio: 0.95,
    dirtyTargetRatio: 0.05,
    dirtyTriggerRatio: 0.2,
    updatesTargetRatio: 0.025,
    updatesTriggerRatio: 0.1,
  },
});

/** @param {number} samples one a second, each chart a ramp of its own */
const pointsOf = (samples) =>
  Array.from({ length: samples }, (_, i) => ({
    atMs: AT + i * 1000,
    values: Object.fromEntries(
      Object.keys(CHARTS).map((name, k) => [
        name,
        name === 'checkpoint'
          ? Number(i % 60 < 7)
          : ((i + k) % 40) * (CHARTS[name].top ? 0.02 : 1e4),
      ]),
    ),
  }));

/** What the live screen knows at some moment. */
const viewOf = (over = {}) => ({
  host: 'mongo-3.example.net:27017',
  version: '6.0.5',
  role: 'primary',
  nowMs: AT + 200_000,
  state: { kind: 'live' },
  message: null,
  ui: { area: 0, isPaused: false, isHelp: false },
  status: STATUS,
  points: pointsOf(70),
  verdict: {
    bottleneck: 'cache-dirty',
    because:
      'Dirty data is at its trigger, so that application threads evict: 2.3 of them are busy with ' +
      'that on average.',
  },
  members: MEMBERS,
  shownHost: MEMBERS[0].host,
  events: [
    { atMs: AT + 60_000, text: 'settings: evictionDirtyTrigger 20 → 15' },
    { atMs: AT + 120_000, text: 'the server restarted' },
  ],
  ...over,
});

/** @param {readonly (readonly { text: string }[])[]} lines */
const textOf = (lines) => lines.map((line) => line.map(({ text }) => text).join(''));

module.exports = { viewOf, textOf, pointsOf, MEMBERS };
