'use strict';

// mongosh reads these from the index of snippets, so they speak up also where tune is not
// installed.
module.exports = [
  { matches: [/\btune is not defined\b/], message: 'Try running `snippet install tune`' },
  {
    matches: [/WiredTiger reconfiguration failed with error code \(22\)/],
    message:
      'tune.lint("…") says what is wrong with a configuration string; get it by `snippet ' +
      'install tune`',
  },
];
