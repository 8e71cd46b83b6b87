'use strict';

/**
 * @import { ChartName } from './charts'
 */

/**
 * The pages of the live screen. Charts are drawn in groups, in this order; a chart that is earlier
 * in `first` stays longer where the screen is short.
 * @typedef {{
 *   name: string, charts: readonly (readonly ChartName[])[], first: readonly ChartName[],
 *   gauges: boolean
 * }} Area
 */

/** @type {readonly Area[]} */
const AREAS = Object.freeze(
  /** @type {Area[]} */ ([
    {
      name: 'overview',
      gauges: true,
      charts: [
        ['readIn', 'written', 'checkpoint'],
        ['workers', 'appPages'],
        ['reading', 'evicting', 'waiting', 'tickets'],
        ['reads', 'readTakes', 'writes', 'writeTakes'],
      ],
      first: [
        'waiting',
        'evicting',
        'readIn',
        'appPages',
        'writeTakes',
        'checkpoint',
        'readTakes',
        'reading',
        'tickets',
        'workers',
        'writes',
        'reads',
        'written',
      ],
    },
    {
      name: 'cache',
      gauges: true,
      charts: [
        ['fill', 'dirty', 'updates'],
        ['readIn', 'written', 'miss'],
      ],
      first: ['fill', 'dirty', 'readIn', 'updates', 'written', 'miss'],
    },
    {
      name: 'eviction',
      gauges: false,
      charts: [
        ['workers', 'appPages'],
        ['evicting', 'waiting'],
        ['dirty', 'threads'],
      ],
      first: ['workers', 'appPages', 'evicting', 'waiting', 'dirty', 'threads'],
    },
    {
      name: 'checkpoint',
      gauges: false,
      charts: [
        ['checkpoint', 'dirtyBytes', 'written'],
        ['writeTakes', 'writes'],
      ],
      first: ['checkpoint', 'dirtyBytes', 'written', 'writeTakes', 'writes'],
    },
    {
      name: 'clients',
      gauges: false,
      charts: [
        ['busy', 'queued'],
        ['readTickets', 'writeTickets'],
        ['reading', 'evicting', 'waiting'],
      ],
      first: ['busy', 'queued', 'readTickets', 'writeTickets', 'waiting', 'reading', 'evicting'],
    },
    {
      name: 'operations',
      gauges: false,
      charts: [['reads', 'writes'], ['readTakes', 'writeTakes'], ['queued']],
      first: ['reads', 'writes', 'readTakes', 'writeTakes', 'queued'],
    },
  ]),
);

module.exports = { AREAS };
