'use strict';

/**
 * @import { Entry } from './entry'
 */

const SPAN = [
  { name: 'from', description: 'a Date, or text such as 2024-05-01T08:00:00Z' },
  { name: 'to', description: 'the same' },
];

/**
 * What keeps what a server told, and judges it later.
 * @type {Readonly<Record<string, Entry>>}
 */
const TABLE = Object.freeze({
  record: {
    load: () => require('../../lib/commands/record').record,
    takes: ['text', 'options'],
    usage: 'tune.record(file, { seconds, every })',
    help: 'Writes what the server tells of itself into a file',
    options: [
      { name: 'seconds', description: 'how long (60)' },
      { name: 'every', description: 'seconds from line to line (1)' },
    ],
    examples: [
      'tune.record("monday.ndjson.gz", { seconds: 60 })',
      'tune record tuesday.ndjson --seconds 60',
    ],
    changes: false,
  },
  replay: {
    load: () => require('../../lib/commands/replay').replay,
    takes: ['text', 'options'],
    usage: 'tune.replay(file, {facts,from,to,compare})',
    help: 'The advice of such a file, or of lines of db.serverStatus()',
    options: [
      {
        name: 'facts',
        description: 'what the file does not tell, such as { memoryMB: 64000, cores: 16 }',
      },
      ...SPAN,
      { name: 'compare', description: 'another recording, to be set beside it' },
    ],
    examples: [
      'tune.replay("monday.ndjson.gz")',
      'tune.replay("tuesday.ndjson", { compare: "monday.ndjson.gz" })',
      'tune replay tuesday.ndjson --facts {cores: 16}',
    ],
    changes: false,
  },
  ftdc: {
    load: () => require('../../lib/commands/ftdc').ftdc,
    takes: ['text', 'options'],
    usage: 'tune.ftdc(path, { from, to })',
    help: 'The advice of a diagnostic.data folder, which mongod writes',
    options: SPAN,
    examples: [
      'tune.ftdc("/var/lib/mongodb/diagnostic.data")',
      'tune ftdc /var/lib/mongodb --from 2024-05-01T08:00:00Z',
    ],
    changes: false,
  },
  report: {
    load: () => require('../../lib/commands/report').report,
    takes: ['text', 'options'],
    usage: 'tune.report(file, { of, seconds, force })',
    help: 'One HTML page of an answer, with charts, to look at and to send',
    more: 'It holds all it needs and asks nothing of any network',
    options: [
      {
        name: 'of',
        description:
          'what tune answered, a list of that, or the path of a recording (an advice from ' +
          'now, with machine and collections)',
      },
      { name: 'seconds', description: 'how long to look for that advice (30)' },
      { name: 'force', flag: true, description: 'write over a file that is there (false)' },
    ],
    examples: [
      'tune.report("now.html", { seconds: 30 })',
      'tune.report("monday.html", { of: tune.replay("monday.ndjson.gz") })',
      'tune report old.html --of /var/lib/mongodb',
    ],
    changes: false,
    commands: {
      compare: {
        load: () => require('../../lib/commands/report-compare').reportCompare,
        takes: ['text', 'text', 'options'],
        usage: 'tune.report.compare(a, b, { file, force })',
        help: 'A page of two answers side by side: before and after',
        more: 'a, b: what tune answered, such as two advices, or paths of recordings',
        options: [
          { name: 'file', description: 'its name (tune-compare-….html, in this folder)' },
          { name: 'force', flag: true, description: 'write over a file that is there (false)' },
        ],
        examples: [
          'tune.report.compare("monday.ndjson.gz", "tuesday.ndjson", { file: "both.html" })',
          'tune report compare monday.ndjson.gz tuesday.ndjson',
        ],
        changes: false,
      },
    },
  },
});

module.exports = TABLE;
