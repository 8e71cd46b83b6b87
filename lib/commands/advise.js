'use strict';

const { checkOptions, number, flag } = require('../base/pure/options');
const { loadHostRules } = require('../observe/load-rules');
const { aboutMachine, joinFindings } = require('../diagnose/machine-summary');
const { severestFirst } = require('../base/pure/finding');
const { attachSeries, windowSeries } = require('../series/chart-data');
const { report } = require('../text/report');
const { gather, everyFor } = require('../observe/gather');
const { watchMachine, withMachine } = require('../host/watch-machine');
const { dataOf } = require('../observe/advice-data');
const { examineMembersMeanwhile, withMembersFindings } = require('../cluster/members-of-advice');

/**
 * @import { Context } from '../base/context'
 * @import { TuneError } from '../base/pure/errors'
 * @import { Machine } from '../host/watch-machine'
 * @import { Advice } from '../observe/advice-data'
 * @import { Gathered } from '../observe/gather'
 * @import { Report } from '../text/report'
 */

const OPTIONS = { seconds: number({ min: 0.1, max: 86_400 }), host: flag(), members: flag() };

/**
 * Looks at the server for a while and names what holds it back, with the change that helps, or that
 * nothing should change.
 * @param {Context} ctx
 * @param {{ seconds?: number, host?: boolean, members?: boolean }} [options] `members`: look at the
 *   other members of the set as well, and name the one that
 *   holds the majority back; `seconds` to look; `host: false` leaves out what is known of the
 *   machine (memory, cores, what the server's diagnostic data tells of disks and processors, and
 *   the files of this machine where it is the server's)
 * @returns {Promise<Advice & Report>} after Ctrl-C or a lost connection:
 *   over what was seen until then
 * @throws {TuneError} TUNE-1xxxx for wrong options, TUNE-2xxxx where the server
 *   can not be examined
 */
async function advise(ctx, options) {
  const {
    seconds = 30,
    host = true,
    members = false,
  } = checkOptions('tune.advise', OPTIONS, options);
  const machine = host ? watchMachine(ctx) : null;
  const others = members ? examineMembersMeanwhile(ctx, seconds) : null;
  const sample = await gather(ctx, {
    seconds,
    every: everyFor(seconds),
    dataBytes: host,
    hardware: host,
    machine: host,
    onSample: (_, all) =>
      ctx.progress(
        `tune.advise: ${all.length} of ${Math.floor(seconds) + 1} samples; Ctrl-C answers from ` +
          'what was seen',
      ),
  }).finally(() => ctx.progress(null));
  const here = (await machine?.end()) ?? null;
  return adviceOf(sample, here, others === null ? (advice) => advice : await withOthers(others));
}

/**
 * @param {ReturnType<typeof examineMembersMeanwhile>} others
 * @returns {Promise<(advice: Advice) => Advice>}
 */
async function withOthers(others) {
  const seen = await others.end();
  return (advice) => withMembersFindings(advice, seen);
}

/**
 * @param {Gathered} sample
 * @param {Machine | null} machine
 * @param {(advice: Advice) => Advice} alongside what the other members add
 */
function adviceOf(sample, machine, alongside) {
  const { renderAdvice } = require('../diagnose/advice-text');
  const data = alongside(
    onMachine(dataOf({ ...sample, facts: withMachine(sample.facts, machine) }, 'live'), machine),
  );
  return attachSeries(
    report(data, (ink) => renderAdvice(data, ink)),
    windowSeries(sample.window, sample.facts),
  );
}

/**
 * @param {Advice} advice
 * @param {Machine | null} machine
 * @returns {Advice} with the disk or the processors named, and what to do on the machine
 */
function onMachine(advice, machine) {
  if (machine === null) return advice;
  const { say, findings } = aboutMachine(advice.bottleneck, machine.part, loadHostRules());
  const scripted = findings.some(({ fixes }) => fixes.length > 0)
    ? ['What to set on the machine, and how to take it back: tune.host().script()']
    : [];
  return {
    ...advice,
    because: say === null ? advice.because : `${advice.because} ${say}`,
    findings: severestFirst(joinFindings(advice.findings, findings)),
    explain: [...advice.explain, ...scripted],
  };
}

module.exports = { advise, OPTIONS };
