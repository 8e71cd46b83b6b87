'use strict';

const { listGroups } = require('../../lib/shell/registry');

/**
 * @import { Table } from '../../lib/shell/registry'
 */

const MADE =
  '<!-- Made by `npm run docs` from lib/commands and scripts/documents/reference-card.js; edit those. -->';

/** What people want to do, and what they type; a test tries each name. */
const TASKS = Object.freeze(
  /** @type {[string, string][]} */ ([
    ['See how the server is', 'tune.status()'],
    ['Watch it live', 'tune.watch()'],
    ['Find the bottleneck, and the change that helps', 'tune.advise()'],
    ['See the evidence and all findings of that answer', 'tune.last.all()'],
    ['Find the bottleneck of last night', 'tune.ftdc("/var/lib/mongodb")'],
    ['Find out what happened at 3 a.m.', 'tune.incident({ at: "2026-05-01T03:10:00Z" })'],
    ['Dry run of a change', 'tune.apply({ cacheSizeGB: 4 })'],
    ['A/B-test a change under live load', 'tune.trial({ cacheSizeGB: 4 }, { confirm: true })'],
    ['Apply a change', 'tune.apply({ cacheSizeGB: 4 }, { confirm: true })'],
    ['Undo the last change', 'tune.undo({ confirm: true })'],
    ['Make it permanent', 'tune.mongodConf()'],
    ['See what is set, and by whom', 'tune.settings()'],
    ['Check the machine', 'tune.host()'],
    ['Check every member of a replica set or cluster', 'tune.members()'],
    ['Check many servers', 'tune.fleet("servers.txt")'],
    ['Run a health check, for a monitor', 'tune.check()'],
    ['Send an answer to a colleague', 'tune.report("now.html")'],
    ['Understand a finding or an error', 'tune.explain("TUNE-20005")'],
  ]),
);

const GAP = 2;

/** @param {Table} table @returns {string} the page, in markdown */
function referenceCard(table) {
  return `${[
    '# Reference card',
    MADE,
    'All commands on one page. `tune.advise.help()` explains one. `tune advise --seconds 10` is short for\n' +
      '`tune.advise({ seconds: 10 })`. Nothing changes a server without `{ confirm: true }`.',
    '## By task',
    columns(TASKS),
    ...listGroups(table).flatMap(({ title, commands }) => [
      `## ${title}`,
      columns(
        commands.map((one) => {
          const { usage, summary } = one.load();
          return [usage, summary];
        }),
      ),
    ]),
    'Each command has a page: [commands](commands/README.md). Errors: [by code](errors.md).',
  ].join('\n\n')}\n`;
}

/** @param {readonly (readonly [string, string])[]} rows */
function columns(rows) {
  const width = Math.max(...rows.map(([left]) => left.length)) + GAP;
  return ['```text', ...rows.map(([left, right]) => left.padEnd(width) + right), '```'].join('\n');
}

module.exports = { referenceCard, TASKS };
