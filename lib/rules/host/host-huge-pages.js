'use strict';

const { hasNewAllocator, SINCE } = require('../../signals/allocator');
const { defineHostRule } = require('../rule');
const { setSysctl, writeFile } = require('../fixes');

/**
 * @import { HostValues } from '../../host/pure/host'
 * @import { HostFix } from '../../base/types'
 * @import { Judgement } from '../rule'
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
  id: 'host-huge-pages',
  title: 'Transparent huge pages not as this release needs them',
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
  messages: {
    'as-wanted': ({ enabled }) =>
      `Transparent huge pages are on ${enabled}, as the allocator of this server wants it.`,
    'opted-out': () => 'Transparent huge pages are on always, and mongod has opted out of them.',
    always: () =>
      'Transparent huge pages are on always; the allocator of this server does not gain from them.',
    'not-as-wanted': (values) =>
      'Transparent huge pages are not as the allocator of this server wants them: ' +
      `${faultsOf(values).join(', ')}.`,
  },
  adviceFor: {
    always: () => 'Set them to never, before mongod starts.',
    'not-as-wanted': () => 'Set them as the manual asks from 8.0 on, before mongod starts.',
  },
});

/**
 * @typedef {Pick<HostValues, 'thp.enabled' | 'server.versionNumber'> &
 *   Partial<HostValues>} Values
 * @typedef {{ enabled: string, defrag: string | null, maxPtesNone: number | null }} Settings
 * @typedef {Judgement<'as-wanted' | 'opted-out' | 'always' | 'not-as-wanted', Settings>} Outcome
 */

/** Before 8.0: they should not be on. @param {Values} host @returns {Outcome} */
function judgeOld({
  'thp.enabled': enabled,
  'process.isThpAllowed': isAllowed = true,
  'server.versionNumber': version,
}) {
  const evidence = { 'thp.enabled': enabled, 'process.isThpAllowed': isAllowed };
  const values = { enabled, defrag: null, maxPtesNone: null };
  if (enabled !== NEW.enabled) return { status: 'ok', code: 'as-wanted', values, evidence };
  if (!isAllowed) return { status: 'ok', code: 'opted-out', values, evidence };
  const fixes = [writeFile(`${FOLDER}/enabled`, OLD_ENABLED, enabled)];
  return { status: version < SINCE ? 'warning' : 'info', code: 'always', values, evidence, fixes };
}

/** From 8.0 on: they should be on. @param {Values} host @returns {Outcome} */
function judgeNew(host) {
  const enabled = host['thp.enabled'];
  const defrag = host['thp.defrag'] ?? null;
  const maxPtesNone = host['thp.maxPtesNone'] ?? null;
  const overcommit = host['memory.overcommit'] ?? null;
  const evidence = {
    'thp.enabled': enabled,
    'thp.defrag': defrag,
    'thp.maxPtesNone': maxPtesNone,
    'memory.overcommit': overcommit,
  };
  const values = { enabled, defrag, maxPtesNone };
  if (faultsOf(values).length === 0) return { status: 'ok', code: 'as-wanted', values, evidence };
  /** @typedef {(to: string | number, from: string | number) => HostFix} MakeFix */
  const wanted = /** @type {[string | number | null, string | number, MakeFix][]} */ ([
    [enabled, NEW.enabled, (to, from) => writeFile(`${FOLDER}/enabled`, to, from)],
    [defrag, NEW.defrag, (to, from) => writeFile(`${FOLDER}/defrag`, to, from)],
    [
      maxPtesNone,
      NEW.maxPtesNone,
      (to, from) => writeFile(`${FOLDER}/khugepaged/max_ptes_none`, to, from),
    ],
    [overcommit, NEW.overcommit, (to, from) => setSysctl('vm.overcommit_memory', to, from)],
  ]);
  const fixes = wanted.flatMap(([from, to, fix]) =>
    from === null || from === to ? [] : [fix(to, from)],
  );
  return { status: 'info', code: 'not-as-wanted', values, evidence, fixes };
}

/** What is not as 8.0 wants it. @param {Settings} settings @returns {string[]} */
const faultsOf = ({ enabled, defrag, maxPtesNone }) => [
  ...(enabled === NEW.enabled ? [] : [`"enabled" is ${enabled}`]),
  ...(defrag === 'always'
    ? ['"defrag" is always, so that a thread that asks for memory joins pages itself']
    : []),
  ...(maxPtesNone === null || maxPtesNone === NEW.maxPtesNone
    ? []
    : [`khugepaged/max_ptes_none is ${maxPtesNone}`]),
];
