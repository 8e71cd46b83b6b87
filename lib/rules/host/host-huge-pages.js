'use strict';

const { hasNewAllocator, SINCE } = require('../../signals/allocator');
const { defineHostRule } = require('../rule');
const { setSysctl, writeFile } = require('../fixes');
const { sources, manual, S390X } = require('../sources');

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
  title: 'Transparent huge pages not set for this release',
  why:
    'The allocator of releases before 8.0 uses 4 KiB pages: when the kernel merges and splits ' +
    '2 MiB pages, that costs latency and memory. The allocator of 8.0 needs huge pages. ' +
    'khugepaged must not fill them: that enlarges the process.',
  needs: ['thp.enabled', 'server.versionNumber'],
  wants: [
    'thp.defrag',
    'thp.maxPtesNone',
    'memory.overcommit',
    'os.architecture',
    'process.isThpAllowed',
  ],
  threshold:
    'Before 8.0: warning if "enabled" is "always". From 8.0 on: information if it is not "always" ' +
    `(on s390x and ppc64le: if it is "always"), if "defrag" is not ${NEW.defrag}, ` +
    `or if khugepaged/max_ptes_none is not ${NEW.maxPtesNone}.`,
  source: sources(
    manual('TCMalloc performance', 'manual/administration/tcmalloc-performance/'),
    manual(
      'Disable Transparent Huge Pages, 7.0 and earlier',
      'v7.0/tutorial/transparent-huge-pages/',
    ),
    S390X + ': no effect',
  ),
  advice:
    'Set transparent huge pages as the manual of this release requires, before mongod starts.',
  whenNot:
    'Not worth a restart: it made no difference in the one published test. The settings apply ' +
    'to all processes of the host, so servers before and after 8.0 on one host conflict.',
  check(values) {
    const isNew = hasNewAllocator(values['server.versionNumber'], values['os.architecture']);
    return isNew ? judgeNew(values) : judgeOld(values);
  },
  messages: {
    'as-wanted': ({ enabled }) => `Transparent huge pages: ${enabled}, as this release requires.`,
    'opted-out': () => 'Transparent huge pages: always, but mongod has opted out.',
    always: () => 'Transparent huge pages: always. The allocator of this release does not benefit.',
    'not-as-wanted': (values) =>
      'Transparent huge pages are not set as this release requires: ' +
      `${faultsOf(values).join(', ')}.`,
  },
  adviceFor: {
    always: () => 'Set them to never before mongod starts.',
    'not-as-wanted': () => 'Set them as the manual requires from 8.0 on, before mongod starts.',
  },
});

/**
 * @typedef {Pick<HostValues, 'thp.enabled' | 'server.versionNumber'> &
 *   Partial<HostValues>} Values
 * @typedef {{ enabled: string, defrag: string | null, maxPtesNone: number | null }} Settings
 * @typedef {Judgement<'as-wanted' | 'opted-out' | 'always' | 'not-as-wanted', Settings>} Outcome
 */

/** Before 8.0 huge pages should be off. @param {Values} host @returns {Outcome} */
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

/** From 8.0 on huge pages should be on. @param {Values} host @returns {Outcome} */
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

/** mongod itself warns of each other word at its start (log id 9068900). @param {string} defrag */
const defragFault = (defrag) =>
  defrag === 'always'
    ? '"defrag" is always, so threads compact memory when they allocate'
    : `"defrag" is ${defrag}, not ${NEW.defrag}`;

/**
 * Names the settings that differ from those that 8.0 needs.
 * @param {Settings} settings
 * @returns {string[]}
 */
const faultsOf = ({ enabled, defrag, maxPtesNone }) => [
  ...(enabled === NEW.enabled ? [] : [`"enabled" is ${enabled}`]),
  ...(defrag === null || defrag === NEW.defrag ? [] : [defragFault(defrag)]),
  ...(maxPtesNone === null || maxPtesNone === NEW.maxPtesNone
    ? []
    : [`khugepaged/max_ptes_none is ${maxPtesNone}`]),
];
