'use strict';

const fs = require('node:fs');
const { LOAD_TUNE, makeTuneHome } = require('../../test/shell/support/place');
const { startMongosh } = require('../../test/support/mongosh');
const { drawCells } = require('../../test/support/screen');
const { terminalPicture, PALETTES } = require('./terminal-picture');

/** A busy machine needs long to start a shell. */
const PATIENCE_MS = 400_000;
const PROMPT = /> $/;
const pause = (/** @type {number} */ ms) =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

/**
 * The real shell in a terminal of that size, with tune loaded.
 * @param {string} uri @param {{ columns: number, rows: number }} size
 */
async function openSession(uri, { columns, rows }) {
  const home = makeTuneHome();
  const terminal = await startMongosh([uri, '--quiet'], { env: home.env, columns, rows });
  await terminal.waitFor(PROMPT, PATIENCE_MS);
  terminal.type(`${LOAD_TUNE}; "loaded"`);
  await terminal.waitFor(/loaded\s+[^\n]*> $/, PATIENCE_MS);
  return {
    /** Types a line and waits for its answer. @param {string} line @param {RegExp} done */
    async run(line, done) {
      terminal.type(line);
      await terminal.waitFor(done, PATIENCE_MS);
    },
    /** @param {string} keys */
    press: (keys) => terminal.write(keys),
    /** @param {RegExp} pattern on the screen, as a person sees it */
    async seen(pattern) {
      const end = Date.now() + PATIENCE_MS;
      while (!pattern.test(terminal.screen())) {
        if (Date.now() > end)
          throw new Error(`${pattern} is not on the screen:\n${terminal.screen()}`);
        await pause(200);
      }
    },
    /**
     * @param {string} file of SVG @param {string} title
     * @param {{ palette?: keyof typeof PALETTES, from?: RegExp, host?: string }} [options] `from`:
     *   what the first line of the picture has; `host`: what the server is called there
     */
    picture(file, title, { palette = 'dark', from, host } = {}) {
      const cells = drawCells(terminal.raw, columns, rows);
      const all = host === undefined ? cells : cells.map((line) => renamed(line, uri, host));
      const lines = from === undefined ? all : shownFrom(all, from);
      fs.writeFileSync(
        file,
        terminalPicture(lines, { columns, rows: lines.length, title, palette: PALETTES[palette] }),
      );
    },
    async close() {
      await terminal.close();
      home.remove();
    },
  };
}

/**
 * The lines from the last one that has it up to the last that is not empty, without the prompt that
 * waits below.
 * @param {any[][]} lines of cells @param {RegExp} from
 */
function shownFrom(lines, from) {
  const text = lines.map((line) =>
    line
      .map(({ char }) => char)
      .join('')
      .trimEnd(),
  );
  const begin = text.findLastIndex((line) => from.test(line));
  const end = text.findLastIndex((line) => line !== '' && !PROMPT.test(`${line} `));
  return lines.slice(begin, end + 1);
}

/**
 * A line in which the server has another name.
 * @param {any[]} line of cells, one for each UTF-16 unit of what is called a host
 * @param {string} uri @param {string} host
 */
function renamed(line, uri, host) {
  const text = line.map(({ char }) => char).join('');
  const found = new RegExp(`[\\w.-]+:${new URL(uri).port}\\b`).exec(text);
  if (found === null) return line;
  const { style } = line[found.index];
  return [
    ...line.slice(0, found.index),
    ...Array.from(host, (char) => ({ char, style })),
    ...line.slice(found.index + found[0].length),
  ];
}

module.exports = { openSession, pause };
