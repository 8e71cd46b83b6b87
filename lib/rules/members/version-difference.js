'use strict';

const { defineMemberRule } = require('../define-member-rule');
const { groups, listed } = require('../member-groups');

module.exports = defineMemberRule({
  id: 'version-difference',
  isBetween: true,
  title: 'Members of different releases',
  why:
    'Different releases evict, write checkpoints and count differently, so that what was found ' +
    'on one member need not hold on another. During an upgrade that is as it should be, for as ' +
    'long as it takes.',
  needs: ['version'],
  threshold: 'Information for another patch release, warning for another series (6.0 and 7.0).',
  source: 'MongoDB manual, Upgrade a Replica Set',
  advice: 'Finish the upgrade: all members of one release.',
  whenNot: 'While members are upgraded one after the other.',
  fine: 'All members run the same release.',
  check({ name }, known) {
    const found = groups(known, ({ version }) => String(version));
    if (found.length < 2) return [];
    const series = new Set(
      known.map(({ version }) => String(version).split('.').slice(0, 2).join('.')),
    );
    return [
      {
        status: series.size > 1 ? 'warning' : 'info',
        subject: name ?? undefined,
        evidence: { versions: found.length },
        say: `The members run different releases: ${listed(found)}.`,
      },
    ];
  },
});
