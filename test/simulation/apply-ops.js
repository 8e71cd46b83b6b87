'use strict';

const { copy, refusal } = require('./values');
const {
  parts: { dropThing, modify },
} = require('./commands-catalog');

/**
 * What 6.0.5 does with it: one operation after another under the whole lock, each logged alone,
 * until one fails; what was done before stays done. What ends the step between two of them (its
 * time, a step-down) leaves the first ones done, too.
 * @param {any} server
 * @param {any} op
 */
function applyOps(server, op) {
  const operations = op.command.applyOps.map(inner).flat();
  const max = server.nature.endsAfter(op, operations.length);
  for (const [i, one] of operations.entries()) {
    if (i === max) throw refusal(11600, 'interrupted at shutdown');
    apply(server, one);
    if (server.died) return { ok: 1 };
  }
  return { ok: 1, applied: operations.length, results: operations.map(() => true) };
}

/** @param {any} one */
const inner = (one) => (one.op === 'c' && one.o.applyOps ? one.o.applyOps : [one]);

/** @param {any} server @param {any} one */
function apply(server, { op, ns, ui, o, o2 }) {
  if (op === 'i') return put(server, ns, o);
  if (op === 'u') return put(server, ns, { ...o2, ...o });
  if (op === 'd') return remove(server, { ns, ui, id: o._id });
  if (op === 'n') return undefined;
  const db = ns.slice(0, ns.indexOf('.'));
  const [name] = Object.keys(o);
  if (!KINDS[name]) throw refusal(59, `no such command in applyOps: ${name}`);
  return KINDS[name](server, { db, ui, o });
}

/** @param {any} server @param {string} ns @param {any} doc */
function put(server, ns, doc) {
  const there = server.state.find(ns);
  if (!there) throw refusal(26, `Failed to apply insert due to missing collection: ${ns}`);
  if (there.kind === 'view') throw refusal(166, `cannot write to a view: ${ns}`);
  server.state.put(there, doc._id, copy(doc));
}

/** @param {any} server @param {{ ns: string, ui: any, id: any }} what */
function remove(server, { ns, ui, id }) {
  const there = ui ? server.state.byUuid(String(ui)) : server.state.find(ns);
  if (!there || there.kind === 'view') {
    if (ui || there)
      throw refusal(there ? 166 : 26, `Failed to apply operation due to missing collection: ${ns}`);
    throw refusal(26, `Failed to apply operation due to missing collection: ${ns}`);
  }
  if (there.docs.has(id)) server.state.put(there, id, null);
}

/** @type {Record<string, (server: any, what: { db: string, ui: any, o: any }) => any>} */
const KINDS = {
  renameCollection(server, { ui, o: { renameCollection: from, to, dropTarget } }) {
    // Where nobody has the UUID, it is the name that counts after all.
    const source = (ui && server.state.byUuid(String(ui))) ?? server.state.find(from);
    if (!source || source.kind === 'view') return;
    if (isBuilt(server, source, `renameCollection to ${to}`)) return;
    if (source.ns === to) return;
    const there = server.state.find(to);
    if (there?.kind === 'view') return;
    if (there && dropTarget) dropThing(server, there);
    else if (there)
      server.state.rename(
        there,
        `${to.slice(0, to.indexOf('.'))}.tmp${server.state.newest}.rename`,
      );
    server.state.rename(source, to);
  },
  drop(server, { db, ui, o }) {
    const there = ui ? server.state.byUuid(String(ui)) : server.state.find(`${db}.${o.drop}`);
    if (there && !isBuilt(server, there, 'drop')) dropThing(server, there);
  },
  create(server, { db, o: { create: name, ...options } }) {
    if (!server.state.find(`${db}.${name}`)) server.state.create(`${db}.${name}`, copy(options));
  },
  collMod(server, { db, ui, o }) {
    const there = ui ? server.state.byUuid(String(ui)) : server.state.find(`${db}.${o.collMod}`);
    if (there && !isBuilt(server, there, 'collMod')) modify(server, there, o);
  },
};

/**
 * Of a collection whose indexes are being built: the server tries to give its lock up, which is not
 * allowed here, and ends. Seen on 6.0.5 with renameCollection, with drop, and with collMod, also
 * with one that would be refused otherwise.
 * @param {any} server
 * @param {any} thing
 * @param {string} what
 */
function isBuilt(server, thing, what) {
  if (thing.building.length > 0)
    server.die(`${what} of ${thing.ns} within applyOps while an index was built`);
  return server.died !== null;
}

module.exports = { applyOps };
