'use strict';

const os = require('node:os');

/** A path as a shell would take it: in mongosh nobody else replaces the ~. @param {string} name @returns {string} */
const expandHome = (name) => name.replace(/^~(?=$|[\\/])/, () => process.env.HOME || os.homedir());

module.exports = { expandHome };
