'use strict';

const fs = require('node:fs');
const { LOAD_TUNE, makeTuneHome } = require('../../test/shell/support/place');
const { startMongosh } = require('../../test/support/mongosh');
const { drawCells } = require('../../test/support/screen');
const { terminalPicture } = require('./terminal-picture');

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
    /** @param {string} file of SVG @param {string} title */
    picture(file, title) {
      fs.writeFileSync(
        file,
        terminalPicture(drawCells(terminal.raw, columns, rows), { columns, rows, title }),
      );
    },
    async close() {
      await terminal.close();
      home.remove();
    },
  };
}

module.exports = { openSession, pause };
