'use strict';
// Loaded into mongosh with --require. Node's own NODE_V8_COVERAGE would write 10 MB about mongosh
// itself at every exit.

const fs = require('node:fs');
const { Session } = require('node:inspector');
const path = require('node:path');
const { pathToFileURL } = require('node:url');

const OURS = ['lib/', 'snippets/'].map(
  (folder) => pathToFileURL(path.join(__dirname, '../..', folder)).href,
);
const folder = process.env.TUNE_COVERAGE_FOLDER;
// To a runbook script it is a variable that it does not know.
delete process.env.TUNE_COVERAGE_FOLDER;

const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
process.on('exit', () =>
  session.post('Profiler.takePreciseCoverage', (error, coverage) => {
    if (error) throw error;
    const result = coverage.result.filter(({ url }) => OURS.some((start) => url.startsWith(start)));
    if (result.length > 0)
      fs.writeFileSync(
        path.join(folder, `coverage-${process.pid}-${Date.now()}-shell.json`),
        JSON.stringify({ result }),
      );
  }),
);
