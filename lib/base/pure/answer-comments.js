'use strict';

/**
 * With which comment the commands of a confirmed call were sent, for pages that are made of its
 * answer. Not among its data: it is of the call, not of the server.
 * @type {WeakMap<object, string>}
 */
const COMMENTS = new WeakMap();

/** @param {unknown} answer @param {string | null} comment null: of a call that may not write */
function keepComment(answer, comment) {
  if (comment !== null && answer instanceof Object) COMMENTS.set(answer, comment);
}

/** @param {unknown} answer @returns {string | null} */
const commentOf = (answer) => (answer instanceof Object ? COMMENTS.get(answer) : undefined) ?? null;

module.exports = { keepComment, commentOf };
