'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { fieldPath, absent } = require('../support/field');
const { skipIf } = require('../support/skip');
const { defectsOf } = require('../../lib/defects/pure/defects');
const { valuesOfBuild, valuesOfHost, valuesOfStatus } = require('../../lib/defects/pure/evidence');
const { readSample } = require('../../lib/server/pure/sample');
const { makeWindow } = require('../../lib/server/pure/window');
const { metricsOf } = require('../../lib/server/pure/metrics');
const { NO_FACTS } = require('../../lib/server/pure/facts');

const VERSION = /__(\d+\.\d+\.\d+)/;
/** All of them accept zlib, and no other mark is there; 6.0.27 and 8.2.3 have the fix of that. */
const FIXED = new Set(['6.0.27', '8.2.3']);
const TOO_OLD = '4.2.6';
const ZLIB = 'SERVER-115508';
/** In a container; the other servers of 8.x have caches of some size, or none. */
const WITHOUT_SIZE = '8.2.3';

const folder = fieldPath('field', 'serverstatus');
const captures = folder === null ? [] : fs.readdirSync(folder).filter((name) => VERSION.test(name));

describe('known defects, on real servers', () => {
  it('recordings are at hand', function () {
    skipIf(this, absent(folder));
  });
  for (const name of captures.filter((one) => !one.includes('__eft'))) {
    const version = String(VERSION.exec(name)?.[1]);
    it(`${name.slice(0, 40)}: the one that shows, where the release has it`, () => {
      const doc = JSON.parse(fs.readFileSync(path.join(String(folder), name), 'utf8'));
      const { serverStatus, buildInfo, hostInfo } = doc;
      const { found } = defectsOf({
        version,
        values: {
          ...metricsOf(makeWindow([readSample(serverStatus)]), NO_FACTS),
          ...valuesOfStatus(serverStatus),
          ...valuesOfBuild(buildInfo),
          ...valuesOfHost(hostInfo),
        },
        logSignatures: {},
      });
      const isClean = FIXED.has(version) || version === TOO_OLD;
      assert.deepEqual(
        found.map(({ ticket }) => ticket),
        [...(isClean ? [] : [ZLIB]), ...(version === WITHOUT_SIZE ? ['SERVER-109273'] : [])],
      );
    });
  }
});
