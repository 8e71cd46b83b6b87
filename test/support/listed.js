'use strict';

const { defineCommand } = require('../../lib/base/pure/command');

/**
 * @import { Declaration } from '../../lib/base/pure/command'
 * @import { Listed, Table } from '../../lib/shell/registry'
 */

/**
 * A command of a test, as the registry lists it.
 * @param {Declaration['run']} run
 * @param {Partial<Declaration>} [more]
 * @param {Table} [commands] those below it
 * @returns {Listed}
 */
function listed(run, more = {}, commands = {}) {
  const command = defineCommand({
    name: 'x',
    group: 'Look',
    order: 1,
    takes: [],
    usage: 'tune.x()',
    summary: 'X',
    examples: [],
    changes: 'nothing',
    ...more,
    run,
  });
  return { name: command.name, load: () => command, commands };
}

module.exports = { listed };
