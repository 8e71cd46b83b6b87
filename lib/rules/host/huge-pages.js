'use strict';

const { hasNewAllocator, SINCE } = require('../../signals/allocator');
const { defineHostRule } = require('../define-host-rule');
const { setSysctl, writeFile } = require('../fixes');

/**
 * @import { HostFix, HostValues } from '../../host/pure/host'
 * @import { HostJudgement } from '../define-host-rule'
 */

const FOLDER = '/sys/kernel/mm/transparent_hugepage';
// MongoDB manual, TCMalloc performance.
const NEW = Object.freeze({
  enabled: 'always',
  defrag: 'defer+madvise',
  maxPtesNone: 0,
  overcommit: 1,
});
const OLD_ENABLED = 'never';

module.exports = defineHostRule({
  id: 'huge-pages',
  area: 'host',
  title: 'Whether transparent huge pages are as this release wants them',
  why:
    'The allocator of releases before 8.0 gives back and takes pages of 4 KiB; when the kernel ' +
    'joins them into pages of 2 MiB and splits them again, that costs latency and memory. The ' +
    'allocator of 8.0 is made for huge pages and wants them on, but not filled up by ' +
    'khugepaged, which makes the process larger than what it uses.',
  needs: ['thp.enabled', 'server.versionNumber'],
  wants: [
    'thp.defrag',
    'thp.maxPtesNone',
    'memory.overcommit',
    'os.architecture',
    'process.isThpAllowed',
  ],
  threshold:
    'Before 8.0, and on s390x and ppc64le: warning (from 8.0 on information) when "enabled" is ' +
    'always. From 8.0 on: information when it is not, when "defrag" is always, or ' +
    `khugepaged/max_ptes_none is not ${NEW.maxPtesNone}.`,
  source:
    'MongoDB manual, TCMalloc performance; disable transparent huge pages (7.0 and earlier). ' +
    'IBM-Z: no effect there, on s390x with 8.2',
  advice: 'Set transparent huge pages as the manual of the release asks, before mongod starts.',
  whenNot:
    'No change is worth a restart of its own: where it was measured it made no difference ' +
    '(IBM-Z). Settings hold for all processes of the host, so servers of both kinds on one ' +
    'host want different things.',
  check(values) {
    const isNew = hasNewAllocator(values['server.versionNumber'], values['os.architecture']);
    return isNew ? judgeNew(values) : judgeOld(values);
  },
});

/**
 * @typedef {Pick<HostValues, 'thp.enabled' | 'server.versionNumber'> &
 *   Partial<HostValues>} Values
 */

/** @param {Values} values @returns {HostJudgement} */
function judgeOld({
  'thp.enabled': enabled,
  'process.isThpAllowed': isAllowed = true,
  'server.versionNumber': version,
}) {
  const evidence = { 'thp.enabled': enabled, 'process.isThpAllowed': isAllowed };
  if (enabled !== NEW.enabled)
    return {
      status: 'ok',
      say: `Transparent huge pages are on ${enabled}, as the allocator of this server wants it.`,
      evidence,
    };
  if (!isAllowed)
    return {
      status: 'ok',
      say: 'Transparent huge pages are on always, and mongod has opted out of them.',
      evidence,
    };
  return {
    status: version < SINCE ? 'warning' : 'info',
    say: 'Transparent huge pages are on always; the allocator of this server does not gain from them.',
    evidence,
    advice: 'Set them to never, before mongod starts.',
    fixes: [writeFile(`${FOLDER}/enabled`, OLD_ENABLED, enabled)],
  };
}

/** @param {Values} values @returns {HostJudgement} */
function judgeNew({
  'thp.enabled': enabled,
  'thp.defrag': defrag,
  'thp.maxPtesNone': ptes,
  'memory.overcommit': overcommit,
}) {
  const evidence = {
    'thp.enabled': enabled,
    'thp.defrag': defrag ?? null,
    'thp.maxPtesNone': ptes ?? null,
    'memory.overcommit': overcommit ?? null,
  };
  const faults = [
    ...(enabled === NEW.enabled ? [] : [`"enabled" is ${enabled}`]),
    ...(defrag === 'always'
      ? ['"defrag" is always, so that a thread that asks for memory joins pages itself']
      : []),
    ...(ptes === undefined || ptes === NEW.maxPtesNone
      ? []
      : [`khugepaged/max_ptes_none is ${ptes}`]),
  ];
  if (faults.length === 0)
    return {
      status: 'ok',
      say: 'Transparent huge pages are on always, as the allocator of this server wants it.',
      evidence,
    };
  /** @typedef {(to: string | number, from: string | number) => HostFix} MakeFix */
  const wanted = /** @type {[string | number | undefined, string | number, MakeFix][]} */ ([
    [enabled, NEW.enabled, (to, from) => writeFile(`${FOLDER}/enabled`, to, from)],
    [defrag, NEW.defrag, (to, from) => writeFile(`${FOLDER}/defrag`, to, from)],
    [
      ptes,
      NEW.maxPtesNone,
      (to, from) => writeFile(`${FOLDER}/khugepaged/max_ptes_none`, to, from),
    ],
    [overcommit, NEW.overcommit, (to, from) => setSysctl('vm.overcommit_memory', to, from)],
  ]);
  return {
    status: 'info',
    say:
      'Transparent huge pages are not as the allocator of this server wants them: ' +
      `${faults.join(', ')}.`,
    evidence,
    advice: 'Set them as the manual asks from 8.0 on, before mongod starts.',
    fixes: wanted.flatMap(([from, to, fix]) =>
      from === undefined || from === to ? [] : [fix(to, from)],
    ),
  };
}
