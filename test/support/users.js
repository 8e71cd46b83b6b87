'use strict';

/**
 * @import { Document } from 'mongodb'
 */

/**
 * Users and roles of a server started with `auth`.
 * @param {{ adminCommand: (command: Document) => Promise<unknown> }} server
 * @param {(user: { name: string, password: string }) => string} uriFor
 * @param {number} [copies] members that store data: on each of them a user can log in as soon as it
 *   is made
 */
function usersOf(server, uriFor, copies = 1) {
  const writeConcern = { w: copies };
  return {
    async addUser(name, roles) {
      const password = `${name}-password`;
      await server.adminCommand({ createUser: name, pwd: password, roles, writeConcern });
      return uriFor({ name, password });
    },
    async addRole(name, privileges, roles = []) {
      await server.adminCommand({ createRole: name, privileges, roles, writeConcern });
    },
  };
}

module.exports = { usersOf };
