'use strict';

/** `github:owner/name`, `owner/name`, or an address with or without `git+` and `.git`. */
const SHORT = /^(?:github:)?([\w.-]+\/[\w.-]+)$/;
const LONG = /^(?:git\+)?(https:\/\/[^#]+?)(?:\.git)?\/?(?:#.*)?$/;

/**
 * Where the project lives. `repository` in package.json is the one place to fill in; a `homepage`
 * is for pages that are served elsewhere.
 * @param {{ homepage?: string, repository?: string | { url?: string } }} manifest
 * @returns {string} '' as long as it is not filled in
 */
function addressOf({ homepage, repository }) {
  if (homepage) return homepage;
  const given = (typeof repository === 'string' ? repository : repository?.url) ?? '';
  const [, name] = SHORT.exec(given) ?? [];
  if (name) return `https://github.com/${name.replace(/\.git$/, '')}`;
  return LONG.exec(given)?.[1] ?? '';
}

module.exports = { addressOf };
