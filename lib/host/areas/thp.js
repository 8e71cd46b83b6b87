'use strict';

const { HostFileError, latest, numberIn } = require('../snapshot');
const { ifThere, serverFile, statusIn } = require('../process-files');

/**
 * @import { Area, Gathered } from '../snapshot'
 */

const FOLDER = '/sys/kernel/mm/transparent_hugepage';
const TUNABLES = 'GLIBC_TUNABLES=';
const RSEQ = 'glibc.pthread.rseq=';

/**
 * Transparent huge pages, and what the allocator of MongoDB 8.0 needs of the C library.
 * @type {Area}
 */
const AREA = {
  values(snapshots, subject) {
    const snapshot = latest(snapshots);
    return {
      'thp.enabled': () => chosenIn(snapshot, `${FOLDER}/enabled`),
      'thp.defrag': () => chosenIn(snapshot, `${FOLDER}/defrag`),
      'thp.maxPtesNone': () => numberIn(snapshot, `${FOLDER}/khugepaged/max_ptes_none`),
      // The kernel reports this since Linux 5.0.
      'process.isThpAllowed': async () => {
        const { THP_enabled: word } = await statusIn(snapshot, serverFile(subject, 'status'));
        return word === undefined ? undefined : word.trim() === '1';
      },
      'process.rseqTunable': async () => {
        const tunables =
          (await snapshot.text(serverFile(subject, 'environ')))
            .split('\0')
            .findLast((line) => line.startsWith(TUNABLES)) ?? TUNABLES;
        return (
          tunables
            .slice(TUNABLES.length)
            .split(':')
            .findLast((line) => line.startsWith(RSEQ))
            ?.slice(RSEQ.length) ?? ''
        );
      },
    };
  },
};

/**
 * Finds the chosen word in a file that lists all choices.
 * @param {Gathered} snapshot
 * @param {string} path `always [madvise] never`
 * @returns {Promise<string>} `never` for a kernel without huge pages
 */
async function chosenIn(snapshot, path) {
  const text = await ifThere(snapshot.text(path));
  if (text === null && (await ifThere(snapshot.list('/sys/kernel/mm'))) !== null) return 'never';
  const [, chosen] = /\[([^\]]+)\]/.exec(text ?? '') ?? [];
  if (chosen === undefined)
    throw new HostFileError(
      `${path} ` +
        `${text === null ? 'is not there' : `has no selected value: ${JSON.stringify(text.slice(0, 40))}`}`,
    );
  return chosen;
}

module.exports = AREA;
