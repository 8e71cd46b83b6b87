'use strict';

/**
 * Draws one chart.
 * @typedef {{ u: any, placed: Placed, line: TimeSeries, element: HTMLElement, figure: HTMLElement }}
 *   DrawnChart
 * @typedef {{
 *   elapsed: boolean, key: string, onZoom(from: number, to: number): void,
 *   onCursor(drawn: DrawnChart): void
 * }} Group
 */

const HEIGHT = 170;
/**
 * A level is drawn if it is at most this many times the maximum: 128 tickets above a line at 1 are
 * not.
 */
const NEAR = 4;
/** The axis reaches beyond the maximum by this factor. */
const ROOM = 1.06;
const AXIS_FONT = '11px system-ui, sans-serif';

/** @param {Placed} placed @param {TimeSeries} line @param {Group} group @returns {DrawnChart} */
function makeChart(placed, line, group) {
  const element = /** @type {HTMLElement} */ (document.getElementById(placed.id));
  const levels = placed.levels.filter(
    ([, value]) => placed.unit === 'ratio' || value <= NEAR * mostOf(placed, line),
  );
  /** @type {DrawnChart} */
  const drawn = {
    u: null,
    placed,
    line,
    element,
    figure: /** @type {HTMLElement} */ (element.closest('figure')),
  };
  drawn.u = new uPlot(
    optionsOf(drawn, levels, group),
    [line.x, ...placed.series.map((name) => line.columns[name])],
    element,
  );
  return drawn;
}

/**
 * The options of uPlot for a chart.
 * @param {DrawnChart} drawn
 * @param {[string, number][]} levels
 * @param {Group} group
 */
function optionsOf(drawn, levels, group) {
  const { placed } = drawn;
  return {
    width: drawn.element.clientWidth || 300,
    height: HEIGHT,
    legend: { show: false },
    tzDate: (/** @type {number} */ x) => uPlot.tzDate(new Date(x * 1000), 'Etc/UTC'),
    cursor: {
      sync: { key: group.key, setSeries: false },
      drag: { x: true, y: false, setScale: false },
      points: { size: 7 },
      bind: {
        dblclick: () => () => {
          group.onZoom(NaN, NaN);
          return null;
        },
      },
    },
    scales: {
      x: {
        time: !group.elapsed,
        range: (/** @type {any} */ _u, /** @type {number} */ from, /** @type {number} */ to) =>
          from === to ? [from - 1, to + 1] : [from, to],
      },
      y: {
        range: (/** @type {any} */ _u, /** @type {number} */ _from, /** @type {number} */ max) => [
          0,
          topOf(placed, levels, max),
        ],
      },
    },
    axes: axesOf(placed, group),
    series: [
      {},
      ...placed.series.map((_, i) => ({
        width: 1.5,
        stroke: () => color(`--s${i + 1}`),
        fill: placed.series.length === 1 ? () => color('--area') : undefined,
        spanGaps: false,
        points: { show: true, size: 4, fill: () => color(`--s${i + 1}`), filter: alone },
      })),
    ],
    hooks: hooksOf(drawn, levels, group),
  };
}

/**
 * Draws bands and marks, and handles the mouse.
 * @param {DrawnChart} drawn
 * @param {[string, number][]} levels
 * @param {Group} group
 */
function hooksOf(drawn, levels, group) {
  return {
    drawClear: [(/** @type {any} */ u) => drawBands(u, drawn.line)],
    draw: [(/** @type {any} */ u) => drawOver(u, drawn.line, levels)],
    setSelect: [
      (/** @type {any} */ u) => {
        if (u.select.width > 3)
          group.onZoom(
            u.posToVal(u.select.left, 'x'),
            u.posToVal(u.select.left + u.select.width, 'x'),
          );
        u.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
      },
    ],
    setCursor: [
      () => {
        if (drawn.u !== null) group.onCursor(drawn);
      },
    ],
  };
}

/**
 * Finds the values between two gaps: they make no line, but a point.
 * @param {any} u
 * @param {number} i the number of the series
 * @returns {number[]}
 */
function alone(u, i) {
  const values = u.data[i];
  const [from, to] = u.series[0].idxs;
  return values
    .slice(from, to + 1)
    .flatMap((/** @type {number | null} */ value, /** @type {number} */ k) =>
      value !== null && isGap(values[from + k - 1]) && isGap(values[from + k + 1])
        ? [from + k]
        : [],
    );
}

/** @param {number | null | undefined} value */
const isGap = (value) => value === null || value === undefined;

/** @param {Placed} placed @param {TimeSeries} line */
const mostOf = ({ series }, { coded }) => Math.max(...series.map((name) => coded.series[name][1]));

/**
 * @param {Placed} placed
 * @param {[string, number][]} levels
 * @param {number | null} max the maximum in view
 * @returns {number}
 */
function topOf({ top, min, unit }, levels, max) {
  const shares = unit === 'ratio' ? levels.map(([, value]) => value) : [];
  return (
    Math.max(min, (top ?? Math.max(0, max ?? 0)) * ROOM, ...shares.map((value) => value * ROOM)) ||
    1
  );
}

/** @param {Placed} placed @param {Group} group */
function axesOf({ unit }, { elapsed }) {
  const common = {
    stroke: () => color('--faint'),
    font: AXIS_FONT,
    grid: { stroke: () => color('--grid'), width: 1 },
    ticks: { show: false },
  };
  const steps = unit.startsWith('bytes')
    ? { incrs: Array.from({ length: 45 }, (_, i) => 2 ** i) }
    : {};
  return [
    {
      ...common,
      space: 70,
      size: 26,
      ...(elapsed && {
        incrs: [0.1, 0.5, 1, 5, 10, 30, 60, 300, 600, 1800, 3600, 14400, 43200, DAY, 7 * DAY],
      }),
      values: (/** @type {any} */ _u, /** @type {number[]} */ at) =>
        at.map((x) => (elapsed ? elapsedText(x) : clockText(x, at.length > 1 ? at[1] - at[0] : 0))),
    },
    {
      ...common,
      ...steps,
      space: 32,
      size: 62,
      values: (/** @type {any} */ _u, /** @type {number[]} */ at) =>
        at.map((value) => ON_AXIS[unit](value)),
    },
  ];
}
