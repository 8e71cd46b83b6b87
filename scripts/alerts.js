'use strict';
// npm run alerts -- https://wiki.example/tune > alerts.yml: the alert rules of docs/monitoring, with pages of rules
// that are served there as docs/rules/<rule>.md.

const { loadRules } = require('../lib/rules/registry');
const { alertsFile } = require('./documents/alerts');

/**
 * @param {string[]} args
 * @param {{ write(text: string): void, error(text: string): void }} out
 * @returns {number} exit code
 */
function main(args, out) {
  const [address = '', ...more] = args;
  if (more.length > 0 || !/^https?:\/\/[^\s/]+/.test(address)) {
    out.error('npm run alerts -- ADDRESS: the address where the folder docs is served, https://…');
    return 2;
  }
  out.write(alertsFile(loadRules(), address));
  return 0;
}

if (require.main === module)
  process.exitCode = main(process.argv.slice(2), {
    write: (text) => process.stdout.write(text),
    error: (text) => console.error(text),
  });

module.exports = { main };
