'use strict';

/**
 * A terminal's cells as a drawing (SVG). Bars are drawn as areas and not as letters: fonts leave
 * gaps between them, terminals do not.
 * @typedef {{ isBold: boolean, color: number | null }} Style
 * @typedef {{ char: string, style: Style }} Cell
 * @typedef {{ x: number, y: number, text: string, style: Style }} Run cells of one style, side by
 *   side
 */

/** Of a letter of 14 px, as the usual fonts of terminals have it. */
const CELL = Object.freeze({ width: 8.4, height: 18, font: 14, rise: 13.5 });
const MARGIN = 12;
/**
 * What terminals show for the colours that SGR numbers, on a dark and on a light background. Each
 * has a contrast of at least 4.5 to its background.
 * @typedef {{ background: string, frame: string, text: string, colors: Readonly<Record<number, string>> }} Palette
 * @type {Readonly<Record<'dark' | 'light', Palette>>}
 */
const PALETTES = Object.freeze({
  dark: {
    background: '#10151c',
    frame: '#10151c',
    text: '#d7dee8',
    colors: {
      31: '#ff7b72',
      32: '#5fd68a',
      33: '#f2b653',
      34: '#7db8ff',
      35: '#e094f0',
      36: '#56d4dd',
      90: '#8391a5',
    },
  },
  light: {
    background: '#ffffff',
    frame: '#c9d1d9',
    text: '#1f2328',
    colors: {
      31: '#b3202a',
      32: '#1a7f37',
      33: '#8a5a00',
      34: '#0550ae',
      35: '#8250df',
      36: '#0a6b73',
      90: '#57606a',
    },
  },
});
/** U+2581 to U+2588 fill an eighth to all of a cell, from below. */
const EIGHTHS = '▁▂▃▄▅▆▇█';
const SHADE = '░';
const SHADE_OPACITY = 0.22;

/**
 * @param {readonly (readonly Cell[])[]} lines
 * @param {{ columns: number, rows: number, title: string, palette?: Palette }} about `title`: for
 *   those who see no picture
 * @returns {string} SVG
 */
function terminalPicture(lines, { columns, rows, title, palette = PALETTES.dark }) {
  const [width, height] = [
    Math.round(columns * CELL.width + 2 * MARGIN),
    rows * CELL.height + 2 * MARGIN,
  ];
  const runs = lines.flatMap(runsOf);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" ` +
      `width="${width}" height="${height}" role="img" aria-label="${escape(title)}">`,
    `<rect width="${width}" height="${height}" rx="8" fill="${palette.background}" stroke="${palette.frame}"/>`,
    `<g font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans ` +
      `Mono',monospace" font-size="${CELL.font}" fill="${palette.text}" xml:space="preserve">`,
    ...areas(
      runs.filter((run) => isArea(run.text[0])),
      palette,
    ),
    ...runs.filter((run) => !isArea(run.text[0])).map((run) => letters(run, palette)),
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

/** @param {readonly Cell[]} line @param {number} y @returns {Run[]} */
function runsOf(line, y) {
  /** @type {Run[]} */
  const runs = [];
  line.forEach(({ char, style }, x) => {
    const last = runs[runs.length - 1];
    const goesOn =
      last &&
      last.x + last.text.length === x &&
      isSame(last.style, style) &&
      (isArea(char) ? last.text[0] === char : !isArea(last.text[0]));
    if (goesOn && char !== ' ') last.text += char;
    else if (char !== ' ') runs.push({ x, y, text: char, style });
  });
  return runs;
}

/** @param {string} char */
const isArea = (char) => char === SHADE || EIGHTHS.includes(char);

/**
 * Draws all areas of a colour as one path: a rectangle each would need three times the bytes.
 * @param {readonly Run[]} runs @param {Palette} palette
 */
function areas(runs, palette) {
  /** @type {Map<string, string>} */
  const paths = new Map();
  for (const run of runs) {
    const opacity = run.text[0] === SHADE ? ` opacity="${SHADE_OPACITY}"` : '';
    const look = `fill="${colorOf(run.style, palette)}"${opacity}`;
    paths.set(look, (paths.get(look) ?? '') + rectangle(run));
  }
  return [...paths].map(([look, path]) => `<path ${look} d="${path}"/>`);
}

/** @param {Run} run */
function rectangle({ x, y, text }) {
  const height =
    text[0] === SHADE
      ? CELL.height
      : ((EIGHTHS.indexOf(text[0]) + 1) / EIGHTHS.length) * CELL.height;
  const width = round(text.length * CELL.width);
  const top = round(MARGIN + (y + 1) * CELL.height - height);
  return `M${left(x)} ${top}h${width}v${round(height)}h-${width}z`;
}

/** @param {Run} run @param {Palette} palette */
const letters = ({ x, y, text, style }, palette) =>
  `<text x="${left(x)}" y="${MARGIN + y * CELL.height + CELL.rise}" ` +
  `textLength="${round(text.length * CELL.width)}"${style.color === null ? '' : ` fill="${colorOf(style, palette)}"`}${style.isBold ? ' font-weight="bold"' : ''}>${escape(text)}</text>`;

/** @param {Style} style @param {Palette} palette */
const colorOf = ({ color }, { text, colors }) => (color === null ? text : (colors[color] ?? text));
/** @param {Style} a @param {Style} b */
const isSame = (a, b) => a.color === b.color && a.isBold === b.isBold;
/** @param {number} x */
const left = (x) => round(MARGIN + x * CELL.width);
/** @param {number} n */
const round = (n) => Number(n.toFixed(2));
/** @param {string} text */
const escape = (text) => text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);

module.exports = { terminalPicture, PALETTES };
