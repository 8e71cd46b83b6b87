'use strict';

/**
 * Keeps the comment with which the commands of a confirmed call were sent, for pages made of its
 * answer. It is not in the answer's data, since it belongs to the call, not to the server.
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
