'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { run: symptom } = require('../../../lib/commands/symptom');
const { SYMPTOMS, symptomsFor } = require('../../../lib/commands/pure/symptoms');
const { symptomsPage } = require('../../../lib/commands/pure/symptom-text');
const { allCommands, listCommands } = require('../../../lib/shell/registry');

/** @param {unknown} [query] */
const ask = (query) => symptom(/** @type {any} */ (null), query);

describe('symptoms in words of users', () => {
  for (const [query, id] of [
    ['oom', 'oom'],
    ['OOMKilled', 'oom'],
    ['p99 spikes every minute', 'spikes-every-minute'],
    ['mongod uses more memory than cacheSizeGB', 'memory-above-cache'],
    ['disk space not released', 'disk-not-released'],
    ['slow after upgrade', 'slow-after-upgrade'],
    ['stuck at 95%', 'stuck-at-95'],
    ['WriteConflict', 'write-conflict'],
    ['no tickets', 'tickets'],
    ['slow after failover', 'slow-after-failover'],
    ['mongodump makes it slow', 'dump'],
    ['too many connections', 'connections'],
    ['slow after the balancer moved a chunk', 'range-deleter'],
    ['everything stalls when we drop an index', 'drops'],
    ['virtual memory doubled', 'virtual-memory'],
    ['is it a known bug', 'defect'],
    ['disk as full as before after deletes', 'disk-not-released'],
    ['memory grows', 'memory-above-cache'],
    ['missing index', 'collection-scan'],
    ['index build', 'index-build'],
  ])
    it(`${query}: ${id}`, () => assert.equal(symptomsFor(query)[0]?.id, id));

  it('are 20 and more, each with a command that exists and all it needs', () => {
    assert.ok(SYMPTOMS.length >= 20);
    assert.equal(new Set(SYMPTOMS.map(({ id }) => id)).size, SYMPTOMS.length);
    const names = allCommands(listCommands()).map(([name]) => name);
    for (const { id, title, words, command, answer, notIf } of SYMPTOMS) {
      const [, name] = /^tune\.([\w.]+)\(/.exec(command) ?? [];
      assert.ok(names.includes(String(name)), command);
      for (const text of [answer, notIf]) assert.match(text, /\.$/, id);
      assert.ok(words.length > 0 && words.every((word) => word === word.toLowerCase()), id);
      assert.equal(symptomsFor(id)[0].id, id);
      assert.ok(title.length < 70, title);
    }
  });

  it('are the page of the documentation', () =>
    assert.equal(
      symptomsPage(SYMPTOMS),
      fs.readFileSync(path.join(__dirname, '../../../docs/symptoms.md'), 'utf8'),
    ));

  it('are all listed without words, and refused where none is meant', async () => {
    const all = await ask();
    assert.equal(all.symptoms.length, SYMPTOMS.length);
    assert.match(`${all}`, /oom +mongod was killed/);
    const some = await ask('slow');
    assert.match(`${some}`, /SEE ALSO/);
    await assert.rejects(ask('xyzzy'), { code: 'TUNE-10003' });
    await assert.rejects(ask(7), { code: 'TUNE-10002' });
  });
});
