/** `test`: the file that covers it; `reason`: why it cannot be run as it is written. */
type Coverage = { test: string; reason?: string };

/** Commands and configurations of the docs that page-commands.process.test.ts does not run, with the test of each. */
export const coveredElsewhere: Record<string, Coverage> = {
  'npm start -- --demo': {
    test: 'packages/server/test/demo.process.test.ts',
    reason: 'without LONG: writing the demo data is slow',
  },
  'npm run move-to-postgres': { test: 'packages/server/test/page-commands.postgres.process.test.ts' },
  'docs/operations.md sql': { test: 'packages/server/test/page-commands.postgres.process.test.ts' },
  'docs/zones.md ini': {
    test: 'packages/server/test/zone-rabbit.process.test.ts',
  },
  'docs/zones.md conf': { test: 'packages/server/test/zone-mosquitto.test.ts' },
  'docs/zones.md acl': {
    test: 'packages/server/test/zone-mosquitto.test.ts',
  },
  'cp new.crt hub.crt && cp new.key hub.key': {
    test: 'packages/server/test/secure-mqtt.process.test.ts',
  },
  'kill -HUP PID': { test: 'packages/server/test/secure-mqtt.process.test.ts' },
  'openssl s_client -connect 127.0.0.1:8883 </dev/null | openssl x509 -noout -serial -enddate': {
    test: 'packages/server/test/secure-mqtt.process.test.ts',
    reason: 'the test compares the certificate itself',
  },
  'docs/zones.md hocon': { test: 'packages/server/test/zone-auth.test.ts', reason: 'Debian has no package of EMQX' },
  'docker compose -f deploy/compose.yaml up --build': {
    test: 'packages/server/test/deploy.test.ts',
    reason: 'needs a container engine',
  },
  'kubectl apply -f deploy/kubernetes.yaml': {
    test: 'packages/server/test/deploy.test.ts',
    reason: 'needs a cluster',
  },
  'docker buildx imagetools inspect node:24.21.0-bookworm-slim': {
    test: 'scripts/image.test.mjs',
    reason: 'needs an image registry',
  },
  ...Object.fromEntries(
    [
      'docker compose -f deploy/compose.yaml exec hub1 npm run reset-admin',
      'docker compose -f deploy/compose.yaml exec hub1 npm run backup -- /data/2026-11-16',
      'docker compose run --rm hub1 npm run restore -- FOLDER',
      'kubectl exec deploy/device-center -- npm run outbox',
    ].map((line) => [line, { test: 'scripts/image.test.mjs', reason: 'needs a container engine' }]),
  ),
};
