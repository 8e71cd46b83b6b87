'use strict';

const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { setTimeout: sleep } = require('node:timers/promises');
const { fill, steadyLoad } = require('../../support/incident-load');
const { temporaryFolder } = require('../../support/cleanup');
const { memoryGroup } = require('../../support/memory-group');
const { skipIf } = require('../../support/skip');
const { QUIET_MS, check, useStaged } = require('../../support/staged-incident');

// Incidents at whose end the process is gone, staged on a real server.

describe('the end of a process, staged on a real server', function () {
  this.timeout(300_000);
  const staged = useStaged();
  const { start, loaded, finish } = staged;

  it('kill -9: the process died, and its next start was unclean', async () => {
    const server = await start();
    await loaded(server);
    server.signal('SIGKILL');
    await server.ended();
    await sleep(3000);
    await server.start();
    check(await finish(), { first: ['process-died'], then: ['process-unclean-start'] });
  });

  it('a service manager stops it: the signal, then the restart', async () => {
    const server = await start();
    await loaded(server);
    server.signal('SIGTERM');
    await server.ended();
    await sleep(2000);
    await server.start();
    check(await finish(), { first: ['process-signal'], then: ['process-restarted'] });
  });

  it('a disk without free space', async function () {
    const folder = temporaryFolder('small-disk');
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=420m', 'tmpfs', folder.path], {
        stdio: 'pipe',
      });
    } catch (error) {
      skipIf(this, `no file system can be mounted here: ${/** @type {Error} */ (error).message}`);
    }
    try {
      const server = await start({ dbPath: folder.path });
      await sleep(5000);
      await fill(server.client(), { documents: 200_000, bytes: 8000 }).catch(() => {});
      await server.ended();
      check(await staged.answer(), { first: ['disk-full'], then: ['process-fatal'] });
    } finally {
      await staged.remove();
      execFileSync('umount', [folder.path]);
      folder.remove();
    }
  });

  it('killed by the kernel in its control group', async function () {
    const group = memoryGroup();
    skipIf(this, group === null ? 'no control group with a memory limit can be made here' : null);
    const { limit, remove } = /** @type {NonNullable<typeof group>} */ (group);
    const folder = temporaryFolder('kernel-log');
    const kernelLog = path.join(folder.path, 'dmesg');
    const LIMIT_MB = 230;
    try {
      const server = await start({ onStart: (pid) => limit(pid, LIMIT_MB) });
      const load = steadyLoad(server.client());
      await sleep(QUIET_MS);
      await fill(server.client(), { documents: 100_000, bytes: 6000 }).catch(() => {});
      await server.ended();
      await load.stop();
      fs.writeFileSync(kernelLog, execFileSync('dmesg', ['-T']));
      await server.start().catch(() => {});
      check(await finish({ kernelLog }), { first: ['kernel-oom-kill'], then: ['process-died'] });
    } finally {
      await staged.remove();
      remove();
      folder.remove();
    }
  });
});
