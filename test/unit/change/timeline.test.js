'use strict';

const assert = require('node:assert/strict');
const { makeTimeline, MAX_CALL_DELAY_MS } = require('../../../lib/change/pure/timeline');
const { knownOf } = require('../../../lib/change/pure/known-before');
const {
  pendingCall,
  arrivedCall,
  pendingWords,
  overwritingWords,
} = require('../../../lib/change/pure/pending-call');

/**
 * @import { ServerSide } from '../../../lib/change/pure/timeline'
 * @import { Send } from '../../../lib/change/pure/types'
 */

/** @param {number} atMs @param {string} config @param {boolean} [ok] */
const logged = (atMs, config, ok = true) => ({ atMs, config, ok });
/**
 * @param {number} atMs
 * @param {string} config
 * @param {string | null} was
 * @param {Partial<Send>} [more]
 */
const sent = (atMs, config, was, more = {}) => ({
  atMs,
  config,
  was,
  id: 'ours',
  sure: true,
  ...more,
});
/**
 * @param {Partial<ServerSide>} server
 * @param {Send[]} [sends]
 */
const shape = (server, sends = []) => {
  const { events, complete } = makeTimeline(
    { sets: [], logFromMs: 1000, logWhole: false, lastString: '', ...server },
    sends,
  );
  return [
    events
      .map((event) => (event.kind === 'gap' ? '-' : `${event.config}${event.id ? '!' : ''}`))
      .join(' '),
    complete,
  ];
};

describe('change/pure/timeline', () => {
  it('a whole log tells everything; what was refused does not count', () => {
    assert.deepEqual(
      shape({
        logWhole: true,
        sets: [logged(5000, 'a=1'), logged(6000, 'b=2', false)],
        lastString: 'a=1',
      }),
      ['a=1', true],
    );
  });
  it('a call of ours is one line of the log: the same string again is somebody else’s', () => {
    const sets = [logged(5000, 'a=1'), logged(6000, 'a=1'), logged(7000, 'a=1')];
    const of = (/** @type {any[]} */ ...sends) =>
      shape({ logWhole: true, sets, lastString: 'a=1' }, sends)[0];
    assert.equal(of(sent(4999, 'a=1', '')), 'a=1! a=1 a=1');
    assert.equal(of(sent(4999, 'a=1', ''), sent(6999, 'a=1', 'a=1')), 'a=1! a=1 a=1!');
  });
  it('a line of later than the answer is not of that call', () => {
    const of = (/** @type {number} */ atMs) =>
      shape({ logWhole: true, sets: [logged(atMs, 'a=1')], lastString: 'a=1' }, [
        sent(5000, 'a=1', '', { answeredAtMs: 5010 }),
      ])[0];
    assert.deepEqual([5000, 5012, 5013].map(of), ['a=1!', 'a=1!', 'a=1']);
  });
  it('what was in effect and is sent again is still whoever’s it was', () => {
    const sets = [logged(5000, 'a=1'), logged(906_000, 'a=1')];
    const again = sent(905_999, 'a=1', 'a=1', { id: 'refused', again: true });
    const server = { logWhole: true, lastString: 'a=1' };
    assert.deepEqual(shape({ ...server, sets }, [sent(4999, 'a=1', ''), again]), ['a=1!', true]);
    assert.deepEqual(shape({ ...server, sets }, [again]), ['a=1', true]);
    const other = [sets[0], logged(905_000, 'b=2'), sets[1]];
    assert.deepEqual(
      shape({ ...server, sets: other }, [sent(4999, 'a=1', ''), again]),
      ['a=1! b=2 a=1!', true],
      'unless it overwrote something',
    );
  });
  it('a whole log without a set', () => assert.deepEqual(shape({ logWhole: true }), ['', true]));
  it('knows ours among them by string and time', () => {
    assert.deepEqual(
      shape(
        { logWhole: true, sets: [logged(5000, 'a=1'), logged(6000, 'a=1')], lastString: 'a=1' },
        [sent(5999, 'a=1', 'a=1')],
      ),
      ['a=1 a=1!', true],
    );
    assert.deepEqual(
      shape({ logWhole: true, sets: [logged(5000, 'a=1')], lastString: 'a=1' }, [
        sent(5003, 'a=1', ''),
      ]),
      ['a=1', true],
    );
    assert.deepEqual(
      shape({ logWhole: true, sets: [logged(700_001, 'a=1')], lastString: 'a=1' }, [
        sent(100_000, 'a=1', ''),
      ]),
      ['a=1', true],
    );
  });

  it('a log that begins late: nothing was ever set when the last string is empty', () =>
    assert.deepEqual(shape({}), ['', true]));
  it('a log that begins late: a last string that nobody knows of', () =>
    assert.deepEqual(shape({ lastString: 'x=1' }), ['- x=1', false]));
  it('a log that begins late: sets in it tell nothing of before', () =>
    assert.deepEqual(shape({ sets: [logged(5000, 'a=1')], lastString: 'a=1' }), ['- a=1', false]));
  it('unless the first is ours and saw the empty string', () =>
    assert.deepEqual(
      shape({ sets: [logged(5000, 'a=1')], lastString: 'a=1' }, [sent(4999, 'a=1', '')]),
      ['a=1!', true],
    ));
  it('or saw a string of somebody', () =>
    assert.deepEqual(
      shape({ sets: [logged(5000, 'a=1')], lastString: 'a=1' }, [sent(4999, 'a=1', 'z=9')]),
      ['- a=1!', false],
    ));

  it('the journal fills what the log lost, if each saw the one before', () => {
    const sends = [sent(10, 'a=1', ''), sent(20, 'b=2', 'a=1')];
    assert.deepEqual(shape({ lastString: 'b=2' }, sends), ['a=1! b=2!', true]);
    assert.deepEqual(
      shape({ sets: [logged(5000, 'c=3')], lastString: 'c=3' }, [
        ...sends,
        sent(4999, 'c=3', 'b=2'),
      ]),
      ['a=1! b=2! c=3!', true],
    );
  });
  it('a string of somebody between two of ours is a gap', () =>
    assert.deepEqual(shape({ lastString: 'b=2' }, [sent(10, 'a=1', ''), sent(20, 'b=2', 'x=9')]), [
      'a=1! - b=2!',
      false,
    ]));
  it('somebody set something after ours', () =>
    assert.deepEqual(shape({ lastString: 'x=9' }, [sent(10, 'a=1', '')]), ['a=1! - x=9', false]));
  it('what may not have arrived proves nothing', () => {
    assert.deepEqual(shape({ lastString: 'x=9' }, [sent(10, 'a=1', '', { sure: false })]), [
      '- - x=9',
      false,
    ]);
    assert.deepEqual(
      shape({ logFromMs: null, lastString: null }, [sent(10, 'a=1', null, { sure: false })]),
      ['- -', false],
    );
    assert.deepEqual(
      shape({ logWhole: true, sets: [logged(5000, 'a=1')], lastString: 'a=1' }, [
        sent(4999, 'a=1', '', { sure: false }),
      ]),
      ['a=1!', true],
    );
  });

  it('a call that nobody answered, from before the log: the last string tells whether it was taken', () => {
    const open = sent(10, 'a=1', '', { sure: false });
    assert.deepEqual(shape({ lastString: 'a=1' }, [open]), ['a=1!', true]);
    assert.deepEqual(shape({ lastString: '' }, [open]), ['', true]);
    assert.deepEqual(shape({ lastString: 'a=1' }, [{ ...open, was: 'z=9' }]), ['- a=1!', false]);
    assert.deepEqual(shape({ lastString: 'z=9' }, [{ ...open, was: 'z=9' }]), ['- z=9', false]);
    assert.deepEqual(
      shape({ lastString: 'a=1' }, [sent(5, 'a=1', ''), sent(10, 'b=2', 'a=1', { sure: false })]),
      ['a=1!', true],
    );
    assert.deepEqual(
      shape({ lastString: 'b=2' }, [sent(5, 'a=1', ''), sent(10, 'b=2', 'a=1', { sure: false })]),
      ['a=1! b=2!', true],
    );
  });
  it('or what the next of ours saw, be it before the log or in it', () => {
    const open = sent(10, 'a=1', '', { sure: false });
    assert.deepEqual(shape({ lastString: 'b=2' }, [open, sent(20, 'b=2', 'a=1')]), [
      'a=1! b=2!',
      true,
    ]);
    assert.deepEqual(shape({ lastString: 'b=2' }, [open, sent(20, 'b=2', '')]), ['b=2!', true]);
    const late = { sets: [logged(5000, 'b=2')], lastString: 'b=2' };
    assert.deepEqual(shape(late, [open, sent(4999, 'b=2', 'a=1')]), ['a=1! b=2!', true]);
    assert.deepEqual(shape(late, [open, sent(4999, 'b=2', '')]), ['b=2!', true]);
    assert.deepEqual(shape(late, [open]), ['- - b=2', false]);
  });
  it('a last string that we asked for last is ours, whatever the clocks say', () => {
    assert.deepEqual(shape({ lastString: 'a=1' }, [sent(1001, 'a=1', '', { sure: false })]), [
      '- a=1!',
      false,
    ]);
    assert.deepEqual(
      shape(
        { logWhole: true, sets: [logged(5000, 'a=1'), logged(6000, 'b=2')], lastString: 'a=1' },
        [sent(5000, 'a=1', '')],
      ),
      ['a=1! b=2 a=1', true],
    );
  });

  it('without the privileges for log and parameter only the journal is left, with gaps', () => {
    assert.deepEqual(shape({ logFromMs: null, lastString: null }), ['-', false]);
    assert.deepEqual(shape({ logFromMs: null, lastString: null }, [sent(10, 'a=1', '')]), [
      'a=1! -',
      false,
    ]);
    assert.deepEqual(shape({ logFromMs: null, lastString: 'a=1' }, [sent(10, 'a=1', '')]), [
      'a=1!',
      true,
    ]);
  });
  it('the last string has the last word', () =>
    assert.deepEqual(shape({ logWhole: true, sets: [logged(5000, 'a=1')], lastString: 'b=2' }), [
      'a=1 b=2',
      true,
    ]));

  describe('what was known when one of ours was begun', () => {
    const known = [
      { config: 'x=9', id: null },
      { config: 'y=8', id: 'earlier' },
    ];
    it('needs not be found again', () => {
      assert.deepEqual(shape({ lastString: 'a=1' }, [sent(10, 'a=1', 'y=8', { known })]), [
        'x=9 y=8! a=1!',
        true,
      ]);
      assert.deepEqual(
        shape({ sets: [logged(5000, 'a=1')], lastString: 'a=1' }, [
          sent(4999, 'a=1', 'y=8', { known }),
        ]),
        ['x=9 y=8! a=1!', true],
      );
      assert.deepEqual(
        shape({ lastString: 'b=2' }, [
          sent(5, 'z=0', 'q=7'),
          sent(10, 'a=1', 'y=8', { known }),
          sent(20, 'b=2', 'a=1'),
        ]),
        ['x=9 y=8! a=1! b=2!', true],
      );
    });
    it('is counted once, though a part of it is still in the log', () => {
      assert.deepEqual(
        shape({ sets: [logged(4000, 'y=8'), logged(5000, 'a=1')], lastString: 'a=1' }, [
          sent(3999, 'y=8', 'x=9'),
          sent(4999, 'a=1', 'y=8', { known }),
        ]),
        ['x=9 y=8! a=1!', true],
      );
    });
    it('of the last that knew it', () =>
      assert.deepEqual(
        shape({ lastString: 'b=2' }, [
          sent(10, 'a=1', 'y=8', { known }),
          sent(20, 'b=2', 'a=1', { known: [...known, { config: 'a=1', id: 'ours' }] }),
        ]),
        ['x=9 y=8! a=1! b=2!', true],
      ));
    it('does not hide what somebody set meanwhile', () => {
      assert.deepEqual(shape({ lastString: 'a=1' }, [sent(10, 'a=1', 'q=7', { known })]), [
        'x=9 y=8! - a=1!',
        false,
      ]);
      assert.deepEqual(shape({ lastString: 'q=7' }, [sent(10, 'a=1', 'y=8', { known })]), [
        'x=9 y=8! a=1! - q=7',
        false,
      ]);
      assert.deepEqual(
        shape({ sets: [logged(5000, 'a=1')], lastString: 'a=1' }, [
          sent(4999, 'a=1', 'q=7', { known }),
        ]),
        ['x=9 y=8! - a=1!', false],
      );
    });
    it('was nothing', () =>
      assert.deepEqual(shape({ lastString: 'a=1' }, [sent(10, 'a=1', '', { known: [] })]), [
        'a=1!',
        true,
      ]));
    it('is read from where its reading began, and what others set since is in the log', () => {
      const sends = (/** @type {object} */ more) => [
        sent(4999, 'a=1', 'y=8', { known, knownAtMs: 3000, ...more }),
      ];
      const sets = [logged(2000, 'y=8'), logged(4000, 'q=7'), logged(5000, 'a=1')];
      const unanswered = { sure: false, isGuessed: true };
      assert.deepEqual(shape({ sets, lastString: 'a=1' }, sends(unanswered)), [
        'x=9 y=8! q=7 a=1!',
        true,
      ]);
      assert.deepEqual(shape({ sets: [], logFromMs: 6000, lastString: 'a=1' }, sends(unanswered)), [
        'x=9 y=8! - a=1!',
        false,
      ]);
    });
    describe("is read from its last line in the log, where the server's clock was set back since", () => {
      const sets = [logged(9000, 'a=1'), logged(5000, 'b=2'), logged(5100, 'a=1 ')];
      const server = { sets, logFromMs: 8000, lastString: 'a=1 ' };
      const [a, b] = [
        { config: 'a=1', id: 'a' },
        { config: 'b=2', id: 'b' },
      ];
      const call = (
        /** @type {[number, string, string]} */ [atMs, config, was],
        /** @type {object} */ more,
      ) => sent(atMs, config, was, { answeredAtMs: atMs + 1, knownAtMs: atMs - 9, ...more });
      const undoAt = (/** @type {object} */ more) => [
        call([9000, 'a=1', ''], { id: 'a', known: [] }),
        call([5000, 'b=2', 'a=1'], {
          id: 'b',
          known: [a],
          knownLine: { atMs: 9000, config: 'a=1' },
        }),
        call([5100, 'a=1 ', 'b=2'], {
          id: 'undo',
          known: [a, b],
          knownLine: { atMs: 5000, config: 'b=2' },
          ...more,
        }),
      ];
      it('each call once, in its order', () => {
        const [first, second, undo] = undoAt({});
        assert.deepEqual(shape(server, [first, second, undo]), ['a=1! b=2! a=1 !', true]);
        const then = { ...server, sets: sets.slice(0, 2), lastString: 'b=2' };
        assert.deepEqual(shape(then, [first, second]), ['a=1! b=2!', true]);
      });
      it('with what others set since', () => {
        const others = [...sets.slice(0, 2), logged(5050, 'q=7'), sets[2], logged(5200, 'r=8')];
        assert.deepEqual(
          shape({ ...server, sets: others, lastString: 'r=8' }, undoAt({ was: 'q=7' })),
          ['a=1! b=2! q=7 a=1 ! r=8', true],
        );
      });
      it('a string that no line has is a gap', () =>
        assert.deepEqual(shape({ ...server, lastString: 'q=7' }, undoAt({ was: 'r=8' })), [
          'a=1! b=2! - a=1 ! q=7',
          false,
        ]));
      it('a call that nobody answered, and the log does not have, did not arrive', () =>
        assert.deepEqual(
          shape(
            { ...server, sets: sets.slice(0, 2), lastString: 'b=2' },
            undoAt({ sure: false, answeredAtMs: undefined }),
          ),
          ['a=1! b=2!', true],
        ));
      it('by its time where the log has lost that line', () =>
        assert.deepEqual(shape({ ...server, sets: sets.slice(2), logFromMs: 5090 }, undoAt({})), [
          'a=1! b=2! a=1 !',
          true,
        ]));
    });
    it('a call that the log has is not one from before it, whatever its time says', () => {
      const sets = [logged(9000, 'a=1'), logged(5000, 'b=2')];
      const server = { sets, logFromMs: 8000, lastString: 'b=2' };
      const sends = (/** @type {object} */ more) => [
        sent(9000, 'a=1', 'x=9', { answeredAtMs: 9001 }),
        sent(5000, 'b=2', 'a=1', more),
      ];
      assert.deepEqual(shape(server, sends({ answeredAtMs: 5001 })), ['- a=1! b=2!', false]);
      assert.equal(shape(server, sends({ answeredAtMs: 4000 }))[1], false, 'another line');
    });
    it('is each string of a change where that set it last, and of others between two changes', () => {
      const keeps = (/** @type {string} */ all, /** @type {string} */ kept) => {
        const events = all.split(' ').map((text) => {
          const [config, id = null] = text.split('!');
          return { kind: /** @type {const} */ ('set'), config, id, atMs: 1 };
        });
        const known = (knownOf(events) ?? []).map(({ config, id }) =>
          id === null ? config : `${config}!${id}`,
        );
        assert.equal(known.join(' '), kept);
      };
      keeps('a=1 b=2!p b=2!o a=1!o', 'a=1 b=2!p b=2!o a=1!o');
      keeps('x=1 y=2 x=1 a=1!p', 'y=2 x=1 a=1!p');
      keeps('x=1 a=1!p x=1 a=1!p x=1', 'x=1 x=1 a=1!p x=1');
      keeps('x=1 a=1!p y=2 x=1 a=1!o', 'x=1 a=1!p y=2 x=1 a=1!o');
      keeps('a=1!p b=2!p a=1!p', 'b=2!p a=1!p');
    });
    it('has a bound, however many changes there were', () => {
      const events = Array.from({ length: 1000 }, (_, i) => ({
        kind: /** @type {const} */ ('set'),
        config: `a=${i % 3}`,
        id: `change-${i}`,
        atMs: i,
      }));
      const known = knownOf(events) ?? [];
      assert.equal(known.length, 100);
      assert.equal(known[0].id, 'change-900');
      const early = { kind: /** @type {const} */ ('set'), config: 'b=1', id: null, atMs: 0 };
      assert.deepEqual(knownOf([early, early, ...events])?.slice(0, 1), [
        { config: 'b=1', id: null },
      ]);
      assert.equal(knownOf([early, early, ...events])?.length, 101);
    });
    it('is nothing where there is a gap', () => {
      assert.equal(
        knownOf([{ kind: 'gap' }, { kind: 'set', config: 'a=1', id: null, atMs: 1 }]),
        null,
      );
    });
  });
});

const asking = Object.freeze({ kind: 'asking', id: 'a', atMs: 1000, command: 'x=1' });
/** @param {object} [more] @returns {any} */
const entry = (more = {}) => ({
  id: 'a',
  outcome: 'unknown',
  open: [asking],
  sent: [],
  before: { evictionTarget: 80 },
  ...more,
});
/** @param {number | null} atMs @param {object} [more] @returns {any} */
const seen = (atMs, more = {}) => ({ kind: 'set', config: 'x=1', id: 'a', atMs, ...more });

describe('change/pure/timeline: pending calls', () => {
  for (const [
    name,
    one,
    timeline,
    nowMs,
    pending,
  ] of /** @type {[string, any, any[], number, boolean][]} */ ([
    ['not answered, not seen', entry(), [{ kind: 'gap' }], 2000, true],
    ['answered', entry({ open: [] }), [], 2000, false],
    [
      'refused: what was before was sent again',
      entry({ resent: [{ atMs: 1000 }] }),
      [],
      2000,
      false,
    ],
    ['sent again for an earlier one', entry({ resent: [{ atMs: 999 }] }), [], 2000, true],
    [
      'the way back',
      entry({ open: [{ ...asking, command: 'eviction_target=80' }] }),
      [],
      2000,
      false,
    ],
    ['its change was closed', entry({ outcome: 'refused' }), [], 2000, false],
    ['seen', entry(), [seen(1500)], 2000, false],
    ['seen in the very millisecond', entry(), [seen(999)], 2000, false],
    ['seen earlier: another call of the same change', entry(), [seen(900)], 2000, true],
    ['seen, by others', entry(), [seen(1500, { id: null })], 2000, true],
    ['another string', entry(), [seen(1500, { config: 'y=1' })], 2000, true],
    ['seen, nobody knows when', entry(), [seen(null)], 2000, false],
    [
      'seen, nobody knows when, of a change that had sent the same before',
      entry({ sent: [{ command: 'x=1' }] }),
      [seen(null)],
      2000,
      true,
    ],
    ['just before the longest wait', entry(), [], 999 + MAX_CALL_DELAY_MS, true],
    ['after the longest wait', entry(), [], 1000 + MAX_CALL_DELAY_MS, false],
  ]))
    it(`${name}: ${pending ? 'may still arrive' : 'will not'}`, () =>
      assert.equal(pendingCall(one, timeline, nowMs), pending ? 'x=1' : null));

  it('says for how long', () =>
    assert.match(pendingWords('x=1'), /^The call "x=1" was not answered.*for up to 10 minutes/));
  it('says of which change it would overwrite another', () =>
    assert.match(
      overwritingWords('a', 'x=1'),
      /^The call "x=1" of the change a was not answered and may still arrive for up to 10 minutes\. It would/,
    ));
  it('a call that arrived is what the journal lacks of its entry', () => {
    const before = { kind: 'set', config: 'y=1', id: null, atMs: 1 };
    const of = (/** @type {any} */ one, /** @type {any[]} */ ...timeline) =>
      arrivedCall(one, timeline)?.was;
    assert.deepEqual(arrivedCall(entry(), [before, seen(1500)]), {
      kind: 'sent',
      id: 'a',
      atMs: 1000,
      command: 'x=1',
      was: 'y=1',
    });
    assert.equal(of(entry(), seen(1500)), '');
    assert.equal(of(entry(), { kind: 'gap' }, seen(1500)), null);
    assert.equal(of(entry(), before), undefined);
    assert.equal(of(entry({ open: [] }), seen(1500)), undefined);
    const twice = entry({ sent: [{ command: 'x=1' }] });
    assert.equal(of(twice, seen(900)), undefined);
    assert.equal(of(twice, seen(900), before, seen(1500)), 'y=1');
  });
});
