'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { temporaryFolder } = require('../test/support/cleanup');
const { startDemoServer, startLoad } = require('./demo/server');
const { openSession, pause } = require('./pictures/session');
const { takePictures } = require('./pictures/page-pictures');

/**
 * npm run pictures: the pictures of the documentation, from a real server under real load, the real shell and a real browser. Takes about six minutes.
 */

const FOLDER = path.join(__dirname, '..', 'docs', 'pictures');
const TERMINAL = Object.freeze({ columns: 110, rows: 34 });
/** The screen is full of what was seen, with a checkpoint in it. */
const WATCHED_MS = 100_000;
const LOOK_SECONDS = 60;
const WIDE = Object.freeze({ width: 1000, height: 900 });
const NARROW = Object.freeze({ width: 390, height: 844 });
/** More of the documentation than this is for nobody. */
const MOST_BYTES = Object.freeze({ each: 120_000, all: 500_000 });

/** @param {string} folder for the pages */
async function makePages(folder) {
  const server = await startDemoServer(console.log);
  const load = await startLoad(server.uri);
  const session = await openSession(server.uri, TERMINAL);
  const page = (/** @type {string} */ name) => path.join(folder, name);
  try {
    console.log('the live screen');
    session.press('tune.watch()\r');
    await pause(WATCHED_MS);
    session.picture(path.join(FOLDER, 'watch.svg'), 'The live screen of tune.watch(): gauges, bars over time, the bottleneck in words');
    session.press('3');
    await session.seen(/\[3 eviction\]/);
    session.picture(path.join(FOLDER, 'watch-eviction.svg'), 'The live screen of tune.watch(), its area eviction');
    session.press('q');
    await session.seen(/watched for/);
    console.log('an advice');
    await session.run(`const advice = tune.advise({ seconds: ${LOOK_SECONDS} }); "ready"`, /ready\s+[^\n]*> $/);
    await session.run(`tune.report(${JSON.stringify(page('advice.html'))}, { of: [advice, tune.collections({ seconds: 2 })] }).bytes > 0 && "written"`, /written\s+[^\n]*> $/);
    console.log('a trial');
    await session.run('const trial = tune.trial({ evictionDirtyTrigger: 60 }, { confirm: true, blocks: 8, seconds: 8, force: true, keep: "never" }); "tried"', /tried\s+[^\n]*> $/);
    await session.run(`tune.report(${JSON.stringify(page('trial.html'))}, { of: trial }).bytes > 0 && "written"`, /written\s+[^\n]*> $/);
  } finally {
    await session.close();
    await load.stop();
    await server.stop();
  }
  return { advice: page('advice.html'), trial: page('trial.html') };
}

async function main() {
  fs.mkdirSync(FOLDER, { recursive: true });
  const folder = temporaryFolder('pictures');
  const { advice, trial } = await makePages(folder.path);
  console.log('the pages');
  const shot = (/** @type {string} */ name) => path.join(FOLDER, name);
  await takePictures([
    { file: shot('advice-light.png'), page: advice, options: { viewport: WIDE, colorScheme: 'light' } },
    { file: shot('advice-dark.png'), page: advice, from: '#course', options: { viewport: WIDE, colorScheme: 'dark' } },
    { file: shot('advice-narrow.png'), page: advice, from: '#course', options: { viewport: NARROW } },
    { file: shot('trial-light.png'), page: trial, from: '#course', options: { viewport: WIDE, colorScheme: 'light' } },
  ]);
  folder.remove();
  const sizes = fs.readdirSync(FOLDER).filter((name) => /\.(png|svg)$/.test(name)).map((name) => ({ name, bytes: fs.statSync(path.join(FOLDER, name)).size }));
  for (const { name, bytes } of sizes) console.log(`${String(bytes).padStart(8)}  ${name}`);
  const all = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
  if (all > MOST_BYTES.all || sizes.some(({ bytes }) => bytes > MOST_BYTES.each)) throw new Error(`Too large: ${all} bytes together; at most ${MOST_BYTES.each} each, ${MOST_BYTES.all} together.`);
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
