'use strict';

const path = require('node:path');
const { whyNot } = require('./rooms');

/** A room of lib knows those below it, and what is pure knows only what is pure. */
module.exports = {
  meta: { type: 'problem', schema: [] },
  /** @param {any} context */
  create(context) {
    const from = path.relative(context.cwd, context.filename).replaceAll(path.sep, '/');
    return {
      /** @param {any} node */
      "CallExpression[callee.name='require'][arguments.0.type='Literal']"(node) {
        const why = whyNot(from, String(node.arguments[0].value));
        if (why !== null) context.report({ node, message: why });
      },
    };
  },
};
