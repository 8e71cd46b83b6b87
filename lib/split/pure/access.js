'use strict';

/**
 * @import { CustomRole, RoleName } from './shape'
 * @import { Surroundings } from './types'
 */

/**
 * Who may do something with a collection by its name, and would lose it.
 */

/**
 * Built-in roles that end at their own database; those of admin that reach all databases reach the
 * new one, too.
 */
const BUILT_IN = Object.freeze(['read', 'readWrite', 'dbAdmin', 'dbOwner', 'userAdmin']);

/**
 * @param {Pick<Surroundings, 'users' | 'roles'>} who
 * @param {{ database: string, name: string }} collection
 * @returns {{ roles: string[], users: string[] } | null} `roles`: custom ones that name it; null:
 *   neither is known
 */
function accessTo({ users, roles }, { database, name }) {
  if (users === null && roles === null) return null;
  const all = roles ?? [];
  const naming = all.filter(({ privileges }) =>
    privileges.some(
      ({ resource }) =>
        resource.db === database && (resource.collection === name || resource.collection === ''),
    ),
  );
  /** @type {(held: RoleName[], seen?: Set<string>) => boolean} */
  const reaches = (held, seen = new Set()) =>
    held.some((one) => isOf(one, database) || inherits(one, seen));
  /** @type {(one: RoleName, seen: Set<string>) => boolean} */
  const inherits = (one, seen) => {
    const key = `${one.db}.${one.role}`;
    if (seen.has(key)) return false;
    seen.add(key);
    const custom = all.find((role) => role.db === one.db && role.role === one.role);
    return custom !== undefined && (naming.includes(custom) || reaches(custom.roles, seen));
  };
  return {
    roles: naming.map(({ role, db }) => `${db}.${role}`),
    users: (users ?? []).filter((user) => reaches(user.roles)).map((user) => user.name),
  };
}

/** @param {RoleName} role @param {string} database */
const isOf = ({ role, db }, database) => db === database && BUILT_IN.includes(role);

module.exports = { accessTo };
