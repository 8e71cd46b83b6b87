'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { mergeHost } = require('../../model/host');
const { sleep } = require('../../context');
const { collectPart } = require('./part');
const { makeLook } = require('./look');

const FOLDER = path.join(__dirname, 'areas');
const MS_PER_SECOND = 1000;

/** @typedef {import('./part').Area} Area @typedef {import('./part').Subject} Subject @typedef {import('./look').Look} Look */

/** The folder is the registry. @returns {Area[]} */
const loadAreas = () => fs.readdirSync(FOLDER).filter((name) => name.endsWith('.js')).sort().map((name) => require(path.join(FOLDER, name)));

/**
 * Looks once a second; Ctrl-C keeps what was seen.
 * @param {import('./look').Files} files @param {Subject} subject
 * @param {{ seconds: number, signal: AbortSignal, onLook?: (looks: number) => void }} options
 * @returns {Promise<Look[]>}
 */
async function takeLooks(files, subject, { seconds, signal, onLook = () => {} }) {
  const areas = loadAreas();
  const started = performance.now();
  /** @type {Look[]} */
  const looks = [];
  for (let due = 0; due <= seconds; due++) {
    try {
      await sleep(Math.max(0, started + due * MS_PER_SECOND - performance.now()), signal);
    } catch (interrupted) {
      if (looks.length === 0) throw interrupted;
      return looks;
    }
    const look = makeLook(files, Date.now());
    await Promise.allSettled(areas.map((area) => area.snap?.(look, subject)));
    looks.push(look);
    onLook(looks.length);
  }
  return looks;
}

/**
 * @param {readonly Look[]} looks in the order of time @param {Subject} subject
 * @returns {Promise<import('../../model/host').HostPart>}
 */
async function readAreas(looks, subject) {
  return mergeHost(...await Promise.all(loadAreas().map((area) => collectPart(area.values(looks, subject)))));
}

module.exports = { takeLooks, readAreas };
