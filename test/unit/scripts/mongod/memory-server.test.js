'use strict';

const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const { once } = require('node:events');
const fs = require('node:fs');
const http = require('node:http');
const path = require('node:path');
const { findInMemoryServer } = require('../../../../scripts/mongod/memory-server');
const { emptyMachine, largeMongod } = require('../support/places');

describe('findInMemoryServer', () => {
  let machine;
  let site;
  let asked;
  beforeEach(() => {
    machine = emptyMachine();
    asked = 0;
  });
  afterEach(() => {
    machine.remove();
    site?.closeAllConnections();
    site?.close();
  });

  /** A download site that does as it is told. */
  async function siteThat(answer) {
    site = http
      .createServer((request, response) => {
        asked += 1;
        answer(response);
      })
      .listen(0, '127.0.0.1');
    await once(site, 'listening');
    return {
      ...machine.env,
      MONGOMS_USE_HTTP: '1',
      MONGOMS_MD5_CHECK: '0',
      MONGOMS_DOWNLOAD_MIRROR: `http://127.0.0.1:${site.address().port}`,
    };
  }
  const quiet = { progress: () => {}, otherwise: false };

  it('gives up a download that sends nothing', async () => {
    const env = await siteThat(() => {});
    assert.deepEqual(await findInMemoryServer({ ...quiet, env, stallMs: 1500 }), {
      why: 'the download site sent nothing for 1.5 s',
    });
    assert.equal(asked, 1);
  });

  it('waits as long as bytes arrive, and tells how many', async () => {
    const lines = [];
    const env = await siteThat((response) => {
      response.writeHead(200, { 'content-length': 30e6 });
      const timer = setInterval(() => response.write(Buffer.alloc(1e6)), 300);
      setTimeout(() => clearInterval(timer), 2500);
      response.on('close', () => clearInterval(timer));
    });
    const started = Date.now();
    const { why } = await findInMemoryServer({
      env,
      progress: (line) => lines.push(line),
      otherwise: false,
      stallMs: 1500,
    });
    assert.equal(why, 'the download site sent nothing for 1.5 s');
    assert.ok(Date.now() - started > 3500, 'it gave up while bytes arrived');
    assert.match(lines[0], /^downloading MongoDB 6\.0\.14 from its download site: \d+ MB$/);
  });

  it('unpacks what the site sends, and has it in the cache afterwards', async () => {
    const folder = path.join(machine.home, 'mongodb-linux', 'bin');
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(path.join(folder, 'mongod'), largeMongod('6.0.14'), { mode: 0o755 });
    const archive = execFileSync('tar', ['-cz', '-C', machine.home, 'mongodb-linux']);
    const env = await siteThat((response) =>
      response.writeHead(200, { 'content-length': archive.length }).end(archive),
    );
    const found = await findInMemoryServer({ ...quiet, env });
    assert.equal(found.version, '6.0.14', found.why);
    assert.deepEqual(await findInMemoryServer({ ...quiet, env }), found);
    assert.equal(asked, 1);
  });

  it('gives up at once when the site answers with an error, and is asked once', async () => {
    const env = await siteThat((response) => response.writeHead(503).end());
    const started = Date.now();
    assert.match((await findInMemoryServer({ ...quiet, env })).why, /503/);
    assert.ok(Date.now() - started < 15_000, 'it waited');
    assert.equal(asked, 1);
  });
});
