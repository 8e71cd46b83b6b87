'use strict';

const { defineMemberRule } = require('../rule');
const { groups, listed } = require('../member-groups');

module.exports = defineMemberRule({
  id: 'member-versions',
  isBetween: true,
  title: 'Members with different releases',
  why:
    'Different releases evict, write checkpoints and count differently, so that what was found ' +
    'on one member need not hold on another. During an upgrade that is as it should be, for as ' +
    'long as it takes.',
  needs: ['version'],
  threshold: 'Information for another patch release, warning for another series (6.0 and 7.0).',
  source: 'MongoDB manual, Upgrade a Replica Set',
  advice: 'Finish the upgrade: all members of one release.',
  whenNot: 'While members are upgraded one after the other.',
  check({ name }, known) {
    const versions = groups(known, ({ version }) => String(version));
    if (versions.length < 2) return [];
    const series = new Set(versions.map((one) => one.name.split('.').slice(0, 2).join('.')));
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
