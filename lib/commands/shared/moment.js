'use strict';

const { toMs } = require('../../model/sample');

/** A moment as an option. @returns {import('../../options').Option} */
const moment = () => ({
  allowed: 'a Date, or a text such as "2026-03-01T12:00:00Z"',
  schema: (v) => v.custom((value) => typeof value !== 'number' && toMs(value) !== undefined),
});

module.exports = { moment, toMs };
