'use strict';

const { checkOptions } = require('../options');
const { report } = require('../render/report');

/** The way of a split, in the order a person goes it. */
const STEPS = Object.freeze([
  Object.freeze({ call: 'tune.split.plan({ from: "shop" })', what: 'whether it is worth it, what goes where, what is in the way; it changes nothing' }),
  Object.freeze({ call: 'tune.split.script(plan)', what: 'the same as commands for mongosh, to do it by hand' }),
  Object.freeze({ call: 'tune.split.run(plan, { confirm: true })', what: 'copies, builds the indexes, and brings over what is written meanwhile; applications go on' }),
  Object.freeze({ call: 'tune.split.verify(id)', what: 'compares every document on both sides' }),
  Object.freeze({ call: 'tune.split.cutover(id, { confirm: true })', what: 'from one moment on the new name has the data, and the old one refuses' }),
  Object.freeze({ call: 'tune.split.finish(id, { confirm: true })', what: 'drops the old data; until then tune.split.rollback(id) takes it back' }),
  Object.freeze({ call: 'tune.split.status()', what: 'how far it is; tune.split.resume(id) goes on from any shell, tune.split.abort(id) gives up before the switch' }),
]);

/**
 * How a split is done.
 * @param {import('../context').Context} _ctx
 * @param {{}} [options]
 * @returns {{ steps: typeof STEPS } & import('../render/report').Report}
 * @throws {import('../errors').TuneError} TUNE-1xxxx for wrong options
 */
function split(_ctx, options) {
  checkOptions('tune.split', {}, options);
  const { wrap } = require('../render/wrap');
  return report({ steps: STEPS }, (ink) => STEPS.flatMap(({ call, what }, i) => [`${i + 1}. ${ink(call, 'accent')}`, ...wrap(what, '   ')]).join('\n'));
}

module.exports = { split };
