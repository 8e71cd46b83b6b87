'use strict';

const { settingsOf, showChange } = require('../../config/change');
const { duration } = require('../../base/pure/units');
const { visible } = require('../../base/pure/visible');
const { showRatio } = require('../../text/interval');
const { wrap } = require('../../text/wrap');

/**
 * @import { Change, Ink, Tone } from '../../base/types'
 * @import { Searched } from './types'
 */

/**
 * @typedef {{
 *   kind: string, change: Change, verdict: string | null, because: string | null,
 *   ratio: number | null, low: number | null, high: number | null, kept: boolean, seconds: number,
 *   warnings: readonly string[], undo: string | null
 * }} Step
 */

const TONES = Object.freeze(
  /** @type {Record<string, Tone>} */ ({
    better: 'good',
    worse: 'bad',
    same: 'accent',
    inconclusive: 'warn',
  }),
);
const ENDED = Object.freeze(
  /** @type {Record<string, string>} */ ({
    time: 'The time was up before everything was tried.',
    interrupted: 'Ctrl-C ended the search.',
    load: 'The load stopped.',
    disturbed: 'Somebody else changed something, so the search ended.',
    failed: 'An error ended the search.',
    level: 'The load held a level above a lower trigger for too long, so the search ended.',
    gone: 'The server was restarted or another one took over, so the search ended.',
    lost: 'The connection was lost for a while, so the search ended.',
  }),
);

/** What others have set may be in effect, or what a trial has left. */
const NOT_AS_IT_WAS = new Set(['failed', 'gone', 'disturbed', 'lost']);

/**
 * What the search came to, in a few words.
 * @param {Searched} data
 * @param {Ink} ink
 */
function outcome({ dryRun, change, effective, path: steps, ended }, ink) {
  if (dryRun) return ink('DRY RUN: nothing was sent', 'accent');
  if (change) return stays(change, effective, ink);
  return NOT_AS_IT_WAS.has(ended ?? '') || steps.some(({ undo }) => undo !== null)
    ? ink('nothing was proven better', 'strong')
    : ink('everything is as it was: nothing was proven better', 'strong');
}

/** @param {Change} change @param {Change | null} effective @param {Ink} ink */
function stays(change, effective, ink) {
  const words = showChange(change);
  if (effective === null)
    return ink(
      `${words} was proven better and kept; tune.settings() there shows whether it is still in effect`,
      'warn',
    );
  const gone = settingsOf(change).filter((setting) => effective[setting] === undefined);
  return gone.length === 0
    ? ink(`${words} is in effect, and proven better`, 'good')
    : ink(
        `${words} was proven better and kept, but another session has set ${gone.join(', ')} since`,
        'warn',
      );
}

/** @param {Searched} data @param {Ink} ink @returns {string} */
function renderAuto(data, ink) {
  const { host, dryRun, bottleneck, because, seconds, ended } = data;
  if (ended === 'refused') return refused(data, ink);
  return [
    `${ink(visible(host ?? ''), 'strong')}  ` +
      `${outcome(data, ink)}${dryRun ? '' : `   after ${duration(seconds * 1000)}`}`,
    '',
    `bottleneck: ${ink(bottleneck, 'strong')}`,
    ...wrap(because, '  '),
    '',
    ...(dryRun ? candidates(data) : path(data, ink)),
    ...ending(data, ink),
  ]
    .join('\n')
    .trimEnd();
}

/** @param {Searched} data @param {Ink} ink @returns {string} */
const refused = ({ host, bottleneck, because }, ink) =>
  [
    `${ink(visible(host ?? ''), 'strong')}  ${ink('there is nothing to search', 'strong')}`,
    '',
    `bottleneck: ${ink(bottleneck, 'strong')}`,
    ...wrap(because, '  '),
    ...wrap('No setting that may be tried is its mechanism. tune.advise() says more.', '  '),
  ].join('\n');

/** @param {Searched} data @returns {string[]} */
function candidates({ dimensions, minutes }) {
  const down = dimensions.some(({ changes }) =>
    changes.some(({ cacheSizeGB }) => cacheSizeGB !== undefined),
  );
  return [
    ...wrap(
      `Within ${duration(minutes * 60_000)}: short trials halve the candidates, the last one ` +
        'of each kind is tried in full, and stays only if it is better. All of them inside the ' +
        'guard, all of them in the journal.',
      '  ',
    ),
    ...(down
      ? wrap(
          'Each switch to a smaller cache goes down in steps, at most 60 s each, and may ' +
            'cost clients time.',
          '  ',
        )
      : []),
    '',
    ...dimensions.flatMap(({ kind, changes }) =>
      wrap(changes.map(showChange).join(' or '), '           ', `  ${kind.padEnd(9)}`),
    ),
    '',
  ];
}

/** @param {Searched} data @param {Ink} ink @returns {string[]} */
function path({ path: steps, ended, endedBecause, metric }, ink) {
  const lines = steps.flatMap(
    ({ kind, change, verdict, because, ratio, low, high, kept, seconds, warnings }, i) => {
      const word =
        kind === 'short' && verdict === 'inconclusive'
          ? 'a first impression'
          : `${verdict ?? 'no verdict'}${kept ? ', stays' : ''}`;
      const interval =
        low === null || high === null ? '' : ` (${showRatio(low)} to ${showRatio(high)})`;
      const said =
        ratio === null
          ? `${word}: ${because} ${duration(seconds * 1000)}`
          : `${metric} ${showRatio(ratio)}${interval}, ${word}; ${duration(seconds * 1000)}`;
      return [
        `  ${`${i + 1}`.padStart(2)}  ${showChange(change)}`,
        ...wrap(said, '      ').map((line) =>
          ink(line, kind === 'short' ? 'faint' : (TONES[verdict ?? ''] ?? 'faint')),
        ),
        ...warnings.flatMap((text) => wrap(text, '      ', '    ! ')),
      ];
    },
  );
  return [
    ...lines,
    ...(lines.length === 0 ? [] : ['']),
    ...(ENDED[ended ?? ''] ? [`  ${ENDED[ended ?? '']}`, ''] : []),
    ...(endedBecause === null ? [] : [...wrap(endedBecause, '  ', '! '), '']),
  ];
}

/** @param {Searched} data @param {Ink} ink @returns {string[]} */
const ending = ({ undo, conf, confirm }, ink) => [
  ...(confirm ? [`to do it:    ${ink(visible(confirm), 'accent')}`] : []),
  ...undo.map(
    (call, i) => `${i === 0 ? 'to undo it:' : '       and:'}  ${ink(visible(call), 'accent')}`,
  ),
  ...(conf
    ? [
        'to keep it over a restart, in mongod.conf:',
        ...conf
          .trimEnd()
          .split('\n')
          .map((line) => `  ${visible(line)}`),
      ].map((line) => ink(line, 'faint'))
    : []),
];

module.exports = { renderAuto };
