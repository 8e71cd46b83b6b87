'use strict';

const assert = require('node:assert/strict');
const { isNamedInSet, isOfSet } = require('../../../lib/cluster/pure/of-set');

const NAMES = Object.freeze(['db1:27017', 'db2:27017', 'db3:27017']);
/** @param {string | null} setId @returns {any} */
const set = (setId) => ({ setId, me: 'db1:27017', members: NAMES });
/** @param {object} group @returns {any} */
const ofGroup = (group) => ({ run: { me: 'db2:27017' }, group: { members: NAMES, ...group } });
/** @param {string} me @returns {any} */
const single = (me) => ({ run: { me } });

describe('cluster/of-set', () => {
  for (const [title, entry, is, expected] of /** @type {[string, any, any, boolean][]} */ ([
    ['the same id', ofGroup({ setId: 'a' }), set('a'), true],
    [
      'the same id, and other names by now',
      ofGroup({ setId: 'a', members: ['x:1'] }),
      set('a'),
      true,
    ],
    ['another set of the same names', ofGroup({ setId: 'b' }), set('a'), false],
    ['an id that may not be read: the names', ofGroup({ setId: 'b' }), set(null), true],
    ['neither id nor names', ofGroup({ members: ['x:1'] }), set(null), false],
    [
      'a change of one server, which another set may have, too',
      single('db2:27017'),
      set('a'),
      false,
    ],
  ]))
    it(`of this set: ${title}`, () => assert.equal(isOfSet(entry, is), expected));

  it('a change of one server has a name in the set, or not', () => {
    assert.equal(isNamedInSet(single('db2:27017'), set('a')), true);
    assert.equal(isNamedInSet(single('x:1'), set('a')), false);
    assert.equal(isNamedInSet(ofGroup({}), set('a')), false);
  });
});
