'use strict';

// IBM's machine types, of which /proc/cpuinfo has only the number.
const IBM_Z = Object.freeze(
  /** @type {Record<string, string>} */ ({
    2964: 'z13',
    2965: 'z13s',
    3906: 'z14',
    3907: 'z14 ZR1',
    8561: 'z15',
    8562: 'z15 T02',
    3931: 'z16',
    3932: 'z16 A02',
    9175: 'z17',
  }),
);
// Implementer and part of processors that servers have (Linux, arch/arm64/include/asm/cputype.h).
const ARM = Object.freeze(
  /** @type {Record<string, string>} */ ({
    '0x41 0xd08': 'Cortex-A72',
    '0x41 0xd0c': 'Neoverse-N1',
    '0x41 0xd40': 'Neoverse-V1',
    '0x41 0xd49': 'Neoverse-N2',
    '0x41 0xd4f': 'Neoverse-V2',
    '0xc0 0xac3': 'Ampere-1',
    '0xc0 0xac4': 'Ampere-1A',
  }),
);

/** @param {string} cpuinfo of x86, ARM, s390x or POWER @returns {string | undefined} */
function processorModel(cpuinfo) {
  const value = (/** @type {string} */ name) =>
    new RegExp(`^${name}\\s*:[ \\t]*(\\S.*?)\\s*$`, 'm').exec(cpuinfo)?.[1];
  const model = value('model name');
  if (model !== undefined) return model;
  if (isIbmZ(cpuinfo)) {
    const [, machine = '?'] = /machine = (\w+)/.exec(cpuinfo) ?? [];
    return `IBM ${IBM_Z[machine] ?? 'Z'} (machine ${machine})`;
  }
  const [implementer, part] = [value('CPU implementer'), value('CPU part')];
  if (implementer !== undefined && part !== undefined)
    return ARM[`${implementer} ${part}`] ?? `ARM (implementer ${implementer}, part ${part})`;
  return value('cpu');
}

/**
 * The one big-endian architecture that mongod runs on.
 * @param {string} cpuinfo
 * @returns {boolean}
 */
const isIbmZ = (cpuinfo) => /^vendor_id\s*:\s*IBM\/S390/m.test(cpuinfo);

module.exports = { processorModel, isIbmZ };
