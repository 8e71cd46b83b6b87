'use strict';

/** Since 8.0 a sharded server groups what it collects by its roles; what several of them tell counts from the first of these. */
const ROLES = Object.freeze(['shard', 'common', 'config', 'router']);

module.exports = { ROLES };
