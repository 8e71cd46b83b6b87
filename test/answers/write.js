'use strict';
// npm run answers: writes what the public commands answer today into test/answers/answers.json. Read
// the difference in git before it is committed.

const fs = require('node:fs');
const { ANSWERS, answers } = require('./questions');

answers().then((all) => fs.writeFileSync(ANSWERS, `${JSON.stringify(all, null, 1)}\n`));
