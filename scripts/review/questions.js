'use strict';

/**
 * What is asked before a tool may run on a production server, each with the answer and the command that
 * proves it. Commands run in a checkout with its development tools (`npm ci`).
 * @typedef {{
 *   ask: string, answer: string, command: string, prints: RegExp | null
 * }} Question `prints`: all of what the command writes to stdout, without the blanks at its ends; null: the
 *   command ends with 0
 */

const TESTED = null;
const NOTHING = /^$/;

/** @param {string} file */
const mocha = (file) => `npx mocha ${file}`;

/** @type {readonly Question[]} */
const QUESTIONS = Object.freeze([
  {
    ask: 'Does anything run when it is installed?',
    answer: 'No. The package has no install scripts, and neither has what it depends on.',
    command:
      "node -p \"['.', './node_modules/yaml'].flatMap((one) => Object.keys(require(one + '/package.json')" +
      '.scripts ?? {})).filter((name) => /^(pre|post)?(install|prepare)$/.test(name)).join()"',
    prints: NOTHING,
  },
  {
    ask: 'What comes with it?',
    answer:
      'One package, `yaml`, and the file of a library for charts (vendor/uplot, MIT). The driver is optional: ' +
      'benchmarks need it. Why each: docs/dev/dependencies.md.',
    command:
      'node -p "Object.keys(require(\'./package.json\').dependencies).join()" && ls vendor && ' +
      'node -p "Object.keys(require(\'./package.json\').peerDependencies).join()"',
    prints: /^yaml\nuplot\nmongodb$/,
  },
  {
    ask: 'How large is it, and is there native code or WebAssembly?',
    answer: 'Under 6 MB with its dependency; plain JavaScript; no native code, no WebAssembly.',
    command: mocha('test/unit/scripts/dependencies.test.js'),
    prints: TESTED,
  },
  {
    ask: 'Does it open connections of its own?',
    answer:
      'No file of it uses the network. It sends commands over the connection of the shell, or over connections that ' +
      'mongosh or the driver makes to the members of the same set and to the servers of your list.',
    command:
      `grep -rnE "fetch\\(|WebSocket|require\\(['\\"](node:)?(net|tls|https?|http2|dgram|dns|undici)['\\"]\\)" ` +
      'index.js lib --include=*.js || true',
    prints: NOTHING,
  },
  {
    ask: 'Does it load or make code while it runs?',
    answer:
      'No code from anywhere but its own files, and no eval. The bundle for machines without npm compiles modules ' +
      'that it holds (vm.compileFunction), each when it is required.',
    command:
      `grep -rnE "\\beval\\(|new Function\\(|require\\(['\\"](node:)?vm['\\"]\\)" lib --include=*.js || true; ` +
      'grep -n "compileFunction(" scripts/bundle/runtime.js | wc -l',
    prints: /^1$/,
  },
  {
    ask: 'Which programs does it start?',
    answer:
      'Itself, for the load of a benchmark (bench/load/workers.js) and to finish a cutover if the shell dies ' +
      '(split/guardian.js); programs that read facts of the machine (host/root-files.js: a fixed list, no shell); ' +
      '`sh` and `stty`, which restore the terminal after the live screen (shell/terminal.js).',
    command: 'grep -rlE "child_process" lib --include=*.js | sort',
    prints:
      /^lib\/bench\/load\/workers\.js\nlib\/host\/root-files\.js\nlib\/shell\/terminal\.js\nlib\/split\/guardian\.js$/,
  },
  {
    ask: 'What can it send to a server?',
    answer:
      'The commands of docs/server-commands.md and no others: the port refuses them. The page is made ' +
      'from the code.',
    command: `${mocha('test/unit/policy/policy.test.js')} && node scripts/docs.js --check`,
    prints: TESTED,
  },
  {
    ask: 'Can a reading command change a server?',
    answer: 'No. Without `{ confirm: true }` a connection refuses everything that writes.',
    command: mocha('test/server/policy.test.js'),
    prints: TESTED,
  },
  {
    ask: 'Can we forbid changes?',
    answer: 'Yes: `MONGOSH_TUNE_READ_ONLY=1`, or a policy file by command, host, hour and ticket.',
    command:
      'MONGOSH_TUNE_READ_ONLY=1 node -e "require(\'.\')(null).policy().then(({ readOnly }) => console.log(readOnly))"',
    prints: /^true$/,
  },
  {
    ask: 'Can a user switch that off from within the process?',
    answer:
      'No: the variable holds from the start of the process, and files can only narrow each other.',
    command:
      'MONGOSH_TUNE_READ_ONLY=1 node -e "delete process.env.MONGOSH_TUNE_READ_ONLY; ' +
      "require('.')(null).policy().then(({ readOnly }) => console.log(readOnly))\"",
    prints: /^true$/,
  },
  {
    ask: 'Which privileges does it need?',
    answer:
      'For reading the role `clusterMonitor`, or the smaller `tuneRead` of docs/privileges.md, with which ' +
      'nothing can be changed.',
    command: mocha('test/server/smallest-role.test.js'),
    prints: TESTED,
  },
  {
    ask: 'Does it keep or print passwords?',
    answer: 'No: they are taken out of every message, and are in no journal, recording or report.',
    command: `${mocha('test/unit/secrets.test.js')} && ${mocha('test/shell/secrets.test.js')}`,
    prints: TESTED,
  },
  {
    ask: 'Which files does it write?',
    answer:
      'The journal of changes (change/journal.js), and files that you name: recordings, pages and texts ' +
      '(recording/recording-file.js, base/named-files.js).',
    command: `grep -rlE "openSync\\([^)]*'[aw]|writeFileSync\\(|appendFile|createWriteStream" lib --include=*.js | sort`,
    prints:
      /^lib\/base\/named-files\.js\nlib\/change\/journal\.js\nlib\/recording\/recording-file\.js$/,
  },
  {
    ask: 'Is there telemetry, or a search for updates?',
    answer:
      'No. It needs no network but the connection to your server; a test runs it in a network namespace ' +
      'without any.',
    command: `${mocha('test/shell/two-files.test.js')} -f "need no network"`,
    prints: TESTED,
  },
  {
    ask: 'What if a server has hostile names?',
    answer:
      'Control characters are written out on the screen; pages escape them; scripts and YAML stay what they are.',
    command: mocha('test/unit/hostile-names.test.js'),
    prints: TESTED,
  },
  {
    ask: 'Does a report load anything?',
    answer: 'No: its Content-Security-Policy allows nothing but what is in the file.',
    command:
      "node -e \"require('.')(null).demo('report', { output: 'tmp/review.html', force: true })\" && " +
      'grep -c "default-src &#39;none&#39;" tmp/review.html',
    prints: /^1$/,
  },
  {
    ask: 'Can a change be undone when the shell is gone?',
    answer: 'Yes, from another shell, by the journal; a restart of mongod drops it, too.',
    command: mocha('test/server/undo.test.js'),
    prints: TESTED,
  },
  {
    ask: 'Is the file for machines without npm the same program?',
    answer:
      'Yes: it is made from the same files, not minified, and made twice it is the same to the byte.',
    command:
      'node scripts/bundle/bundle.js tmp/review/a >&2 && node scripts/bundle/bundle.js tmp/review/b >&2 && ' +
      'cmp tmp/review/a/tune-bundle.cjs tmp/review/b/tune-bundle.cjs && echo same',
    prints: /^same$/,
  },
  {
    ask: 'What proves where a release comes from?',
    answer:
      'A release has SHA-256 digests and a CycloneDX SBOM, and is published with npm provenance or not at all.',
    command: mocha('test/unit/scripts/release/release.test.js'),
    prints: TESTED,
  },
  {
    ask: 'Where is a vulnerability reported, and which versions get fixes?',
    answer: 'SECURITY.md says both, and what tune is trusted with.',
    command:
      'grep -cE "^## (Report a vulnerability|Supported versions|What tune is trusted with)" SECURITY.md',
    prints: /^3$/,
  },
]);

module.exports = { QUESTIONS };
