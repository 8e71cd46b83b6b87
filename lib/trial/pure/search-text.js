'use strict';

const { callText } = require('../../base/pure/printable');
const { settingsOf, showChange } = require('../../config/change');
const { duration } = require('../../base/pure/units');
const { isBeforeSettings } = require('../../diagnose/cause');
const { withoutHint } = require('../../change/pure/change-text');
const { KEEP_IN_CONF } = require('../../change/pure/sentences');
const { measuredWords, showRatio } = require('../../text/interval');
const {
  callLines,
  dryRun,
  firstLine,
  fragment,
  headed,
  marked,
  part,
} = require('../../text/layout');
const { seriesName } = require('../../text/series-units');
const { verdictTone } = require('../../text/tones');
const { wrap } = require('../../text/wrap');

/**
 * @import { Change, Ink } from '../../base/types'
 * @import { Searched } from './types'
 */

/**
 * @typedef {{
 *   kind: string, change: Change, verdict: string | null, because: string | null,
 *   ratio: number | null, low: number | null, high: number | null, kept: boolean, seconds: number,
 *   warnings: readonly string[], undo: string | null
 * }} SearchTrial
 */

const ENDED = Object.freeze(
  /** @type {Record<string, string>} */ ({
    time: 'The time limit ended the search before every candidate was tested.',
    interrupted: 'Ctrl-C ended the search.',
    load: 'The load stopped.',
    disturbed: 'Another session changed a setting, so the search ended.',
    failed: 'An error ended the search.',
    level: 'The load kept the cache above a lower trigger for too long, so the search ended.',
    gone: 'The server restarted or another server answered, so the search ended.',
    lost: 'The connection was lost for a while, so the search ended.',
  }),
);

/** @param {Searched} data @param {Ink} ink @returns {string} */
function renderAuto(data, ink) {
  const { dryRun: isDry, bottleneck, because, seconds, ended } = data;
  const isRefused = ended === 'refused';
  const tail = isDry && !isRefused ? dryRun(ink) : ink(`${duration(seconds * 1000)}`, 'faint');
  return [
    firstLine({ host: data.host }, tail, ink),
    ...(isDry && !isRefused ? [] : result(data, ink)),
    ...part('BOTTLENECK', bottleneck, ink, 'strong'),
    ...wrap(because, '  '),
    ...causeLines(data, ink),
    ...(isRefused ? [] : inside(data, ink)),
    ...callLines(callsOf(data), ink),
    ...(data.confBecause ? marked('warning', data.confBecause, ink) : []),
    ...(data.conf ? fragment(KEEP_IN_CONF, withoutHint(data.conf), ink) : []),
  ].join('\n');
}

/** @param {Searched} data @returns {[string, string | null][]} */
function callsOf({ dryRun: isDry, ended, bottleneck, confirm, change, seconds, undo }) {
  const isRefused = ended === 'refused';
  return [
    ['Details', isRefused ? detailsOf(bottleneck) : null],
    ['Run', confirm],
    ['Undo later', isDry && !isRefused ? callText('undo', { confirm: true }) : null],
    ['Longer', ended === 'time' && !change ? longer(seconds) : null],
    ...undo.map((call) => /** @type {[string, string]} */ (['Undo', call])),
  ];
}

/**
 * Returns the call for details; an unknown bottleneck needs more samples.
 * @param {Searched['bottleneck']} bottleneck
 */
const detailsOf = (bottleneck) =>
  bottleneck === 'unknown' ? 'tune.advise({ seconds: 30 })' : 'tune.advise()';

/**
 * Makes the call for twice as much time, for a search that ran out of it.
 * @param {number} seconds
 */
const longer = (seconds) =>
  callText('auto', { minutes: Math.ceil((2 * seconds) / 60), confirm: true });

/** @param {Searched} data @param {Ink} ink */
const causeLines = ({ cause, remedy }, ink) =>
  cause
    ? [...part('CAUSE', `${cause.say}.`, ink, 'warn'), ...part('DO FIRST', String(remedy), ink)]
    : [];

/** @param {Searched} data @param {Ink} ink */
const inside = (data, ink) => (data.dryRun ? candidates(data, ink) : path(data, ink));

/** After these ends, the settings of other sessions or of an unfinished trial may be active. */
const NOT_AS_BEFORE = new Set(['failed', 'gone', 'disturbed', 'lost']);

/** @param {Searched} data @param {Ink} ink */
function result({ change, effective, path: steps, ended, cause, bottleneck }, ink) {
  if (ended === 'refused')
    return part('RESULT', `nothing to test: ${whyNothing(cause, bottleneck)}`, ink, 'strong');
  if (change) return kept(change, effective, ink);
  const isOpen = NOT_AS_BEFORE.has(ended ?? '') || steps.some(({ undo }) => undo !== null);
  return part(
    'RESULT',
    `no candidate proven better${isOpen ? '' : '; settings as before'}`,
    ink,
    'strong',
  );
}

/** @param {Searched['cause']} cause @param {Searched['bottleneck']} bottleneck */
function whyNothing(cause, bottleneck) {
  if (isBeforeSettings(cause ?? null)) return 'a setting would only hide the cause';
  return bottleneck === 'unknown'
    ? 'the bottleneck is not known'
    : 'no setting affects this bottleneck';
}

/** @param {Change} change @param {Change | null} effective @param {Ink} ink */
function kept(change, effective, ink) {
  const words = showChange(change);
  if (effective === null)
    return part(
      'RESULT',
      `${words} was proven better and kept; tune.settings() there shows whether it is still active`,
      ink,
      'warn',
    );
  const gone = settingsOf(change).filter((setting) => effective[setting] === undefined);
  return gone.length === 0
    ? part('RESULT', `${words} is proven better, and active now`, ink, 'good')
    : part(
        'RESULT',
        `${words} was proven better and kept, but another session has set ${gone.join(', ')} since`,
        ink,
        'warn',
      );
}

/** @param {Searched} data @param {Ink} ink @returns {string[]} */
function candidates({ dimensions, minutes }, ink) {
  const isDown = dimensions.some(({ changes }) =>
    changes.some(({ cacheSizeGB }) => cacheSizeGB !== undefined),
  );
  return [
    ...part('TAKES', `at most ${duration(minutes * 60_000)}`, ink),
    ...part(
      '',
      'Short trials drop half of the candidates. The last one of each kind gets a full trial, and ' +
        'stays only if it is better. A guardrail watches every trial.',
      ink,
    ),
    ...dimensions.flatMap(({ kind, changes }, i) =>
      part(i === 0 ? 'CANDIDATES' : '', `${kind}: ${changes.map(showChange).join(' or ')}`, ink),
    ),
    ...(isDown
      ? marked(
          'warning',
          'Each switch to a smaller cache is done in steps, at most 60 s in all, and may ' +
            'block clients.',
          ink,
        )
      : []),
  ];
}

/** @param {number} ratio @param {number | null} low @param {number | null} high */
const ratioWords = (ratio, low, high) =>
  low === null || high === null ? showRatio(ratio) : measuredWords({ ratio, low, high });

/** @param {Searched} data @param {Ink} ink @returns {string[]} */
function path({ path: steps, ended, endedBecause, metric }, ink) {
  const lines = steps.flatMap(
    ({ kind, change, verdict, because, ratio, low, high, kept, seconds, warnings }, i) => {
      const word =
        kind === 'short' && verdict === 'inconclusive'
          ? 'short trial'
          : `${verdict ?? 'no verdict'}${kept ? ', kept' : ''}`;
      const said =
        ratio === null
          ? `${word}: ${because} ${duration(seconds * 1000)}`
          : `${seriesName(metric)} ${ratioWords(ratio, low, high)}, ${word}, ${duration(seconds * 1000)}`;
      return [
        `  ${`${i + 1}`.padStart(2)}  ${showChange(change)}`,
        ...wrap(said, '      ').map((line) =>
          ink(line, kind === 'short' ? 'faint' : (verdictTone(verdict ?? '') ?? 'faint')),
        ),
        ...warnings.flatMap((text) => marked('warning', text, ink)),
      ];
    },
  );
  return [
    ...(lines.length === 0 ? [] : [headed('TRIALS', ink).trimEnd(), ...lines]),
    ...(ENDED[ended ?? ''] ? part('ENDED', ENDED[ended ?? ''], ink) : []),
    ...(endedBecause === null ? [] : marked('warning', endedBecause, ink)),
  ];
}

module.exports = { renderAuto };
