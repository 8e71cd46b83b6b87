'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { SERIES, testedAs, releaseNotes } = require('../../../lib/server/pure/tested-releases');
const { run: advise } = require('../../../lib/commands/advise');
const { run: status } = require('../../../lib/commands/status');
const { SERVERS } = require('../../../scripts/mongod/servers');
const { contextOn, memberAnswers, recordedCluster } = require('../../support/cluster');

const ROOT = path.join(__dirname, '../../..');

describe('tested releases', () => {
  const CASES = /** @type {[string | null, string | null, RegExp | null][]} */ ([
    ['4.4.2', 'live', null],
    ['6.0.5', 'live', null],
    ['6.0.99', 'live', null],
    ['6.0.5-4', 'live', null],
    [
      '7.0.21',
      'recordings',
      /^MongoDB 7\.0: never tested live; counters verified from recordings\.$/,
    ],
    ['8.0.0-rc18', 'recordings', /^MongoDB 8\.0: never tested live/],
    ['8.2.6', 'recordings', /^MongoDB 8\.2: never tested live/],
    [
      '9.0.2',
      'names',
      /^MongoDB 9\.0: never tested live; counters verified from published names\.$/,
    ],
    ['9.1.0', 'newer', /^MongoDB 9\.1: not tested; it is newer/],
    ['10.0.0', 'newer', /^MongoDB 10\.0: not tested; it is newer/],
    ['8.1.1', 'no', /^MongoDB 8\.1: not tested, neither live nor from recordings\.$/],
    ['4.2.6', 'no', /^MongoDB 4\.2: not tested/],
    ['?', null, null],
    [null, null, null],
  ]);
  for (const [version, tested, note] of CASES)
    it(`${version}: ${tested}`, () => {
      assert.equal(testedAs(version)?.tested ?? null, tested);
      const notes = releaseNotes(version);
      assert.equal(notes.length, note === null ? 0 : 1);
      if (note !== null) assert.match(notes[0], note);
    });

  for (const [name, command] of Object.entries({ advise, status })) {
    const seen = async (/** @type {string} */ version) => {
      const own = memberAnswers('', ['d1:1'], 'd1:1');
      const next = own.serverStatus;
      const server = {
        ...own,
        hello: { isWritablePrimary: true, me: 'd1:1', ok: 1 },
        buildInfo: { version },
        serverStatus: () => ({ ...next(), version }),
      };
      const ctx = contextOn({ ...recordedCluster(), mongos: server });
      return command(ctx, { seconds: 0.1 });
    };
    it(`tune.${name}() says so in its data and its text`, async () => {
      const answer = await seen('8.0.12');
      const note = 'MongoDB 8.0: never tested live; counters verified from recordings.';
      assert.equal(answer.notes.filter((/** @type {string} */ one) => one === note).length, 1);
      assert.ok(String(answer).replace(/\s+/g, ' ').includes(note), String(answer));
    });
    it(`tune.${name}() says nothing of a release that was tested live`, async () => {
      const { notes } = await seen('6.0.27');
      assert.deepEqual(
        notes.filter((/** @type {string} */ one) => /tested/.test(one)),
        [],
      );
    });
  }

  it('what is called live is in the table that npm run test:servers repeats', () => {
    const repeated = SERVERS.map(({ version }) => version);
    const live = Object.values(SERIES).filter(({ tested }) => tested === 'live');
    for (const { releases } of live) {
      assert.ok(releases.length > 0);
      for (const release of releases) assert.ok(repeated.includes(release), release);
    }
  });

  it('docs/compatibility.md has a row of each series, with the same word', () => {
    const page = fs.readFileSync(path.join(ROOT, 'docs/compatibility.md'), 'utf8');
    const words = { live: 'live', recordings: 'by recordings', names: 'by published names' };
    for (const [series, { tested, releases }] of Object.entries(SERIES)) {
      const row = page.split('\n').find((line) => line.startsWith(`| ${series} `)) ?? '';
      assert.ok(row.includes(words[tested]), `${series}: ${row}`);
      for (const release of releases) assert.ok(row.includes(release), release);
    }
    assert.ok(page.includes(`note: ${releaseNotes('8.0.12')[0]}`));
  });
});
