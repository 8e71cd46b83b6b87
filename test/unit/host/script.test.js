'use strict';

const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { hostScript } = require('../../../lib/host/host-scripts');
const { textsOf } = require('../../../lib/host/pure/script-texts');
const { temporaryFolder } = require('../../support/cleanup');
const { shellsHere, shellcheck } = require('../../support/shells');
const { skipIf } = require('../../support/skip');

/**
 * @import { HostSetting, HostFix } from '../../../lib/base/types'
 */

/**
 * @param {HostSetting['kind']} kind
 * @param {string} target
 * @param {string} to
 * @param {[HostSetting['kind'], string, string] | string} back
 * @returns {HostFix}
 */
const fix = (kind, target, to, back) => ({
  set: { kind, target, to },
  back:
    typeof back === 'string'
      ? { kind, target, to: back }
      : { kind: back[0], target: back[1], to: back[2] },
});
const HOSTILE = '/sys/class/net/a\'b $(touch pwned) `touch pwned`;#"\\/queues/rx-0/rps_flow_cnt';
const SYSCTL_FILE = '/etc/sysctl.d/99-zz-mongosh-tune.conf';
const FEATURES = '/sys/kernel/debug/sched/features';
const THP = '/sys/kernel/mm/transparent_hugepage/enabled';
const FIXES = [
  fix('sysctl', 'vm.dirty_background_bytes', '67108864', [
    'sysctl',
    'vm.dirty_background_ratio',
    '10',
  ]),
  fix('sysctl', 'vm.dirty_bytes', '536870912', ['sysctl', 'vm.dirty_ratio', '20']),
  fix('sys', HOSTILE, '8192', '0'),
  fix('sys', FEATURES, 'NO_WAKEUP_PREEMPTION', 'WAKEUP_PREEMPTION'),
  fix('sys', THP, 'always', 'madvise'),
];
const LIMIT = fix('limit', 'nofile', '64000:64000', '1024:4096');
const ABOUT = Object.freeze({
  host: 'db1\nrm -rf /',
  at: new Date(0),
  pid: 77,
  unit: 'mongod.service',
});
const scriptOf = (/** @type {HostFix[]} */ fixes, about = {}) =>
  hostScript(
    [
      { rule: 'some-rule', message: 'It is so.\n$(touch pwned)', fixes },
      { rule: 'silent', message: 'x', fixes: [] },
    ],
    { ...ABOUT, ...about },
  );

/** A folder that stands for a machine. @param {Record<string, string>} [more] */
function machine(more = {}) {
  const { path: root } = temporaryFolder('host');
  const files = {
    '/proc/sys/vm/dirty_bytes': '0',
    '/proc/sys/vm/dirty_background_bytes': '0',
    '/proc/sys/vm/dirty_ratio': '20',
    '/proc/sys/vm/dirty_background_ratio': '10',
    [HOSTILE]: '0',
    [FEATURES]: 'GENTLE_FAIR_SLEEPERS WAKEUP_PREEMPTION NO_HRTICK',
    [THP]: 'always [madvise] never',
    '/proc/77/comm': 'mongod',
    '/proc/77/limits':
      'Limit                     Soft Limit           Hard Limit           Units     \nMax ' +
      'open files            1024                 4096                 files     \nMax ' +
      'processes             unlimited            unlimited            processes \n',
    ...more,
  };
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    fs.writeFileSync(path.join(root, name), `${text}\n`);
  }
  const read = (/** @type {string} */ name) =>
    fs.readFileSync(path.join(root, name), 'utf8').trim();
  const has = (/** @type {string} */ name) => fs.existsSync(path.join(root, name));
  const run = (
    /** @type {string[]} */ command,
    /** @type {string} */ script,
    /** @type {string[]} */ ...args
  ) => {
    fs.writeFileSync(path.join(root, 'tune-host.sh'), script);
    const { status, stdout, stderr } = spawnSync(
      command[0],
      [...command.slice(1), 'tune-host.sh', ...args],
      { cwd: root, encoding: 'utf8', env: { PATH: process.env.PATH, TUNE_HOST_ROOT: root } },
    );
    return { status, said: stdout + stderr };
  };
  return { root, read, has, run };
}

describe('plan/host-script', () => {
  for (const { name, command } of shellsHere()) {
    it(`${name}: shows, sets, sets no more, keeps, and takes all back`, () => {
      const { read, has, run } = machine();
      const script = scriptOf(FIXES);
      const shown = run(command, script);
      assert.equal(shown.status, 0, shown.said);
      assert.match(shown.said, /vm\.dirty_bytes: is 0, would be 536870912/);
      assert.match(shown.said, /enabled: is always \[madvise\] never, would be always/);
      assert.match(shown.said, /5 to set/);
      assert.equal(read('/proc/sys/vm/dirty_bytes'), '0', 'showing changes nothing');

      const first = run(command, script, '--apply');
      assert.match(first.said, /vm\.dirty_bytes: was 0, is 536870912/);
      assert.deepEqual(
        [read('/proc/sys/vm/dirty_bytes'), read(HOSTILE), read(FEATURES), read(THP)],
        ['536870912', '8192', 'NO_WAKEUP_PREEMPTION', 'always'],
      );
      const again = run(command, script, '--apply');
      assert.equal(again.status, 0);
      assert.equal(again.said.match(/ already$/gm)?.length, 5);

      const kept = run(command, script, '--persist');
      assert.equal(kept.status, 0, kept.said);
      assert.match(
        read(SYSCTL_FILE),
        /^vm\.dirty_background_bytes = 67108864\nvm\.dirty_bytes = 536870912$/m,
      );
      assert.match(
        read('/etc/systemd/system/mongosh-tune-host.service'),
        /^ExecStart=\/bin\/sh \/etc\/mongosh-tune-host\.sh$/m,
      );
      assert.equal(run(command, script, '--persist').status, 0, 'again');
      assert.equal(read(SYSCTL_FILE).match(/vm\.dirty_bytes/g)?.length, 1);

      const back = run(command, script, '--undo');
      assert.equal(back.status, 0, back.said);
      assert.ok(
        back.said.indexOf('vm.dirty_ratio: 20 again') <
          back.said.indexOf('vm.dirty_background_ratio: 10 again'),
        'the last first',
      );
      assert.deepEqual(
        [read(HOSTILE), read(THP), read(FEATURES)],
        ['0', 'madvise', 'WAKEUP_PREEMPTION'],
      );
      for (const file of [
        SYSCTL_FILE,
        '/etc/mongosh-tune-host.conf',
        '/etc/systemd/system/mongosh-tune-host.service',
        '/etc/mongosh-tune-host.sh',
        'pwned',
      ])
        assert.ok(!has(file), file);
    });
    it(`${name}: at the start of the machine, what lies below /sys`, () => {
      const { read, run } = machine();
      run(
        command,
        scriptOf([...FIXES, fix('sys', '/proc/irq/9/smp_affinity_list', '1', '0-3')]),
        '--persist',
      );
      const booted = run(command, read('/etc/mongosh-tune-host.sh'));
      assert.deepEqual(booted, { status: 0, said: '' }, 'interrupts have other numbers then');
      assert.deepEqual(
        [read('/proc/sys/vm/dirty_bytes'), read(HOSTILE), read(FEATURES), read(THP)],
        ['0', '8192', 'NO_WAKEUP_PREEMPTION', 'always'],
      );
    });
    it(`${name}: what a script of another day keeps stays, unless it is the same setting`, () => {
      const { read, has, run } = machine();
      const older = scriptOf([
        fix('sysctl', 'vm.swappiness', '1', '60'),
        fix('sysctl', 'vm.dirty_bytes', '99', '0'),
        fix('sys', THP, 'never', 'madvise'),
        fix('sys', '/sys/a b', '1', '0'),
        fix('limit', 'nproc', 'unlimited', '5'),
      ]);
      const newer = scriptOf([...FIXES, LIMIT]);
      run(command, older, '--persist');
      run(command, newer, '--persist');
      const settings = (/** @type {string} */ file) =>
        read(file)
          .split('\n')
          .filter((line) => line.includes('='));
      assert.deepEqual(settings(SYSCTL_FILE), [
        'vm.swappiness = 1',
        'vm.dirty_background_bytes = 67108864',
        'vm.dirty_bytes = 536870912',
      ]);
      assert.deepEqual(settings('/etc/mongosh-tune-host.conf'), [
        '/sys/a b = 1',
        `${HOSTILE} = 8192`,
        `${FEATURES} = NO_WAKEUP_PREEMPTION`,
        `${THP} = always`,
      ]);
      assert.deepEqual(settings('/etc/systemd/system/mongod.service.d/90-mongosh-tune.conf'), [
        'LimitNPROC=infinity',
        'LimitNOFILE=64000:64000',
      ]);
      run(command, newer, '--undo');
      assert.deepEqual(
        [settings(SYSCTL_FILE), settings('/etc/mongosh-tune-host.conf')],
        [['vm.swappiness = 1'], ['/sys/a b = 1']],
      );
      assert.ok(
        has('/etc/systemd/system/mongosh-tune-host.service'),
        'it still has something to write',
      );
      run(command, older, '--undo');
      for (const file of [
        SYSCTL_FILE,
        '/etc/mongosh-tune-host.conf',
        '/etc/mongosh-tune-host.sh',
        '/etc/systemd/system/mongosh-tune-host.service',
        '/etc/systemd/system/mongod.service.d/90-mongosh-tune.conf',
      ])
        assert.ok(!has(file), file);
    });
  }
  const [{ command }] = shellsHere();

  it('what somebody else has set since stays', () => {
    const { read, run, root } = machine();
    run(command, scriptOf(FIXES), '--apply');
    fs.writeFileSync(path.join(root, '/proc/sys/vm/dirty_bytes'), '99\n');
    assert.match(
      run(command, scriptOf(FIXES), '--undo').said,
      /vm\.dirty_bytes: is 99, not 536870912; left alone/,
    );
    assert.equal(read('/proc/sys/vm/dirty_bytes'), '99');
  });
  it('what is no longer as it was when it was advised is told', () => {
    const { run } = machine({ '/proc/sys/vm/dirty_ratio': '30' });
    assert.match(
      run(command, scriptOf(FIXES), '--apply').said,
      /vm\.dirty_ratio: is no longer 20, as when this was advised; --undo would set 20\n {2}vm\.dirty_bytes: was 0/,
    );
  });
  it('another file that sets the same, or the other of the pair, and a daemon that does, are told', () => {
    const { run } = machine({
      '/etc/sysctl.conf': ' vm.dirty_ratio=40',
      '/etc/sysctl.d/10-some.conf': '-vm.dirty_background_bytes = 1',
      '/etc/sysctl.d/20-none.conf': '# vm.dirty_ratio = 1\nvm.dirty_ratios = 1',
      '/etc/tuned/active_profile': 'throughput-performance',
    });
    const { said } = run(command, scriptOf(FIXES), '--persist');
    assert.match(said, /sysctl\.conf sets vm\.dirty_bytes or vm\.dirty_ratio too/);
    assert.match(
      said,
      /10-some\.conf sets vm\.dirty_background_bytes or vm\.dirty_background_ratio too/,
    );
    assert.doesNotMatch(said, /20-none/);
    assert.match(
      said,
      /tuned is at work here: its profile throughput-performance may set the same/,
    );
  });
  it('what is not there, or does not take the value, is told and ends with 1', () => {
    const { run } = machine();
    const { status, said } = run(
      command,
      scriptOf([fix('sys', '/sys/gone/file', '1', '0'), LIMIT]),
      '--apply',
    );
    assert.equal(status, 1);
    assert.match(said, /\/sys\/gone\/file: not there now, left alone/);
    assert.match(said, /nofile: is 1024:4096, could not be set to 64000:64000/);
  });
  it('limits: a drop-in of the unit; without a unit, who has to set them', () => {
    const { read, has, run } = machine();
    const kept = run(
      command,
      scriptOf([LIMIT, fix('limit', 'nproc', 'unlimited', '5')]),
      '--persist',
    );
    assert.equal(
      read('/etc/systemd/system/mongod.service.d/90-mongosh-tune.conf'),
      '[Service]\nLimitNOFILE=64000:64000\nLimitNPROC=infinity',
    );
    assert.match(kept.said, /next start of mongod/);
    assert.match(
      run(command, scriptOf([fix('limit', 'nproc', 'unlimited', '5')])).said,
      /nproc: unlimited already/,
    );
    run(command, scriptOf([LIMIT]), '--undo');
    assert.equal(
      read('/etc/systemd/system/mongod.service.d/90-mongosh-tune.conf'),
      '[Service]\nLimitNPROC=infinity',
    );
    run(command, scriptOf([LIMIT, fix('limit', 'nproc', 'unlimited', '5')]), '--undo');
    assert.ok(!has('/etc/systemd/system/mongod.service.d/90-mongosh-tune.conf'));
    for (const unit of [null, '../evil.service', 'x y.service']) {
      const { status, said } = run(command, scriptOf([LIMIT], { unit }), '--persist');
      assert.equal(status, 1);
      assert.match(said, /set its limits where it is started: LimitNOFILE=64000:64000/);
    }
  });
  it('a process that is another one by now is left alone', () => {
    const { run } = machine({ '/proc/77/comm': 'nginx' });
    assert.match(run(command, scriptOf([LIMIT])).said, /nofile: not there now/);
    assert.match(run(command, scriptOf([LIMIT], { pid: null })).said, /nofile: not there now/);
  });
  it('nothing to set: it says so', () => {
    const { run } = machine();
    for (const args of [[], ['--apply'], ['--undo']])
      assert.deepEqual(run(command, scriptOf([]), ...args), {
        status: 0,
        said: 'No recommended setting can be set by a script.\n',
      });
  });
  it('another word: how it is called', () =>
    assert.equal(machine().run(command, scriptOf(FIXES), '--bad').status, 2));
  it('without root it says so and changes nothing', function () {
    skipIf(
      this,
      process.getuid?.() === 0 && spawnSync('setpriv', ['--version']).error
        ? 'there is no setpriv to become somebody else'
        : null,
    );
    const { path: folder } = temporaryFolder('script');
    fs.chmodSync(folder, 0o755);
    fs.writeFileSync(path.join(folder, 's.sh'), scriptOf(FIXES));
    const become = process.getuid?.() === 0 ? ['setpriv', '--reuid=65534', '--clear-groups'] : [];
    const [program, ...args] = [...become, ...command, path.join(folder, 's.sh'), '--apply'];
    const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' });
    assert.equal(status, 1);
    assert.match(stderr, /--apply needs root: run this again as root\. Nothing was changed\./);
  });

  it('names and values that no script should carry are left out, and told', () => {
    const bad = [
      fix('sys', '/sys/../etc/passwd', 'x', 'y'),
      fix('sys', '/etc/passwd', 'x', 'y'),
      fix('sys', '/sys/a\nb', 'x', 'y'),
      fix('sys', '/sys/a', 'x\ny', 'y'),
      fix('sys', '/sys/a = b', 'x', 'y'),
      fix('sysctl', 'vm.x; rm', '1', '0'),
      fix('sysctl', 'vm.x', '1\nkernel.y = 1', '0'),
      fix('limit', 'core', '1', '0'),
      fix('limit', 'nofile', '$(x)', '0'),
      fix(/** @type {any} */ ('file'), '/sys/a', '1', '0'),
      fix('sysctl', 'vm.x', '1', '`x`'),
    ];
    const script = scriptOf([...bad, FIXES[0]]);
    assert.equal(
      script.match(/^# Omitted/gm)?.length,
      new Set(bad.map(({ set }) => set.kind + set.target)).size,
    );
    assert.equal(script.match(/^ {2}one /gm)?.length, 2, 'one, forwards and backwards');
    assert.deepEqual(textsOf(bad, { ...ABOUT, rule: 'some-rule' }), {
      apply: null,
      persist: null,
      undo: null,
    });
  });
  it('two rules that want the same set it once; the comments stay comments', () => {
    const script = scriptOf([FIXES[0], FIXES[0]]);
    assert.equal(script.match(/^ {2}one /gm)?.length, 2);
    assert.deepEqual(
      script
        .split('\n')
        .slice(0, 25)
        .filter((line) => /rm -rf|pwned/.test(line) && !line.startsWith('#')),
      [],
    );
    assert.match(scriptOf([{ ...FIXES[0], note: 'until\nthen' }]), /^ {2}# until then\n {2}one /m);
  });
  it('shellcheck has nothing to say', function () {
    const found = shellcheck(scriptOf([...FIXES, LIMIT]));
    skipIf(this, found === null ? 'there is no shellcheck here' : null);
    assert.equal(found, '');
    assert.equal(shellcheck(scriptOf([])), '');
  });
});

describe('host/pure/script-texts', () => {
  const of = { ...ABOUT, rule: 'some-rule' };
  it('sysctl: commands to set, to keep and to take both back, the last first', () =>
    assert.deepEqual(textsOf(FIXES.slice(0, 2), of), {
      apply: 'sysctl -w vm.dirty_background_bytes=67108864\nsysctl -w vm.dirty_bytes=536870912',
      persist:
        `echo 'vm.dirty_background_bytes = 67108864' >> ${SYSCTL_FILE}\necho 'vm.dirty_bytes = ` +
        `536870912' >> ${SYSCTL_FILE}`,
      undo:
        `sysctl -w vm.dirty_ratio=20\nsysctl -w vm.dirty_background_ratio=10\n[ ! -e ` +
        `${SYSCTL_FILE} ] || sed -i '/^vm\\.dirty_background_bytes = /d' ${SYSCTL_FILE}\n[ ! ` +
        `-e ${SYSCTL_FILE} ] || sed -i '/^vm\\.dirty_bytes = /d' ${SYSCTL_FILE}`,
    }));
  it('sys: a unit keeps it', () => {
    const file = '/etc/systemd/system/mongosh-tune-some-rule.service';
    const { apply, persist, undo } = textsOf([FIXES[4], fix('sys', '/sys/a%b', '1', '0')], of);
    assert.equal(apply, `echo always > ${THP}\necho 1 > /sys/a%b`);
    assert.match(
      String(persist),
      new RegExp(
        `^cat > ${file} <<'UNIT'\n[^]*\nBefore=mongod\\.service\n[^]*\nExecStart=/bin/sh -c ` +
          `'echo always > ${THP}'\nExecStart=/bin/sh -c 'echo 1 > ` +
          `/sys/a%%b'\n[^]*\nUNIT\nsystemctl daemon-reload && systemctl enable ` +
          `mongosh-tune-some-rule\\.service$`,
      ),
    );
    assert.equal(
      undo,
      `echo 0 > /sys/a%b\necho madvise > ${THP}\n[ ! -e ${file} ] || { systemctl disable ` +
        `mongosh-tune-some-rule.service; rm ${file}; }`,
    );
    assert.match(
      String(textsOf([FIXES[4]], { ...of, unit: 'mongod@2.service' }).persist),
      /^Before=mongod@2\.service$/m,
    );
    assert.match(
      String(textsOf([FIXES[4]], { ...of, unit: null }).persist),
      /^Before=mongod\.service$/m,
    );
  });
  it('sys: what has another name or number after the next start is not kept', () => {
    for (const target of [HOSTILE, '/proc/irq/9/smp_affinity_list'])
      assert.equal(textsOf([fix('sys', target, '1', '0')], of).persist, null);
  });
  it('a limit: of the process, and in its unit', () => {
    const { apply, persist, undo } = textsOf([LIMIT], of);
    const file = '/etc/systemd/system/mongod.service.d/90-mongosh-tune-nofile.conf';
    assert.equal(apply, 'prlimit --pid 77 --nofile=64000:64000');
    assert.match(
      String(persist),
      new RegExp(
        `^mkdir -p /etc/systemd/system/mongod\\.service\\.d && .*LimitNOFILE=64000:64000 > ` +
          `${file} && systemctl`,
      ),
    );
    assert.equal(
      undo,
      `prlimit --pid 77 --nofile=1024:4096\n[ ! -e ${file} ] || { rm ${file} && systemctl ` +
        'daemon-reload; }',
    );
    assert.deepEqual(textsOf([LIMIT], { ...of, pid: null, unit: null }), {
      apply: null,
      persist: null,
      undo: null,
    });
  });
  it('nothing to set: nothing to script', () =>
    assert.deepEqual(textsOf([], of), { apply: null, persist: null, undo: null }));
});
