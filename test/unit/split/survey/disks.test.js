'use strict';

const assert = require('node:assert/strict');
const { collectDisks } = require('../../../../lib/split/survey/disks');

const member = (/** @type {string} */ name, /** @type {string} */ stateStr, more = {}) => ({
  name,
  stateStr,
  health: 1,
  ...more,
});
const disk = (/** @type {number} */ free) => ({ fsTotalSize: 100, fsUsedSize: 100 - free });

/** @param {{ members: any[] | null, disks: Record<string, any> }} set null: a standalone server */
function on({ members, disks }) {
  const closed = /** @type {string[]} */ ([]);
  const portOf = (/** @type {string} */ host) => ({
    command: async () => {
      if (disks[host] instanceof Error) throw disks[host];
      return disks[host];
    },
  });
  const port = {
    ...portOf('a'),
    adminCommand: async (/** @type {any} */ { hello }) =>
      hello ? { setName: members && 'rs', me: 'a' } : { members },
  };
  const connect = async (/** @type {string} */ host) => {
    if (!disks[host]) throw new Error('no way');
    return {
      port: portOf(host),
      close: async () => {
        closed.push(host);
      },
    };
  };
  return { closed, seen: () => collectDisks(/** @type {any} */ ({ port, connect }), 'app') };
}

describe('split/survey/disks', () => {
  it('the fullest disk of all that store the data, and those that do not report', async () => {
    const { seen, closed } = on({
      members: [
        member('a', 'PRIMARY', { self: true }),
        member('b', 'SECONDARY'),
        member('c', 'SECONDARY'),
        member('d', 'RECOVERING'),
        member('e', 'ARBITER'),
      ],
      disks: { a: disk(50), b: disk(20), d: new Error('not authorized') },
    });
    assert.deepEqual(await seen(), { freeBytes: 20, freeOn: 'b', unseenDisks: ['c', 'd'] });
    assert.deepEqual(closed.sort(), ['b', 'd']);
  });
  it('a standalone server has its own; one that does not report is not known', async () => {
    assert.deepEqual(await on({ members: null, disks: { a: disk(7) } }).seen(), {
      freeBytes: 7,
      freeOn: null,
      unseenDisks: [],
    });
    assert.deepEqual(await on({ members: null, disks: { a: {} } }).seen(), {
      freeBytes: null,
      freeOn: null,
      unseenDisks: [],
    });
  });
});
