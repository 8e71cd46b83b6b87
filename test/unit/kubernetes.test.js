'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { parseDocument } = require('yaml');
const { optionsFrom } = require('../../lib/base/environment');
const { scriptOf, SCRIPTS } = require('../../lib/shell/runbook');
const { COMMON } = require('../../lib/shell/script');

const ROOT = path.join(__dirname, '../..');
const FOLDER = path.join(ROOT, 'docs/kubernetes');
const PACKAGE = '/opt/tune/node_modules/mongosh-tune/';
const KINDS = /** @type {Record<string, string>} */ ({ CronJob: 'batch/v1', Pod: 'v1' });
const CRON = /^(?:\*(?:\/\d+)?|\d+)(?: (?:\*(?:\/\d+)?|\d+)){4}$/;
const QUANTITY = /^\d+(?:m|Mi|Gi)?$/;
const NAME = /^[a-z0-9](?:[-a-z0-9]{0,50}[a-z0-9])?$/;

const FILES = fs.readdirSync(FOLDER).filter((file) => file.endsWith('.yaml'));

/** @param {string} file */
function read(file) {
  const document = parseDocument(fs.readFileSync(path.join(FOLDER, file), 'utf8'));
  assert.deepEqual([document.errors, document.warnings], [[], []]);
  return document.toJS();
}

/** @param {any} object */
const podOf = ({ kind, spec }) => (kind === 'CronJob' ? spec.jobTemplate.spec.template.spec : spec);

describe('the examples for Kubernetes', () => {
  it('are those that docs/containers.md links', () => {
    const page = fs.readFileSync(path.join(ROOT, 'docs/containers.md'), 'utf8');
    assert.ok(FILES.length >= 3);
    for (const file of FILES) assert.ok(page.includes(`(kubernetes/${file})`), file);
  });

  for (const file of FILES)
    describe(file, () => {
      const object = read(file);
      const pod = podOf(object);
      const tune = pod.containers.find((/** @type {any} */ { name }) => name === 'tune');

      it('has the fields of its kind', () => {
        assert.equal(object.apiVersion, KINDS[object.kind]);
        assert.match(object.metadata.name, NAME);
        if (object.kind !== 'CronJob') return;
        assert.match(object.spec.schedule, CRON);
        assert.equal(object.spec.concurrencyPolicy, 'Forbid');
        assert.equal(object.spec.jobTemplate.spec.backoffLimit, 0);
        assert.ok(object.spec.jobTemplate.spec.activeDeadlineSeconds > 60);
        assert.equal(pod.restartPolicy, 'Never');
      });

      it('mounts what there is, names images with a tag, and limits memory', () => {
        const volumes = pod.volumes.map((/** @type {any} */ { name }) => name);
        for (const { image, resources, volumeMounts } of pod.containers) {
          assert.match(image, /:[\w.-]+$/);
          assert.doesNotMatch(image, /:latest$/);
          assert.match(resources.limits.memory, QUANTITY);
          for (const { name, mountPath } of volumeMounts) {
            assert.ok(volumes.includes(name), name);
            assert.match(mountPath, /^\//);
          }
        }
        const mounted = pod.containers.flatMap((/** @type {any} */ one) =>
          one.volumeMounts.map((/** @type {any} */ { name }) => name),
        );
        for (const name of volumes) assert.ok(mounted.includes(name), name);
      });

      it('has no more rights than it needs, and cannot change the server', () => {
        assert.equal(pod.securityContext.runAsNonRoot, true);
        assert.ok(pod.securityContext.runAsUser > 0);
        assert.equal(pod.automountServiceAccountToken, false);
        assert.deepEqual(tune.securityContext, {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
        const env = envOf(tune);
        assert.equal(env.MONGOSH_TUNE_READ_ONLY, '1');
        assert.ok(!('TUNE_URI' in env), 'a connection string comes from a secret');
      });

      it('runs a script of the package with variables that it has, writing where it may', () => {
        const line = tune.command.join(' ');
        const [, script] = /** @type {RegExpExecArray} */ (
          new RegExp(`--file ${PACKAGE}(snippets/[\\w-]+\\.js)`).exec(line)
        );
        assert.ok(fs.existsSync(path.join(ROOT, script)), script);
        const name = path.basename(script, '.js');
        assert.ok(name in SCRIPTS);
        const env = envOf(tune);
        const options = optionsFrom(script, { ...COMMON, ...scriptOf(name).options }, env);
        const places = tune.volumeMounts.map((/** @type {any} */ { mountPath }) => mountPath);
        for (const place of [options.uriFile, options.output, env.HOME].filter(Boolean))
          assert.ok(
            places.some((/** @type {string} */ one) => `${place}/`.startsWith(`${one}/`)),
            `${place} is not mounted`,
          );
      });
    });
});

/** @param {any} container @returns {Record<string, string>} */
const envOf = ({ env }) =>
  Object.fromEntries(
    env.map((/** @type {any} */ { name, value, valueFrom }) => {
      assert.ok(typeof value === 'string' || valueFrom, name);
      return [name, value ?? 'db-0'];
    }),
  );
