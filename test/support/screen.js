'use strict';

// Control sequences (ECMA-48): CSI, OSC ended by BEL or ST, and the two-character escapes.

const SEQUENCE =
  /\x1b\[([0-9;?]*)([@-~])|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[@-Z\\^_=>78()][0-9A-B]?/y;
const TAB_COLUMNS = 8;

/** The text of a terminal's output without colours and cursor movements. @param {string} raw */
function plainText(raw) {
  let text = '';
  for (const { char } of tokens(raw)) {
    if (char !== undefined && (char >= ' ' || char === '\n' || char === '\t')) text += char;
  }
  return text;
}

/**
 * What a terminal of this size shows after this output; without trailing blanks and empty lines.
 * @param {string} raw
 * @param {number} columns
 * @param {number} rows
 */
const drawScreen = (raw, columns, rows) =>
  drawCells(raw, columns, rows)
    .map((line) =>
      line
        .map(({ char }) => char)
        .join('')
        .trimEnd(),
    )
    .join('\n')
    .trimEnd();

/**
 * The same, cell by cell, with colours.
 * @param {string} raw @param {number} columns @param {number} rows
 * @returns {Cell[][]} lines, each as far as something was written
 */
function drawCells(raw, columns, rows) {
  const screen = { lines: [[]], x: 0, y: 0, columns, rows, below: null, style: NO_STYLE };
  for (const token of tokens(raw)) {
    if (token.char !== undefined) put(screen, token.char);
    else if (token.mode !== undefined) switchScreen(screen, token.mode, token.final);
    else if (token.final === 'm') restyle(screen, token.numbers);
    else if (token.final !== undefined) move(screen, token.final, token.numbers);
  }
  return screen.lines.map((line) => Array.from(line, (cell) => cell ?? BLANK));
}

/**
 * @typedef {{ isBold: boolean, color: number | null }} Style `color`: as SGR numbers it, 30 to 37
 *   and 90 to 97; null: that of the terminal
 * @typedef {{ char: string, style: Style }} Cell
 */

const NO_STYLE = Object.freeze({ isBold: false, color: null });
const BLANK = Object.freeze({ char: ' ', style: NO_STYLE });

/** SGR: what is written from here on. */
function restyle(screen, numbers) {
  for (const n of numbers) {
    if (!(n > 0)) screen.style = NO_STYLE;
    else if (n === 1 || n === 22) screen.style = { ...screen.style, isBold: n === 1 };
    else if (n === 39) screen.style = { ...screen.style, color: null };
    else if ((n >= 30 && n <= 37) || (n >= 90 && n <= 97))
      screen.style = { ...screen.style, color: n };
  }
}

/** @param {string} raw */
function* tokens(raw) {
  for (let at = 0; at < raw.length;) {
    SEQUENCE.lastIndex = at;
    const match = raw[at] === '\x1b' ? SEQUENCE.exec(raw) : null;
    if (match) {
      yield match[2] === undefined
        ? {}
        : {
            final: match[2],
            mode: /^\?(\d+)$/.exec(match[1])?.[1],
            numbers: match[1].split(';').map((n) => Number.parseInt(n, 10)),
          };
      at += match[0].length;
    } else {
      const char = String.fromCodePoint(raw.codePointAt(at));
      yield { char };
      at += char.length;
    }
  }
}

const ALTERNATE_SCREEN = '1049';

/**
 * The alternate screen begins empty; behind it what was there stays as it was, with the cursor
 * (xterm, private mode 1049).
 */
function switchScreen(screen, mode, final) {
  if (mode !== ALTERNATE_SCREEN) return;
  if (final === 'h' && screen.below === null) {
    screen.below = { lines: screen.lines, x: screen.x, y: screen.y };
    screen.lines = [[]];
  } else if (final === 'l' && screen.below !== null) {
    Object.assign(screen, screen.below, { below: null });
  }
}

function put(screen, char) {
  if (char === '\r') screen.x = 0;
  else if (char === '\n') lineFeed(screen);
  else if (char === '\b') screen.x = Math.max(0, screen.x - 1);
  else if (char === '\t')
    screen.x = Math.min(screen.columns - 1, (Math.floor(screen.x / TAB_COLUMNS) + 1) * TAB_COLUMNS);
  else if (char >= ' ') {
    if (screen.x >= screen.columns) {
      screen.x = 0;
      lineFeed(screen);
    }
    lineAt(screen)[screen.x] = { char, style: screen.style };
    screen.x += 1;
  }
}

function lineFeed(screen) {
  screen.y += 1;
  if (screen.y >= screen.rows) {
    screen.lines.shift();
    screen.y = screen.rows - 1;
  }
  lineAt(screen);
}

function lineAt(screen) {
  while (screen.lines.length <= screen.y) screen.lines.push([]);
  return screen.lines[screen.y];
}

const clamp = (value, max) => Math.max(0, Math.min(value, max));

/** What each final byte of a CSI sequence does; those not listed (colours, modes) move nothing. */
const MOVES = {
  A: (s, n) => {
    s.y = clamp(s.y - (n || 1), s.rows - 1);
  },
  B: (s, n) => {
    s.y = clamp(s.y + (n || 1), s.rows - 1);
  },
  C: (s, n) => {
    s.x = clamp(s.x + (n || 1), s.columns - 1);
  },
  D: (s, n) => {
    s.x = clamp(s.x - (n || 1), s.columns - 1);
  },
  E: (s, n) => {
    s.y = clamp(s.y + (n || 1), s.rows - 1);
    s.x = 0;
  },
  F: (s, n) => {
    s.y = clamp(s.y - (n || 1), s.rows - 1);
    s.x = 0;
  },
  G: (s, n) => {
    s.x = clamp((n || 1) - 1, s.columns - 1);
  },
  H: (s, row, column) => {
    s.y = clamp((row || 1) - 1, s.rows - 1);
    s.x = clamp((column || 1) - 1, s.columns - 1);
  },
  J: (s, n) => eraseScreen(s, n || 0),
  K: (s, n) => eraseLine(s, n || 0),
};

function move(screen, final, [first, second]) {
  MOVES[final]?.(screen, first, second);
}

function eraseLine(screen, part) {
  const line = lineAt(screen);
  if (part === 0) line.length = Math.min(line.length, screen.x);
  else if (part === 1) line.fill(BLANK, 0, screen.x + 1);
  else line.length = 0;
}

function eraseScreen(screen, part) {
  if (part >= 2) screen.lines = [];
  else if (part === 0) screen.lines.length = Math.min(screen.lines.length, screen.y + 1);
  if (part === 0) eraseLine(screen, 0);
  lineAt(screen);
}

module.exports = { drawScreen, drawCells, plainText };
