'use strict';

/** `@import { A, B as C } from './types'`. */
const IMPORT = /@import \{([^}]*)\} from '[^']+'/g;

/**
 * A type that is imported and not used: the compiler does not report it, and fails later, when its file
 * no longer exports it.
 */
module.exports = {
  meta: { type: 'problem', schema: [] },
  /** @param {any} context */
  create(context) {
    const { sourceCode } = context;
    return {
      Program() {
        for (const { value, loc } of sourceCode.getAllComments())
          for (const [whole, list] of value.matchAll(IMPORT)) {
            const rest = sourceCode.text.replace(whole, '');
            for (const name of namesIn(list))
              if (!new RegExp(`\\b${name}\\b`).test(rest))
                context.report({ loc, message: `The type ${name} is imported and not used.` });
          }
      },
    };
  },
};

/** As they are called here. @param {string} list @returns {string[]} */
const namesIn = (list) =>
  list
    .split(',')
    .map(
      (one) =>
        one
          .replaceAll('*', '')
          .trim()
          .split(/\s+as\s+/)
          .pop() ?? '',
    )
    .filter((name) => /^\w+$/.test(name));
