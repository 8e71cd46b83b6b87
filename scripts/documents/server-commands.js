'use strict';

const { READING, WRITING } = require('../../lib/policy/pure/server-commands');

/** docs/server-commands.md: every command that tune sends to a server. */
function serverCommandsPage() {
  return [
    '# Every command that tune sends to a server',
    '',
    'The port in `lib/shell/port.js` is the only way from a command of tune to a server. It refuses every',
    'command that is not in these two lists (`TUNE-90001`), so the lists are complete. They are made from the',
    'code. The driver of mongosh sends `hello`, `ping`, the login and the end of a session or transaction by',
    'itself.',
    '',
    '## Reading',
    '',
    'Sent by all commands of tune, with or without `{ confirm: true }`.',
    '',
    '| command | what for |',
    '|---|---|',
    ...Object.entries(READING).map(([name, note]) => `| \`${name}\` | ${note} |`),
    '',
    '## Writing',
    '',
    'Sent only by a command of tune that was called with `{ confirm: true }`, where no [policy](policy.md)',
    "forbids it. Of the server's parameters, `wiredTigerEngineRuntimeConfig` alone is set.",
    '',
    '| command | what it changes | sent by |',
    '|---|---|---|',
    ...Object.entries(WRITING).map(
      ([name, { effect, note }]) => `| \`${name}\` | ${effect} | ${note} |`,
    ),
    '',
    'The processes that make the load of a benchmark send `insert`, `update`, `find`, `aggregate` and `delete`',
    'to the database of the benchmark, over connections of their own.',
    '',
  ].join('\n');
}

module.exports = { serverCommandsPage };
