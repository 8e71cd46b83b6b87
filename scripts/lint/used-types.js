'use strict';

/** The names of an import of types, and where they are from. */
const IMPORT = /@import \{([^}]*)\} from '[^']+'/g;

/**
 * A type that is imported and not used: the compiler does not report it, and fails later, when its file
 * no longer exports it.
 */
module.exports = {
  meta: { type: 'problem', schema: [] },
  /** @param {any} context */
  create(context) {
    const { text } = context.sourceCode;
    return {
      Program() {
        for (const { value, loc } of context.sourceCode.getAllComments())
          for (const name of unusedIn(value, text))
            context.report({ loc, message: `The type ${name} is imported and not used.` });
      },
    };
  },
};

/** @param {string} comment @param {string} text of the whole file @returns {string[]} */
const unusedIn = (comment, text) =>
  [...comment.matchAll(IMPORT)].flatMap(([whole, list]) => {
    const rest = text.replace(whole, '');
    return namesIn(list).filter((name) => !new RegExp(`\\b${name}\\b`).test(rest));
  });

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
