'use strict';

const { checkOptions, number, text } = require('../base/pure/options');
const { loadHostRules } = require('../observe/load-rules');
const { judgeHost } = require('../rules/run-host');
const { STATUSES } = require('../base/pure/finding');
const { textsOf } = require('../host/pure/script-texts');
const { hostScript } = require('../host/host-script');
const { report } = require('../text/report');
const { examineHost } = require('../host/examine-host');
const { readHostFile } = require('../host/host-file');

/**
 * @import { Context } from '../base/context'
 * @import { TuneError } from '../base/pure/errors'
 * @import { Seen } from '../host/examine-host'
 * @import { HostPart, HostValues } from '../host/pure/host'
 * @import { Report } from '../text/report'
 */

const OPTIONS = {
  seconds: number({ min: 1, max: 3600, integer: true }),
  interface: text(),
  from: text(),
};

/**
 * The machine under the server: what is known of it, what should be changed, and the commands for
 * it. Nothing is changed.
 * @param {Context} ctx
 * @param {{ seconds?: number, interface?: string, from?: string }} [options] `seconds` to look;
 *   `interface`: which carries MongoDB's traffic, where
 *   it cannot be seen; `from`: a file that the script of tune.host.collect() wrote, no connection
 *   is needed then
 * @returns {Promise<ReturnType<typeof dataOf> & { script(): { script: string } &
 *   Report } & Report>}
 * @throws {TuneError} TUNE-1xxxx for wrong options, TUNE-2xxxx where the server
 *   does not answer, TUNE-40002 and TUNE-40006 for the file
 */
async function host(ctx, options) {
  const { seconds = 5, interface: name = null, from } = checkOptions('tune.host', OPTIONS, options);
  const seen =
    from === undefined
      ? await examineHost(ctx, { seconds, interface: name })
      : await readHostFile(from, name);
  const { renderHost } = require('../host/pure/host-text');
  const data = dataOf(seen);
  const made = report(data, (ink) => renderHost(data, ink));
  return Object.defineProperty(/** @type {any} */ (made), 'script', {
    value: () => scriptOf(data, seen),
  });
}

/** @param {Seen} seen */
function dataOf({ at, host: name, version, place, part, notes }) {
  const rules = loadHostRules();
  const unknown = withReasons(
    part,
    rules,
    place.kind === 'elsewhere' ? 'only its own machine tells' : 'not known here',
  );
  const process = processOf({ place, part });
  const findings = judgeHost(rules, { values: part.values, unknown }).map((finding) => ({
    ...finding,
    script: textsOf(finding.fixes, { ...process, rule: finding.rule }),
  }));
  const rank = (/** @type {typeof findings[0]} */ { status, advice, fixes }) =>
    STATUSES.indexOf(status) +
    (status === 'info' && advice === null && fixes.length === 0 ? 0.5 : 0);
  return {
    at,
    host: name,
    version,
    place,
    facts: nested(part.values),
    unknown,
    findings: findings.sort((a, b) => rank(a) - rank(b)),
    notes,
  };
}

/** @param {Pick<Seen, 'place' | 'part'>} seen */
const processOf = ({ place, part }) => ({
  pid: place.pid,
  unit: part.values['process.unit'] ?? null,
});

/**
 * @param {HostPart} part
 * @param {ReturnType<typeof loadHostRules>} rules
 * @param {string} otherwise
 * @returns {HostPart['unknown']} why, for everything that a rule would like
 *   to know
 */
function withReasons({ values, unknown }, rules, otherwise) {
  const missing = rules
    .flatMap(({ needs, wants }) => [...needs, ...wants])
    .filter((name) => values[name] === undefined && unknown[name] === undefined);
  return { ...unknown, ...Object.fromEntries(missing.map((name) => [name, otherwise])) };
}

/**
 * `{ 'os.name': 'Debian' }` as `{ os: { name: 'Debian' } }`.
 * @param {Partial<HostValues>} values
 */
function nested(values) {
  /** @type {Record<string, Record<string, unknown>>} */
  const facts = {};
  for (const [dotted, value] of Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1))) {
    const [area, name] = dotted.split('.');
    (facts[area] ??= {})[name] = value;
  }
  return facts;
}

/** @param {ReturnType<typeof dataOf>} data @param {Seen} seen */
function scriptOf({ at, host: name, findings }, seen) {
  const made = hostScript(findings, { host: name ?? 'this host', at, ...processOf(seen) });
  return report({ script: made }, () => made.trimEnd(), { verbatim: true });
}

module.exports = { host };
