'use strict';

const path = require('node:path');
const { whyNot, whyNotTypes } = require('./rooms');

/** `@import { A } from './a'` and `import('./a').A`. */
const TYPES_FROM = /(?:@import \{[^}]*\} from |\bimport\()'([^']+)'/g;

/** A room of lib knows those below it, and what is pure knows only what is pure. */
module.exports = {
  meta: { type: 'problem', schema: [] },
  /** @param {any} context */
  create(context) {
    const from = path.relative(context.cwd, context.filename).replaceAll(path.sep, '/');
    return {
      Program() {
        for (const { value, loc } of context.sourceCode.getAllComments())
          for (const [, spec] of value.matchAll(TYPES_FROM)) {
            const why = whyNotTypes(from, spec);
            if (why !== null) context.report({ loc, message: why });
          }
      },
      /** @param {any} node */
      "CallExpression[callee.name='require'][arguments.0.type='Literal']"(node) {
        const why = whyNot(from, String(node.arguments[0].value));
        if (why !== null) context.report({ node, message: why });
      },
    };
  },
};
