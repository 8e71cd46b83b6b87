'use strict';

/**
 * Charts of one group share a cursor and a time range; buttons and keys serve users without a
 * mouse.
 */

/** The number of characters of `2026-01-31`. */
const DATE = 10;
/** A shorter range, in seconds, shows no more detail. */
const CLOSEST = 0.5;
const STEP = 0.5;

/** @param {Data} data @param {Data['groups'][number]} about */
function makeGroup(data, { id, elapsed, lines: numbers }) {
  const lines = new Map(numbers.map((number) => [number, decodeLine(data.lines[number], elapsed)]));
  const ends = [...lines.values()].flatMap(({ x }) =>
    x.length === 0 ? [] : [x[0], x[x.length - 1]],
  );
  const whole = [Math.min(...ends), Math.max(...ends)];
  const section = /** @type {HTMLElement} */ (document.getElementById(id));
  /** @type {DrawnChart[]} */
  const charts = [];
  let range = whole;
  const zoom = (/** @type {number} */ from, /** @type {number} */ to) => {
    range = clampedTo(whole, from, to);
    charts.forEach(({ u }) => u.setScale('x', { min: range[0], max: range[1] }));
    sayRange(section, range, whole, elapsed);
  };
  const group = { elapsed, key: id, onZoom: zoom, onCursor: readOut };
  for (const placed of data.charts.filter(({ line }) => lines.has(line)))
    charts.push(makeChart(placed, /** @type {TimeSeries} */ (lines.get(placed.line)), group));
  const act = (/** @type {string} */ what) => zoom(...movedBy(what, range, whole));
  for (const button of section.querySelectorAll('[data-act]'))
    button.addEventListener('click', () =>
      act(/** @type {HTMLElement} */ (button).dataset.act ?? ''),
    );
  charts.forEach((drawn) => {
    drawn.element.addEventListener('keydown', (event) => onKey(event, drawn, act));
    toggles(drawn);
  });
  sayRange(section, range, whole, elapsed);
  return charts;
}

/**
 * @param {number[]} whole
 * @param {number} from
 * @param {number} to
 * @returns {number[]} the whole range by default
 */
function clampedTo([first, last], from, to) {
  if (Number.isNaN(from)) return [first, last];
  const width = Math.min(last - first, Math.max(CLOSEST, to - from));
  const left = Math.min(Math.max(first, from), last - width);
  return [left, left + width];
}

/**
 * @param {string} what
 * @param {number[]} range
 * @param {number[]} whole
 * @returns {[number, number]}
 */
function movedBy(what, [from, to], whole) {
  const width = to - from;
  if (what === 'in') return [from + width / 4, to - width / 4];
  if (what === 'out') return [from - width / 2, to + width / 2];
  if (what === 'earlier') return [from - width * STEP, to - width * STEP];
  return what === 'later' ? [from + width * STEP, to + width * STEP] : [whole[0], whole[1]];
}

/**
 * @param {HTMLElement} section
 * @param {number[]} range
 * @param {number[]} whole
 * @param {boolean} elapsed
 */
function sayRange(section, range, whole, elapsed) {
  const all = range[0] <= whole[0] && range[1] >= whole[1];
  const output = /** @type {HTMLElement} */ (section.querySelector('.range'));
  const [from, to] = range.map((x) => momentText(x, elapsed));
  const isOneDay = !elapsed && from.slice(0, DATE) === to.slice(0, DATE);
  output.textContent = `${from} to ${isOneDay ? to.slice(DATE + 1) : to}${all ? ' (all)' : ''}`;
}

const KEYS = /** @type {Record<string, string>} */ ({
  '+': 'in',
  '=': 'in',
  '-': 'out',
  0: 'all',
  Escape: 'all',
  PageUp: 'earlier',
  PageDown: 'later',
});
/** One press moves by this many pixels. */
const PRESS = 8;

/** @param {KeyboardEvent} event @param {DrawnChart} drawn @param {(what: string) => void} act */
function onKey(event, { u }, act) {
  const { key } = event;
  if (key === 'ArrowLeft' || key === 'ArrowRight') {
    const now = u.cursor.left >= 0 ? u.cursor.left : u.over.clientWidth / 2;
    u.setCursor(
      {
        left: Math.max(
          0,
          Math.min(u.over.clientWidth - 1, now + (key === 'ArrowLeft' ? -PRESS : PRESS)),
        ),
        top: u.over.clientHeight / 2,
      },
      true,
      true,
    );
  } else if (KEYS[key]) act(KEYS[key]);
  else return;
  event.preventDefault();
}

/** Shows the values under the cursor in the legend of each chart. @param {DrawnChart} drawn */
function readOut({ u, placed, figure }) {
  const { idx } = u.cursor;
  const cells = figure.querySelectorAll('td.now');
  placed.series.forEach((_, i) => {
    const value = idx === null || idx === undefined ? null : u.data[i + 1][idx];
    cells[i].textContent = value === null || value === undefined ? '–' : SHOWN[placed.unit](value);
  });
}

/** @param {DrawnChart} drawn */
function toggles({ u, figure }) {
  figure.querySelectorAll('button.series').forEach((button, i) =>
    button.addEventListener('click', () => {
      const show = button.getAttribute('aria-pressed') !== 'true';
      button.setAttribute('aria-pressed', String(show));
      u.setSeries(i + 1, { show });
    }),
  );
}
