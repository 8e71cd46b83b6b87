'use strict';

const { KiB } = require('../../base/pure/units');

/**
 * @import { EventValues } from '../types'
 */

/**
 * Finds what a line of the kernel's log means. The texts are those of kernels 3.10 to 6.x.
 *
 * @typedef {{ code: string, values: EventValues }} Meaning
 * @typedef {{ pattern: RegExp, code: string, values(groups: Record<string, string>): EventValues }} Row
 */

/** @type {readonly Row[]} */
const ROWS = Object.freeze([
  {
    pattern:
      /(?:Out of memory|Memory cgroup out of memory): Kill(?:ed)? process (?<pid>\d+),? \((?<process>[^)]{1,40})\)(?:.*?anon-rss:(?<rss>\d+)kB)?/,
    code: 'kernel-oom-kill',
    values: ({ pid, process, rss }) => ({
      process,
      pid: Number(pid),
      cgroup: null,
      rssBytes: rss === undefined ? null : Number(rss) * KiB,
    }),
  },
  {
    pattern:
      /^(?:traps: )?(?<process>mongo[ds]|[\w.-]{1,40})\[(?<pid>\d+)\]:? (?:segfault at|general protection|trap )/,
    code: 'kernel-segfault',
    values: ({ process, pid }) => ({ process, pid: Number(pid) }),
  },
  {
    pattern:
      /(?:I\/O error,? (?:on )?dev(?:ice)? |Buffer I\/O error on dev(?:ice)? |(?:critical (?:medium|target|space allocation) error), dev )(?<device>[\w!-]{1,40})/,
    code: 'kernel-io-error',
    values: device,
  },
  {
    pattern: /^nvme (?<device>nvme\w{1,20}): (?:I\/O \d+.*timeout|controller is down|Abort status)/,
    code: 'kernel-io-error',
    values: device,
  },
  {
    pattern:
      /^(?:EXT4-fs|XFS) ?\((?<device>[\w!-]{1,40})\):? .*(?:emounting filesystem read-only|log has been shut down|Filesystem has been shut down)/,
    code: 'kernel-read-only',
    values: device,
  },
  {
    pattern: /^EXT4-fs error \(device (?<device>[\w!-]{1,40})\)/,
    code: 'kernel-fs-error',
    values: device,
  },
  {
    pattern:
      /^XFS \((?<device>[\w!-]{1,40})\): (?:Internal error|Corruption|[Mm]etadata (?:I\/O error|corruption)|log I\/O error)/,
    code: 'kernel-fs-error',
    values: device,
  },
  {
    pattern: /^BTRFS (?:error|critical) \(device (?<device>[\w!-]{1,40})/,
    code: 'kernel-fs-error',
    values: device,
  },
  {
    pattern: /^INFO: task (?<process>.{1,40}):\d+ blocked for more than (?<seconds>\d+) seconds/,
    code: 'kernel-task-blocked',
    values: ({ process, seconds }) => ({ process, seconds: Number(seconds) }),
  },
  {
    pattern: /temperature above threshold, cpu clock (?:is )?throttled/i,
    code: 'kernel-cpu-throttled',
    values: () => ({}),
  },
  {
    pattern: /Possible SYN flooding on port (?:\S*:)?(?<port>\d+)/,
    code: 'kernel-syn-flood',
    values: ({ port }) => ({ port: Number(port) }),
  },
  {
    pattern: /nf_conntrack: (?:nf_conntrack: )?table full, dropping packet/,
    code: 'kernel-conntrack-full',
    values: () => ({}),
  },
  { pattern: /^Linux version \d/, code: 'kernel-boot', values: () => ({}) },
]);
/** This line comes before the one that names the killed process. */
const OOM_GROUP = /oom-kill:.*?oom_memcg=(?<cgroup>[^,]{1,200}),.*?,pid=(?<pid>\d+)/;
/** Cheap: most lines have none of these words. */
const WORTH =
  /ill|segfault|protection|trap |error|timeout|down|read-only|blocked for|throttled|flooding|conntrack|^Linux version|orruption|Abort/;

/** @param {Record<string, string>} groups */
function device({ device: name }) {
  return { device: name };
}

/** Reads the texts of one kernel's log in their order. */
class KernelEvents {
  constructor() {
    /** Control group of a process that is being killed. @type {{ pid: number, cgroup: string } | null} */
    this.oom = null;
  }

  /** @param {string} text @returns {Meaning | null} */
  meaningOf(text) {
    if (!WORTH.test(text)) return null;
    const group = OOM_GROUP.exec(text)?.groups;
    if (group !== undefined) this.oom = { pid: Number(group.pid), cgroup: group.cgroup };
    const row = ROWS.find(({ pattern }) => pattern.test(text));
    if (row === undefined) return null;
    const values = row.values({ ...row.pattern.exec(text)?.groups });
    return {
      code: row.code,
      values: row.code === 'kernel-oom-kill' ? this.withGroup(values) : values,
    };
  }

  /** @param {EventValues} values @returns {EventValues} */
  withGroup(values) {
    return this.oom !== null && this.oom.pid === values.pid
      ? { ...values, cgroup: this.oom.cgroup }
      : values;
  }
}

module.exports = { KernelEvents };
