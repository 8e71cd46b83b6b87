'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { execFileSync, spawnSync } = require('node:child_process');
const { skipIf } = require('../support/skip');
const { startServer } = require('../support/server');
const { startLoad } = require('../support/load');
const { takeSnapshots, readAreas } = require('../../lib/host/examine-host');
const { filesUnder } = require('../../lib/host/root-files');
const { loadHostRules } = require('../../lib/rules/registry');
const { judgeHost } = require('../../lib/rules/runner');

/**
 * @import { HostPart } from '../../lib/host/pure/host'
 * @import { Server } from '../support/server'
 */

const MiB = 2 ** 20;
const CPU_GROUPS = '/sys/fs/cgroup/cpu';
const MEMORY_GROUPS = '/sys/fs/cgroup/memory';
const say = (/** @type {string} */ command, /** @type {string[]} */ ...args) =>
  execFileSync(command, args, { encoding: 'utf8' }).trim();

/** Root in a container often may not. */
const mayRaise = () => spawnSync('sh', ['-c', 'ulimit -H -n 64000']).status === 0;

/** @param {string} command @returns {string | null} */
function whyNot(command) {
  try {
    say('which', command);
    return null;
  } catch {
    return `there is no ${command} here`;
  }
}

/** @param {...string} folders @returns {string | null} */
function whyNoGroups(...folders) {
  if (process.getuid?.() !== 0) return 'only root may make control groups';
  const missing = folders.find((folder) => !fs.existsSync(path.join(folder, 'cgroup.procs')));
  return missing === undefined ? null : `control groups of version 1 are not at ${missing}`;
}

describe('processors, memory, network and process of this machine', () => {
  /** @type {Server} */ let server;
  before(function () {
    skipIf(this, process.platform === 'linux' ? null : 'only Linux has /proc');
  });
  before(async () => {
    server = await startServer();
  });
  after(() => server?.stop());

  /** @param {number} seconds @param {string | null} [name] of an interface */
  async function snapshot(seconds, name = null) {
    const subject = { pid: server.pid, dbPath: server.dbPath, port: server.port, interface: name };
    return readAreas(
      await takeSnapshots(filesUnder(['/'], {}), subject, {
        seconds,
        signal: new AbortController().signal,
      }),
      subject,
    );
  }
  const finding = (/** @type {HostPart} */ host, /** @type {string} */ id) =>
    judgeHost(
      loadHostRules().filter((rule) => rule.id === id),
      host,
    )[0];

  it('is what lscpu and free say', async function () {
    skipIf(this, whyNot('lscpu') ?? whyNot('free'));
    const { values } = await snapshot(1);
    const rows = say('lscpu', '--parse=CPU,CORE,SOCKET,NODE')
      .split('\n')
      .filter((line) => !line.startsWith('#'))
      .map((line) => line.split(','));
    assert.equal(values['cpu.logical'], rows.length);
    assert.equal(
      values['cpu.cores'],
      new Set(rows.map(([, core, socket]) => `${core} ${socket}`)).size,
    );
    assert.equal(values['numa.nodes'], new Set(rows.map(([, , , node]) => node)).size);
    const [memory, swap] = say('free', '-b')
      .split('\n')
      .slice(1)
      .map((line) => line.split(/\s+/).slice(1).map(Number));
    assert.deepEqual(
      [values['memory.totalBytes'], values['memory.swapBytes'], values['memory.swapUsedBytes']],
      [memory[0], swap[0], swap[1]],
    );
    assert.ok(Math.abs((values['memory.availableBytes'] ?? 0) - memory[5]) < memory[0] / 10);
    assert.equal(values['memory.totalBytes'], os.totalmem());
  });

  it('is what sysctl says', async function () {
    skipIf(this, whyNot('sysctl'));
    const { values } = await snapshot(0);
    const names = /** @type {const} */ ([
      ['sysctl.maxMapCount', 'vm.max_map_count'],
      ['sysctl.pidMax', 'kernel.pid_max'],
      ['sysctl.somaxconn', 'net.core.somaxconn'],
      ['sysctl.tcpKeepaliveSeconds', 'net.ipv4.tcp_keepalive_time'],
      ['memory.swappiness', 'vm.swappiness'],
      ['memory.overcommit', 'vm.overcommit_memory'],
    ]);
    assert.deepEqual(
      names.map(([value]) => values[value]),
      names.map(([, name]) => Number(say('sysctl', '-n', name))),
    );
  });

  it('mongod among the processes, with the cache it was given', async () => {
    const { values } = await snapshot(0);
    const ours = values['memory.mongods']?.find(({ isOurs }) => isOurs);
    assert.deepEqual([ours?.pid, ours?.cacheBytes], [server.pid, 256 * MiB]);
    assert.equal(values['process.openFiles'], fs.readdirSync(`/proc/${server.pid}/fd`).length);
    assert.ok(
      (values['process.threads'] ?? 0) > 10 &&
        (values['process.maps'] ?? 0) > (values['process.threads'] ?? 0),
    );
  });

  it('its processor time under load, and whose clients they are', async () => {
    const collection = server.db('shop').collection('orders');
    const load = startLoad(() => collection.findOne({ a: 1 }).then(() => undefined), { loops: 8 });
    try {
      const host = await snapshot(2);
      assert.ok((host.values['cpu.serverRatio'] ?? 0) > 0.02, `${host.values['cpu.serverRatio']}`);
      assert.ok(
        (host.values['cpu.serverRatio'] ?? 2) <= (host.values['cpu.busyRatio'] ?? 0) + 0.05,
      );
      assert.equal(host.values['network.interface'], 'lo');
      assert.ok((host.values['network.packetsPerSec'] ?? 0) > 100);
      assert.ok(
        (host.values['network.receivedOfEach'] ?? []).reduce((sum, rate) => sum + rate, 0) > 100,
      );
      assert.match(
        finding(host, 'host-receive-flow-steering').message,
        /all clients are on this machine/,
      );
    } finally {
      await load.stop();
    }
  });

  it('each interface, as the kernel lists it', async () => {
    for (const name of fs.readdirSync('/sys/class/net')) {
      const { values } = await snapshot(0, name);
      assert.equal(values['network.interface'], name);
      assert.equal(values['network.isPhysical'], fs.existsSync(`/sys/class/net/${name}/device`));
      assert.equal(
        values['network.queues']?.length,
        fs.readdirSync(`/sys/class/net/${name}/queues`).filter((queue) => queue.startsWith('rx-'))
          .length,
      );
    }
  });

  it('pinned to one processor, and freed', async function () {
    skipIf(
      this,
      whyNot('taskset') ?? (os.cpus().length > 1 ? null : 'there is one processor only'),
    );
    const before = say('taskset', '-cp', `${server.pid}`).split(': ')[1];
    say('taskset', '-acp', '0', `${server.pid}`);
    const pinned = await snapshot(1);
    assert.equal(pinned.values['cpu.allowed'], 1);
    assert.match(finding(pinned, 'host-cpu-pinning').message, /^mongod may use only 1 of \d+ CPUs/);
    say('taskset', '-acp', before, `${server.pid}`);
    assert.equal(finding(await snapshot(1), 'host-cpu-pinning').status, 'ok');
  });

  it('a limit of open files: too low, then as the fix sets it, and the way back', async function () {
    skipIf(this, whyNot('prlimit') ?? (mayRaise() ? null : 'a limit cannot be raised here'));
    const before = fs.readFileSync(`/proc/${server.pid}/limits`, 'utf8');
    say('prlimit', `--pid=${server.pid}`, '--nofile=2000:3000');
    const low = finding(await snapshot(0), 'host-open-files-limit');
    assert.match(low.message, /is 2,000, and mongod has \d+/);
    const [{ set, back }] = low.fixes;
    say('prlimit', `--pid=${server.pid}`, `--${set.target}=${set.to}`);
    assert.equal(finding(await snapshot(0), 'host-open-files-limit').status, 'ok');
    say('prlimit', `--pid=${server.pid}`, `--${back.target}=${back.to}`);
    assert.deepEqual((await snapshot(0)).values['process.files'], { soft: 2000, hard: 3000 });
    const [, soft, hard] = /^Max open files +(\S+) +(\S+)/m.exec(before) ?? [];
    say('prlimit', `--pid=${server.pid}`, `--nofile=${soft}:${hard}`);
  });

  it('a quota of processor time that is used up, and a limit of memory around it', async function () {
    skipIf(this, whyNoGroups(CPU_GROUPS, MEMORY_GROUPS));
    const [cpu, memory] = [CPU_GROUPS, MEMORY_GROUPS].map((root) =>
      path.join(root, `mongosh-tune-test-${process.pid}`),
    );
    const inner = path.join(memory, 'inner');
    const collection = server.db('shop').collection('orders');
    const load = startLoad(() => collection.findOne({ a: 1 }).then(() => undefined), { loops: 16 });
    const homes = [CPU_GROUPS, MEMORY_GROUPS].map((root) => path.join(root, groupOf(root)));
    try {
      for (const folder of [cpu, memory, inner]) fs.mkdirSync(folder);
      fs.writeFileSync(path.join(memory, 'memory.limit_in_bytes'), `${280 * MiB}`);
      fs.writeFileSync(path.join(cpu, 'cpu.cfs_quota_us'), '10000');
      for (const folder of [cpu, inner])
        fs.writeFileSync(path.join(folder, 'cgroup.procs'), `${server.pid}`);
      const host = await snapshot(3);
      host.values['server.cacheBytes'] = 256 * MiB;
      assert.equal(host.values['cpu.quotaCores'], 0.1);
      assert.equal(
        finding(host, 'host-cpu-quota').status,
        'warning',
        finding(host, 'host-cpu-quota').message,
      );
      assert.deepEqual(
        [host.values['memory.limitBytes'], host.values['memory.cgroupVersion']],
        [280 * MiB, 1],
      );
      assert.match(
        finding(host, 'host-memory-limit').message,
        /The cache is 256 MiB, and a cgroup limits mongod to 280 MiB/,
      );
      assert.equal(finding(host, 'host-memory-limit').status, 'warning');
    } finally {
      for (const folder of homes)
        fs.writeFileSync(path.join(folder, 'cgroup.procs'), `${server.pid}`);
      for (const folder of [inner, memory, cpu]) fs.rmdirSync(folder);
      await load.stop();
    }
    assert.equal(finding(await snapshot(1), 'host-cpu-quota').status, 'ok');
  });

  /** @param {string} root @returns {string} the group the server is in */
  function groupOf(root) {
    return (
      new RegExp(`^\\d+:${path.basename(root)}:(.*)$`, 'm').exec(
        fs.readFileSync(`/proc/${server.pid}/cgroup`, 'utf8'),
      )?.[1] ?? '/'
    );
  }
});
