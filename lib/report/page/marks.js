'use strict';

/**
 * Draws what lies below and over the lines: checkpoints and blocks as bands, stalls as marks, gaps,
 * targets and triggers.
 */

/** @param {string} name the name of a style variable @returns {string} */
const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/**
 * @param {any} u
 * @param {number[]} span ms
 * @param {TimeSeries} line
 * @param {number} min px
 * @returns {[number, number, number] | null} left, width, and the width by its time; null: out of
 *   view
 */
function placeOf(u, [fromMs, toMs], line, min) {
  const { left, width } = u.bbox;
  const at = (/** @type {number} */ ms) => u.valToPos((ms - line.offsetMs) / 1000, 'x', true);
  const [from, to] = [Math.max(left, at(fromMs)), Math.min(left + width, at(toMs))];
  return to < left || from > left + width ? null : [from, Math.max(min, to - from), to - from];
}

/**
 * A band narrower than a pixel is drawn fainter, so that many short ones do not look like one that
 * never ends.
 */
const FAINTEST = 0.2;

/** @param {any} u @param {TimeSeries} line */
function drawBands(u, line) {
  const {
    ctx,
    bbox: { top, height },
  } = u;
  const fill = (/** @type {number[]} */ span, /** @type {string} */ name) => {
    const place = placeOf(u, span, line, 1);
    if (place === null) return;
    ctx.fillStyle = color(name);
    ctx.globalAlpha = Math.max(FAINTEST, Math.min(1, place[2]));
    ctx.fillRect(place[0], top, place[1], height);
  };
  ctx.save();
  line.coded.checkpoints.forEach((span) => fill(span, '--checkpoint'));
  line.coded.blocks.forEach(([from, to, setting]) =>
    fill([from, to], setting === 'B' ? '--block-b' : '--block-a'),
  );
  ctx.restore();
}

/** @param {any} u @param {TimeSeries} line @param {[string, number][]} levels */
function drawOver(u, line, levels) {
  const {
    ctx,
    bbox: { left, top, width, height },
  } = u;
  const dpr = devicePixelRatio || 1;
  ctx.save();
  ctx.fillStyle = color('--stall');
  for (const span of line.coded.stalls) {
    const place = placeOf(u, span, line, 3 * dpr);
    if (place !== null) ctx.fillRect(place[0], top, place[1], 5 * dpr);
  }
  ctx.setLineDash([2 * dpr, 3 * dpr]);
  ctx.lineWidth = dpr;
  ctx.strokeStyle = color('--break');
  for (const span of line.coded.breaks) {
    const place = placeOf(u, span, line, 1);
    if (place !== null)
      stroke(ctx, [place[0] + place[1] / 2, top], [place[0] + place[1] / 2, top + height]);
  }
  ctx.setLineDash([6 * dpr, 4 * dpr]);
  ctx.strokeStyle = color('--level');
  for (const [, value] of levels) {
    const y = u.valToPos(value, 'y', true);
    if (y >= top && y <= top + height) stroke(ctx, [left, y], [left + width, y]);
  }
  labelBlocks(u, line, dpr);
  ctx.restore();
}

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {[number, number]} from
 * @param {[number, number]} to
 */
function stroke(ctx, from, to) {
  ctx.beginPath();
  ctx.moveTo(...from);
  ctx.lineTo(...to);
  ctx.stroke();
}

/** @param {any} u @param {TimeSeries} line @param {number} dpr */
function labelBlocks(u, line, dpr) {
  drawEvents(u, line, dpr);
  u.ctx.font = `${11 * dpr}px system-ui, sans-serif`;
  u.ctx.textAlign = 'center';
  for (const [from, to, setting] of line.coded.blocks) {
    const place = placeOf(u, [from, to], line, 1);
    u.ctx.fillStyle = color(setting === 'B' ? '--s1' : '--s2');
    if (place !== null && place[1] > 10 * dpr)
      u.ctx.fillText(setting, place[0] + place[1] / 2, u.bbox.top + 12 * dpr);
  }
}

/** Numbers alternate between this many rows, so that events of the same second can be read. */
const EVENT_ROWS = 7;

/**
 * Draws events of a chain: a line at the beginning of each, with its number.
 * @param {any} u @param {TimeSeries} line @param {number} dpr
 */
function drawEvents(u, line, dpr) {
  const {
    ctx,
    bbox: { top, height },
  } = u;
  ctx.setLineDash([]);
  ctx.lineWidth = 1.5 * dpr;
  ctx.strokeStyle = color('--event');
  ctx.fillStyle = color('--event');
  ctx.font = `bold ${11 * dpr}px system-ui, sans-serif`;
  ctx.textAlign = 'left';
  (line.coded.events ?? []).forEach(([from, , label], i) => {
    const place = placeOf(u, [from, from], line, 1);
    if (place === null) return;
    stroke(ctx, [place[0], top], [place[0], top + height]);
    ctx.fillText(label, place[0] + 2 * dpr, top + (11 + 12 * (i % EVENT_ROWS)) * dpr);
  });
}
