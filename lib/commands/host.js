'use strict';

const { defineCommand } = require('../base/pure/command');
const { number, text } = require('../base/pure/options');
const { loadHostRules } = require('../rules/registry');
const { judgeHost } = require('../rules/runner');
const { STATUSES } = require('../base/pure/finding');
const { textsOf } = require('../host/pure/script-texts');
const { hostScript } = require('../host/host-scripts');
const { alsoWhole, report } = require('../text/report');
const { examineHost } = require('../host/examine-host');
const { readHostFile } = require('../host/host-file');

/**
 * @import { TuneError } from '../base/pure/errors'
 * @import { Seen } from '../host/examine-host'
 * @import { HostPart, HostValues } from '../host/pure/host'
 * @import { Report } from '../text/report'
 * @import { Context } from '../base/types'
 */

module.exports = defineCommand({
  name: 'host',
  group: 'Look',
  order: 9,
  takes: ['options'],
  usage: 'tune.host({ seconds, interface, file })',
  summary: 'Checks the machine under the server',
  details:
    'tune.host().script() is a shell script of all recommendations; it is printed, never run',
  options: {
    seconds: {
      check: number({ min: 1, max: 3600, integer: true }),
      default: 5,
      description: 'how long to sample',
    },
    interface: {
      check: text(),
      defaultText: 'detected',
      description: "the network interface of MongoDB's traffic",
    },
    file: { check: text(), description: 'a file that the script of tune.host.collect() wrote' },
  },
  examples: [
    'tune.host()',
    'tune.host({ seconds: 30, interface: "eth0" }).facts.disk',
    'tune host --file host.json',
  ],
  changes: 'nothing',
  onMongos: 'connect to a member of the shard: each has its own host',
  run: host,
});

/**
 * The machine under the server: what is known of it, what should be changed, and the commands for
 * it. Nothing is changed.
 * @param {Context} ctx
 * @param {{ seconds: number, interface?: string | null, file?: string }} options
 * @returns {Promise<ReturnType<typeof dataOf> & { script(): { script: string } &
 *   Report } & Report>}
 * @throws {TuneError} TUNE-1xxxx for wrong options, TUNE-2xxxx where the server
 *   does not answer, TUNE-40002 and TUNE-40006 for the file
 */
async function host(ctx, { seconds, interface: name = null, file }) {
  const seen =
    file === undefined
      ? await examineHost(ctx, { seconds, interface: name })
      : await readHostFile(file, name);
  const { renderHost, renderAllOfHost } = require('../host/pure/host-text');
  const data = dataOf(seen);
  const whole = report({ findings: data.findings }, (ink) => renderAllOfHost(data, ink));
  const made = alsoWhole(
    report(data, (ink) => renderHost(data, ink)),
    whole,
  );
  return Object.defineProperty(/** @type {any} */ (made), 'script', {
    value: () => scriptOf(data, seen),
  });
}

/** Makes the answer's data. @param {Seen} seen */
function dataOf({ at, host: name, version, place, part, notes }) {
  const rules = loadHostRules();
  const unknown = withReasons(
    part,
    rules,
    place.kind === 'elsewhere' ? 'available only on its own machine' : 'unknown here',
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

/** The process of mongod, for commands that name it. @param {Pick<Seen, 'place' | 'part'>} seen */
const processOf = ({ place, part }) => ({
  pid: place.pid,
  unit: part.values['process.unit'] ?? null,
});

/**
 * Explains why each value is missing.
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
 * Nests values by their names: `{ 'os.name': 'Debian' }` becomes `{ os: { name: 'Debian' } }`.
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

/**
 * Makes one shell script of all advised changes.
 * @param {ReturnType<typeof dataOf>} data
 * @param {Seen} seen
 */
function scriptOf({ at, host: name, findings }, seen) {
  const made = hostScript(findings, { host: name ?? 'this host', at, ...processOf(seen) });
  return report({ script: made }, () => made.trimEnd(), { verbatim: true });
}
