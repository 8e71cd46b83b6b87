'use strict';

const assert = require('node:assert/strict');
const { areaOfHost, areaOfFiles } = require('../../support/host-areas');

describe('host/areas/clock', () => {
  it('the source in use, and what else there is', async () => {
    assert.deepEqual((await areaOfHost('clock', 'centos7-kernel310')).values, {
      'clock.source': 'hpet',
      'clock.available': ['tsc', 'hpet', 'acpi_pm'],
    });
    assert.deepEqual((await areaOfHost('clock', 'rhel10-s390x')).values, {
      'clock.source': 'tod',
      'clock.available': ['tod'],
    });
  });

  it('an empty file tells nothing, a missing one why', async () => {
    const { values, unknown } = await areaOfFiles('clock', [
      { '/sys/devices/system/clocksource/clocksource0/current_clocksource': '\n' },
    ]);
    assert.deepEqual(values, {});
    assert.equal(unknown['clock.source'], 'not reported');
    assert.match(unknown['clock.available'], /available_clocksource is not in the file/);
  });
});
