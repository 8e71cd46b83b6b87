'use strict';

const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');

const GROUPS = '/sys/fs/cgroup/memory';
const MIB = 2 ** 20;

/**
 * A control group of version 1 with a limit of memory, below the one of this process.
 * @returns {{ limit(pid: number, megabytes: number): void, remove(): void } | null} null where
 *   none can be made, or the kernel's messages cannot be read
 */
function memoryGroup() {
  try {
    const own = /^\d+:memory:(.*)$/m.exec(fs.readFileSync('/proc/self/cgroup', 'utf8'))?.[1];
    if (own === undefined) return null;
    execFileSync('dmesg', ['-T'], { stdio: 'pipe' });
    const group = path.join(GROUPS, own, `mongosh-tune-${process.pid}`);
    fs.mkdirSync(group);
    return {
      limit(pid, megabytes) {
        fs.writeFileSync(path.join(group, 'memory.limit_in_bytes'), String(megabytes * MIB));
        fs.writeFileSync(path.join(group, 'cgroup.procs'), String(pid));
      },
      remove: () => fs.rmdirSync(group),
    };
  } catch (_notHere) {
    return null;
  }
}

module.exports = { memoryGroup };
