'use strict';

/**
 * Users and roles of a server started with `auth`.
 * @param {{ adminCommand: (command: import('mongodb').Document) => Promise<unknown> }} server
 * @param {(user: { name: string, password: string }) => string} uriFor
 */
function usersOf(server, uriFor) {
  return {
    async addUser(name, roles) {
      const password = `${name}-password`;
      await server.adminCommand({ createUser: name, pwd: password, roles });
      return uriFor({ name, password });
    },
    async addRole(name, privileges, roles = []) {
      await server.adminCommand({ createRole: name, privileges, roles });
    },
  };
}

module.exports = { usersOf };
