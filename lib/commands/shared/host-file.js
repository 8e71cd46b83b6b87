'use strict';

const fs = require('node:fs/promises');
const { TuneError } = require('../../errors');
const { recordedLooks } = require('../../collect/host/recorded-files');
const { readAreas } = require('../../collect/host/areas');
const { mergeHost } = require('../../model/host');
const { versionNumber } = require('../../model/version');
const { expandHome } = require('./expand-home');

const FORMAT = 'mongosh-tune host';

/** @param {string} name of a file that the script of tune.host.collect() wrote @param {string | null} networkInterface @returns {Promise<import('./host-look').Seen>} */
async function readHostFile(name, networkInterface) {
  const document = await parse(name);
  const { pid, dbPath, port, host = null, serverVersion = '', cacheBytes = null } = document;
  const looks = recordedLooks(document);
  const part = await readAreas(looks, { pid, dbPath, port, interface: networkInterface });
  const at = new Date(looks[looks.length - 1].atMs);
  /** @type {Partial<import('../../model/host').HostValues>} */
  const server = { ...(serverVersion === '' ? {} : { 'server.versionNumber': versionNumber(serverVersion) }), ...(cacheBytes === null ? {} : { 'server.cacheBytes': cacheBytes }) };
  return {
    at, host, version: serverVersion || null, part: mergeHost(part, { values: server, unknown: {} }),
    place: { kind: 'file', say: `From ${name}: ${looks.length} ${looks.length === 1 ? 'look' : 'looks'} at ${host ?? 'a machine'}, mongod is process ${pid}, until ${at.toISOString()}.`, pid },
    notes: looks.length > 1 ? [] : ['There is one look only: what takes two is not known.'],
  };
}

/** @param {string} name @returns {Promise<import('../../collect/host/recorded-files').HostDocument>} */
async function parse(name) {
  const text = await fs.readFile(expandHome(name), 'utf8').catch((cause) => {
    throw new TuneError('TUNE-40002', `tune.host: ${name} cannot be read (${cause.code}).`, { value: name, cause });
  });
  const not = (/** @type {string} */ why) => new TuneError('TUNE-40006', `tune.host: ${name} is not what the collecting script writes: ${why}.`, { value: name, allowed: FORMAT });
  let document;
  try {
    document = JSON.parse(text);
  } catch (_cut) {
    throw not(text.trim() === '' ? 'it is empty' : 'it is no whole JSON document');
  }
  if (document?.format !== FORMAT || document.version !== 1) throw not(`it lacks "format": "${FORMAT}", "version": 1`);
  if (!isWhole(document)) throw not('its looks, links or commands are not as they should be');
  return document;
}

/** @param {any} document */
const isWhole = ({ looks, links, commands, pid }) => Array.isArray(looks) && looks.length > 0 && looks.every(({ atMs, files } = {}) => Number.isFinite(atMs) && isTexts(files))
  && isTexts(links) && isTexts(commands) && Number.isInteger(pid);

/** @param {unknown} map */
const isTexts = (map) => map !== null && typeof map === 'object' && Object.values(map).every((value) => typeof value === 'string');

module.exports = { readHostFile };
