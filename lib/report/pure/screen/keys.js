'use strict';

const { AREAS } = require('./areas');
const { CHARTS } = require('./charts');
const { line, span } = require('./frame');
const { LABEL } = require('./parts');

/**
 * @import { ChartName } from './charts'
 * @import { Line } from './frame'
 */

/**
 * @typedef {{ area: number, isPaused: boolean, isHelp: boolean }} Ui the choices made by keys
 * @typedef {{ ui: Ui, act?: 'quit' | 'member' }} Pressed
 */

/** Pasted text is no key, and may contain anything. */
const PASTED = /\p{Cc}\[200~[^]*?(?:\p{Cc}\[201~|$)/gu;
/** A key is an escape sequence (ECMA-48, and SS3 of the keypad), or one character. */
const KEY = /\p{Cc}\[[\d;]*[@-~]|\p{Cc}O[A-Z]|[^]/gu;
const NAMES = Object.freeze(
  /** @type {Record<string, string>} */ ({
    '\x1b[C': 'next',
    '\x1bOC': 'next',
    '\t': 'next',
    '\x1b[D': 'before',
    '\x1bOD': 'before',
    '\x1b[Z': 'before',
    ' ': 'pause',
    p: 'pause',
    q: 'quit',
    Q: 'quit',
    '\x04': 'quit',
    '?': 'help',
    h: 'help',
    '\x1b': 'back',
    '\r': 'back',
    m: 'member',
    n: 'member',
  }),
);

/**
 * @param {string} text the input of the terminal
 * @returns {string[]} the names of keys, and digits
 */
const keysIn = (text) =>
  (text.replace(PASTED, '').match(KEY) ?? []).map((key) => NAMES[key] ?? key);

/** @type {Readonly<Record<string, (ui: Ui) => Pressed>>} */
const ACTIONS = Object.freeze({
  next: (ui) => ({ ui: { ...ui, isHelp: false, area: (ui.area + 1) % AREAS.length } }),
  before: (ui) => ({
    ui: { ...ui, isHelp: false, area: (ui.area + AREAS.length - 1) % AREAS.length },
  }),
  pause: (ui) => ({ ui: { ...ui, isPaused: !ui.isPaused } }),
  help: (ui) => ({ ui: { ...ui, isHelp: !ui.isHelp } }),
  back: (ui) => ({ ui: { ...ui, isHelp: false } }),
  quit: (ui) => ({ ui: { ...ui, isHelp: false }, act: 'quit' }),
  member: (ui) => ({ ui: { ...ui, isHelp: false }, act: 'member' }),
});

/**
 * @param {Ui} ui
 * @param {string} key a name from keysIn
 * @returns {Pressed} the same state for a key without a meaning
 */
function press(ui, key) {
  if (Object.hasOwn(ACTIONS, key)) return ACTIONS[key](ui);
  const area = /^[1-9]$/.test(key) ? Number(key) - 1 : AREAS.length;
  return area < AREAS.length ? { ui: { ...ui, isHelp: false, area } } : { ui };
}

const KEY_HELP = Object.freeze(
  /** @type {[string, string][]} */ ([
    ['q', 'ends it; Ctrl-C ends the whole line'],
    ['space p', 'holds the picture; looking goes on'],
    ['tab ← →', 'next area, the one before; 1 to 6: that one'],
    ['m n', 'the next member of the replica set'],
    ['? h', 'this page'],
  ]),
);

/**
 * @param {readonly ChartName[]} charts the charts of the area
 * @param {number} columns
 * @returns {Line[]} the most important charts first
 */
const helpLines = (charts, columns) => [
  line(),
  ...KEY_HELP.map(([keys, what]) => line(span(keys.padEnd(LABEL), 'strong'), ` ${what}`)),
  line(),
  line(span('│'.padEnd(LABEL), 'strong'), ' target, trigger; ! near the trigger, !! above it'),
  ...charts.map((name) =>
    line(span(CHARTS[name].label.padEnd(LABEL), 'strong'), ` ${CHARTS[name].help}`),
  ),
  line(),
  line(
    span(
      columns < 80
        ? 'Times in UTC. tune.advise() shows more.'
        : 'Times in UTC. The bottleneck is that of the last minute; tune.advise() shows more.',
      'faint',
    ),
  ),
];

module.exports = { keysIn, press, helpLines };
