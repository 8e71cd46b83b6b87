'use strict';

const { visible } = require('../base/pure/printable');
const { fold } = require('./wrap');

const INSPECT = Symbol.for('nodejs.util.inspect.custom');

/**
 * @import { Ink } from '../base/types'
 */

/**
 * How a text is coloured: `ink(text, tone)`. The shell decides whether there is colour at all
 * (terminal, NO_COLOR).
 * @typedef {(ink: Ink) => string} Renderer
 */

// These are util.inspect's style names; with its palette, colours follow the user's settings there.
const STYLES = Object.freeze({
  good: 'string',
  bad: 'regexp',
  warn: 'number',
  faint: 'undefined',
  strong: 'name',
  accent: 'special',
});

/** @type {WeakMap<object, Renderer>} */
const RENDERERS = new WeakMap();

/**
 * A command's answer: its own enumerable fields are the data (scripts, --json), and it prints as
 * text at the prompt.
 */
class Report {
  /**
   * @param {number} _depth
   * @param {{ stylize?: (text: string, style: string) => string }} [options]
   */
  [INSPECT](_depth, options = {}) {
    const render = /** @type {Renderer} */ (RENDERERS.get(this));
    // A text with control characters is not coloured: a name could imitate the colours of tune.
    const text = render(PLAIN);
    return isSafe(text)
      ? render((part, tone) => options.stylize?.(part, STYLES[tone]) ?? part)
      : madeSafe(text);
  }

  /**
   * Returns the text without colour, for a template literal, print() in a script and
   * String(report).
   */
  toString() {
    return madeSafe(/** @type {Renderer} */ (RENDERERS.get(this))(PLAIN));
  }
}

/** @type {Ink} */
const PLAIN = (text) => text;

/**
 * Writes out control characters once more, in case a caller forgot to. Tabs stay, for scripts.
 * @param {string} text of several lines
 * @returns {string}
 */
const madeSafe = (text) =>
  text
    .split(KEPT)
    .map((part, i) => (i % 2 === 1 ? part : visible(part)))
    .join('');
const KEPT = /([\n\t]+)/;

/** @param {string} text */
const isSafe = (text) => madeSafe(text) === text;

/**
 * Makes an answer of its data and of how they print.
 * @template {object} T
 * @param {T} data
 * @param {Renderer} render
 * @param {{ verbatim?: boolean }} [options] `verbatim`: a script or a file to copy, whose lines
 *   stay as they are
 * @returns {T & Report}
 */
function report(data, render, { verbatim = false } = {}) {
  const made = /** @type {T & Report} */ (Object.assign(new Report(), data));
  RENDERERS.set(made, verbatim ? render : (ink) => fold(render(ink)));
  return made;
}

/**
 * A list that prints as text and stays an array for everything else.
 * @template {object} T
 * @param {T[]} list @param {Renderer} render
 * @returns {T[]}
 */
function listReport(list, render) {
  RENDERERS.set(list, (ink) => fold(render(ink)));
  Object.defineProperty(list, INSPECT, { value: Report.prototype[INSPECT] });
  return Object.defineProperty(list, 'toString', { value: Report.prototype.toString });
}

/**
 * An answer that prints one more line below its text, where `isDue` says so of that.
 * @param {unknown} answer
 * @param {string} line
 * @param {(text: string) => boolean} isDue
 */
function addLine(answer, line, isDue) {
  const render = answer instanceof Object ? RENDERERS.get(answer) : undefined;
  if (render === undefined) return;
  RENDERERS.set(/** @type {object} */ (answer), (ink) => {
    const text = render(ink);
    return isDue(text) ? `${text}\n${fold(ink(line, 'faint'))}` : text;
  });
}

/**
 * An answer of one screen that has all of it as `.all()`; no field of the data.
 * @template {object} T
 * @param {T} answer
 * @param {object} whole
 * @returns {T & { all(): Report }}
 */
const alsoWhole = (answer, whole) =>
  Object.defineProperty(/** @type {T & { all(): Report }} */ (answer), 'all', {
    value: () => whole,
  });

module.exports = { report, addLine, alsoWhole, listReport, Report, STYLES };
