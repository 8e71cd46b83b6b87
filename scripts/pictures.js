'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { temporaryFolder } = require('../test/support/cleanup');
const { startDemoServer, startLoad } = require('./demo/server');
const { openSession, pause } = require('./pictures/session');
const { takePictures } = require('./pictures/page-pictures');

/**
 * npm run pictures [-- advise watch advice trial]: the pictures of the documentation, from a real server
 * under real load, the real shell and a real browser. Takes about six minutes.
 */

const FOLDER = path.join(__dirname, '..', 'docs', 'pictures');
const TERMINAL = Object.freeze({ columns: 110, rows: 34 });
/** What a terminal has at least; the answer fits. */
const SMALL_TERMINAL = Object.freeze({ columns: 80, rows: 40 });
/** The screen is full of what was seen, with a checkpoint in it. */
const WATCHED_MS = 100_000;
const SAMPLE_SECONDS = 60;
const WIDE = Object.freeze({ width: 1000, height: 900 });
/** Words need more bytes than lines. */
const WORDS = Object.freeze({ width: 1000, height: 720 });
const NARROW = Object.freeze({ width: 390, height: 844 });
/** More of the documentation than this is for nobody. */
const MAX_BYTES = Object.freeze({ each: 120_000, all: 500_000 });

/**
 * What is done in the shell for each picture; a page is left in the folder.
 * @typedef {Awaited<ReturnType<typeof openSession>>} Session
 * @type {Readonly<Record<string, (session: Session, page: (name: string) => string) =>
 *   Promise<void>>>}
 */
const PARTS = Object.freeze({
  async advise(session) {
    await session.run('advice = tune.advise({ seconds: 10 })', /More: [^\n]*\s+[^\n]*> $/);
    for (const palette of /** @type {const} */ (['light', 'dark']))
      session.picture(
        pictureOf(`advise-${palette}.svg`),
        'tune.advise() in mongosh: the bottleneck, the recommended change with the commands to ' +
          'type, and the findings',
        { palette, from: /tune\.advise/, host: 'db1:27017' },
      );
  },
  async watch(session) {
    session.press('tune.watch()\r');
    await pause(WATCHED_MS);
    session.picture(
      pictureOf('watch.svg'),
      'The live screen of tune.watch(): gauges, bars over time, the bottleneck in words',
    );
    session.press('q');
    await session.seen(/samples in/);
  },
  async advice(session, page) {
    await session.run(
      `const advice = tune.advise({ seconds: ${SAMPLE_SECONDS} }); "ready"`,
      /ready\s+[^\n]*> $/,
    );
    await session.run(
      `tune.report(${JSON.stringify(page('advice'))}, { of: [advice, tune.collections({ ` +
        'seconds: 2 })] }).bytes > 0 && "written"',
      /written\s+[^\n]*> $/,
    );
  },
  async trial(session, page) {
    await session.run(
      'const trial = tune.trial({ evictionDirtyTrigger: 60 }, { confirm: true, blocks: 6, ' +
        'blockSeconds: 8, force: true, keep: "never" }); "tried"',
      /tried\s+[^\n]*> $/,
    );
    await session.run(
      `tune.report(${JSON.stringify(page('trial'))}, { of: trial }).bytes > 0 && "kept"`,
      /kept\s+[^\n]*> $/,
    );
  },
});

/** @type {Readonly<Record<string, Omit<import('./pictures/page-pictures').Shot, 'page'>[]>>} */
const SHOTS = Object.freeze({
  advice: [
    { file: 'advice-light.png', options: { viewport: WORDS, colorScheme: 'light' } },
    { file: 'advice-dark.png', from: '#charts', options: { viewport: WIDE, colorScheme: 'dark' } },
    { file: 'advice-narrow.png', from: '#charts', options: { viewport: NARROW } },
  ],
  trial: [
    { file: 'trial-light.png', from: '#charts', options: { viewport: WIDE, colorScheme: 'light' } },
  ],
});

/** @param {string} name */
const pictureOf = (name) => path.join(FOLDER, name);

/** @param {readonly string[]} parts @param {(name: string) => string} page */
async function makePages(parts, page) {
  const server = await startDemoServer(console.log);
  const load = await startLoad(server.uri);
  try {
    for (const part of parts) {
      console.log(part);
      const session = await openSession(server.uri, part === 'advise' ? SMALL_TERMINAL : TERMINAL);
      try {
        await PARTS[part](session, page);
      } finally {
        await session.close();
      }
    }
  } finally {
    await load.stop();
    await server.stop();
  }
}

/** @param {readonly string[]} asked all of them by default */
async function main(asked) {
  const parts = asked.length > 0 ? asked : Object.keys(PARTS);
  const unknown = parts.filter((part) => !Object.hasOwn(PARTS, part));
  if (unknown.length > 0)
    throw new Error(
      `no pictures "${unknown.join(', ')}"; there are ${Object.keys(PARTS).join(', ')}`,
    );
  fs.mkdirSync(FOLDER, { recursive: true });
  const folder = temporaryFolder('pictures');
  const page = (/** @type {string} */ name) => path.join(folder.path, `${name}.html`);
  await makePages(parts, page);
  const shots = parts.flatMap((part) =>
    (SHOTS[part] ?? []).map((shot) => ({ ...shot, file: pictureOf(shot.file), page: page(part) })),
  );
  if (shots.length > 0) await takePictures(shots);
  folder.remove();
  checkSizes();
}

function checkSizes() {
  const sizes = fs
    .readdirSync(FOLDER)
    .filter((name) => /\.(png|svg)$/.test(name))
    .map((name) => ({ name, bytes: fs.statSync(pictureOf(name)).size }));
  for (const { name, bytes } of sizes) console.log(`${String(bytes).padStart(8)}  ${name}`);
  const all = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
  if (all > MAX_BYTES.all || sizes.some(({ bytes }) => bytes > MAX_BYTES.each))
    throw new Error(
      `Too large: ${all} bytes together; at most ${MAX_BYTES.each} each, ${MAX_BYTES.all} ` +
        'together.',
    );
}

main(process.argv.slice(2)).catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
