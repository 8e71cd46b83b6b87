'use strict';
// npm run answers: writes what the public commands answer today into test/answers/answers.json. Read
// the difference in git before it is committed.

const fs = require('node:fs');
const { ANSWERS, answers } = require('./questions');

answers().then((all) => {
  const before = JSON.parse(fs.readFileSync(ANSWERS, 'utf8'));
  const changed = Object.keys(all).filter(
    (name) => JSON.stringify(all[name]) !== JSON.stringify(before[name]),
  );
  fs.writeFileSync(ANSWERS, `${JSON.stringify(all, null, 1)}\n`);
  process.stdout.write(
    `test/answers/answers.json: ${changed.length} of ${Object.keys(all).length} answers changed` +
      `${changed.length > 0 ? `; read git diff test/answers: ${changed.join(', ')}` : ''}\n`,
  );
});
