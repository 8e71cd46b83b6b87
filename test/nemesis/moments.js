'use strict';

/** The commands of shells by which a nemesis tells where a split is, as they pass a proxy. */
const { deletes, drops, renames, writesBy } = require('../support/sent');

/**
 * @param {string} name of the collection
 * @returns {Record<string, (command: any, appName: string | null) => boolean>}
 */
function momentsOf(name) {
  /** @type {Record<string, (command: any) => boolean>} */
  const moments = {
    cut: (command) => renames(command, `app.${name}`) && !renames(command, `app.${name}__aside_`),
    place: (command) => renames(command, `app2.${name}__tune_`),
    reverseCutOver: (command) =>
      renames(command, `app2.${name}`) && !renames(command, `app2.${name}__tune_`),
    putBack: (command) => renames(command, `app.${name}__aside_`),
    dropView: (command) =>
      (drops(command, 'app', name) || drops(command, 'app2', name)) && !renames(command, 'app'),
    dropData: (command) => typeof command.drop === 'string' && command.drop.startsWith(`${name}__`),
    merge: (command) => writesBy(command, '$merge', 'app') || writesBy(command, '$merge', 'app2'),
    copy: (command) => writesBy(command, '$out', 'app') || writesBy(command, '$merge', 'app'),
    delete: (command) =>
      deletes(command, 'app2', `${name}__tune_`) || deletes(command, 'app', `${name}__aside_`),
    save: (command) => command.findAndModify === 'splits' && command.update?.$set !== undefined,
    lease: (command) => command.findAndModify === 'splits' && Array.isArray(command.update),
    create: (command) => typeof command.create === 'string' && command.create.startsWith(name),
    any: () => true,
  };
  return Object.fromEntries(
    Object.entries(moments).map(([moment, fits]) => [
      moment,
      (command, appName) => Boolean(appName?.startsWith('shell')) && fits(command),
    ]),
  );
}

module.exports = { momentsOf };
