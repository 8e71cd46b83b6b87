'use strict';

/**
 * @import { Entry } from './entry'
 */

/**
 * What serves those who have many servers, or a monitoring.
 * @type {Readonly<Record<string, Entry>>}
 */
const TABLE = Object.freeze({
  metrics: {
    load: () => require('../../lib/commands/metrics').metrics,
    takes: ['options'],
    usage: 'tune.metrics({ seconds, file, name, host })',
    help: 'Status, findings and bottleneck in the text of Prometheus',
    more:
      'For the textfile collector of node_exporter: docs/monitoring.md, with dashboard and ' +
      'alerts. Where the server cannot be asked, the file says that and has no old figures',
    options: [
      { name: 'seconds', description: 'how long to look (10)' },
      {
        name: 'file',
        description:
          'write it there, whole or not at all, over what was there; the name must end in .prom',
      },
      {
        name: 'name',
        description: 'of the server, a label of every series (what it calls itself)',
      },
      {
        name: 'host',
        flag: true,
        description: "look at the machine too, where it is the server's (true)",
      },
    ],
    examples: [
      'tune.metrics({ seconds: 10 })',
      'tune.metrics({ seconds: 10, file: "mongosh_tune.prom" }).series',
      'tune metrics --seconds 10 --file mongosh_tune.prom',
    ],
    changes: false,
  },
  fleet: {
    load: () => require('../../lib/commands/fleet').fleet,
    takes: ['text', 'options'],
    usage: 'tune.fleet(list, { seconds, json, … })',
    help: 'Looks at hundreds of servers, and shows the worst first',
    more:
      'list: a file with a connection string a line, or YAML or JSON with names and tags, or a ' +
      'list of them; ${PASSWORD} comes from the environment. What cannot be reached is a row, ' +
      'no error; Ctrl-C answers with what was seen',
    options: [
      { name: 'seconds', description: 'how long to look at each (5)' },
      { name: 'concurrency', description: 'servers at once (64)' },
      { name: 'timeoutSeconds', description: 'what each may take beyond that (10)' },
      { name: 'limit', description: 'rows that are shown (40); .rows has all' },
      {
        name: 'json',
        flag: true,
        description: 'each server as one JSON object a line, as soon as it is known (false)',
      },
    ],
    examples: [
      'tune.fleet("servers.txt", { seconds: 5 })',
      'const fleet = tune.fleet("servers.txt", { seconds: 5, concurrency: 20 })',
      'tune fleet servers.txt --seconds 5 --json',
    ],
    changes: false,
    endsByInterrupt: true,
  },
});

module.exports = TABLE;
