'use strict';

const { defineCommand } = require('../base/pure/command');
const { TuneError } = require('../base/pure/errors');
const { show } = require('../base/pure/options');
const { interrupted } = require('../base/context');
const { findFiles } = require('../recording/ftdc/files');
const { Recording } = require('../recording/ftdc/recording');
const { factsOf } = require('../recording/ftdc/facts');
const { RecordingScan } = require('../series/recording-scan');
const {
  continuityNotes,
  accountNotes,
  settingsNotes,
} = require('../recording/pure/recorded-notes');
const { recordedAdvice } = require('../recording/recorded-advice');
const { SPAN_OPTIONS, spanOf } = require('../recording/pure/moment');
const { expandHome } = require('../base/named-files');

/**
 * @import { Server } from '../recording/ftdc/recording'
 * @import { Sample } from '../server/pure/sample'
 * @import { Context } from '../base/types'
 */

module.exports = defineCommand({
  name: 'ftdc',
  group: 'Record and report',
  order: 3,
  takes: ['text', 'options'],
  usage: 'tune.ftdc(path, { from, to })',
  summary: 'Diagnoses a diagnostic.data folder',
  details:
    'path: the dbPath, its folder diagnostic.data, or one of the files in it. It finds the worst ' +
    'minute by itself',
  options: { ...SPAN_OPTIONS },
  examples: [
    'tune.ftdc("/var/lib/mongodb")',
    'tune ftdc /var/lib/mongodb --from 2024-05-01T08:00:00Z',
  ],
  changes: 'nothing',
  run: ftdc,
});

/**
 * The advice of a server's own diagnostic data, which mongod writes all the time.
 * @param {Context} ctx
 * @param {string | string[]} place a file of diagnostic.data, the folder, or the dbPath that
 *   contains it; or several of them, in any order
 * @param {{ from?: Date | string, to?: Date | string }} options
 * @returns {Promise<ReturnType<typeof recordedAdvice>>} with `worst`: the window judged, and
 *   `timeline()`: series for plotting
 * @throws {TuneError} TUNE-1xxxx for wrong options, TUNE-4xxxx where there is no recording
 */
async function ftdc(ctx, place, options) {
  const places = [place].flat();
  if (places.length === 0 || places.some((place) => typeof place !== 'string' || place === ''))
    throw new TuneError(
      'TUNE-10004',
      `tune.ftdc: give the path of diagnostic.data, not ${show(place)}.`,
      { value: place, allowed: 'the path of diagnostic.data' },
    );
  const span = spanOf('tune.ftdc', options);
  const files = await findFiles(places.map(expandHome));
  const recording = new Recording(files, span);
  /** @type {RecordingScan<Server>} */
  const scan = new RecordingScan();
  /** @type {string | null} */
  let host = null;
  try {
    for await (const { block, server } of recording.pieces()) {
      if (ctx.signal.aborted) throw interrupted();
      if (host !== null && server.identity.host !== host) scan.gaps.change();
      host = server.identity.host;
      scan.add(block, server);
      ctx.progress(
        `tune.ftdc: ${scan.gaps.samples} samples; at ${new Date(block.atMs[0]).toISOString()}`,
      );
    }
  } finally {
    ctx.progress(null);
  }
  return recordedAdvice({
    scan,
    files,
    about: {
      source: 'ftdc',
      factsOf: (server, sample) => factsOf(server ?? recording.server, sample ?? NO_SAMPLE),
      covers: recording.account,
      notesOn: (facts) => [
        ...accountNotes(recording.account),
        ...continuityNotes(scan.gaps.breaks),
        ...(scan.span === null ? [] : settingsNotes(facts.config)),
      ],
    },
  });
}

/** @type {Sample} */
const NO_SAMPLE = Object.freeze({ atMs: NaN, uptimeMs: null, counters: {} });
