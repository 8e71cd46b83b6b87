'use strict';

// A process of its own, so that its memory is that of a fleet and nothing else: says what it took,
// as JSON.
const fs = require('node:fs');
const tune = require('..');
const { resources } = require('./kit');

const [file, home] = process.argv.slice(2);

tune(null, { home })
  .fleet(JSON.parse(fs.readFileSync(file, 'utf8')))
  .then(
    ({ seconds, rows, states, statuses }) => {
      console.log(JSON.stringify({ seconds, rows: rows.length, states, statuses, ...resources() }));
    },
    (error) => {
      console.error(error.message);
      process.exitCode = 1;
    },
  );
