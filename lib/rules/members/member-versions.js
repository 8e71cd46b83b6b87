'use strict';

const { defineMemberRule } = require('../rule');
const { membersByValue, listed } = require('../members-by-value');
const { sources, manual } = require('../sources');

module.exports = defineMemberRule({
  id: 'member-versions',
  isBetween: true,
  title: 'Members with different releases',
  why:
    'Releases differ in eviction, checkpoints and counters: a finding on one member may not ' +
    'apply to another. This is normal during an upgrade.',
  needs: ['version'],
  threshold: 'Information: different patch releases. Warning: different series (6.0 and 7.0).',
  source: sources(manual('Upgrade a Replica Set', 'manual/tutorial/upgrade-revision/')),
  advice: 'Finish the upgrade: the same release on all members.',
  whenNot: 'Not during a rolling upgrade.',
  check({ name }, known) {
    const versions = membersByValue(known, ({ version }) => String(version));
    if (versions.length < 2) return [];
    const series = new Set(
      versions.map((version) => version.name.split('.').slice(0, 2).join('.')),
    );
    return [
      {
        status: series.size > 1 ? 'warning' : 'info',
        code: series.size > 1 ? 'different-series' : 'different-patches',
        subject: name ?? undefined,
        values: { versions },
        evidence: { versions: versions.length },
      },
    ];
  },
  messages: {
    fine: () => 'All members run the same release.',
    'different-patches': ({ versions }) =>
      `The members run different releases: ${listed(versions)}.`,
    'different-series': ({ versions }) =>
      `The members run different releases: ${listed(versions)}.`,
  },
});
