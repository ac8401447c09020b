/** `test`: the one that runs it, or what is held against it instead; `why`: what keeps it from being run as it stands. */
type Proof = { test: string; why?: string };

/** Commands and settings of the pages that page-commands.test.ts does not run. */
export const elsewhere: Record<string, Proof> = {
  'npm start -- --demo': {
    test: 'server/demo › are there, and all that is theirs obeys the rules of the forms',
    why: 'in the quick form: it takes long to write',
  },
  'npm run move-to-postgres': { test: 'server/page-commands.postgres › moves a hub to PostgreSQL' },
  'docs/operations.md sql': { test: 'server/page-commands.postgres › lists the partitions of the records' },
  'docs/zones.md ini': {
    test: 'server/zone-rabbit › takes the hub and its devices, with MQTT 3.1.1 and one subscriber',
  },
  'docs/zones.md conf': { test: 'server/zone-mosquitto › lets a device with its certificate in, to its own topics' },
  'docs/zones.md acl': {
    test: 'server/zone-mosquitto › lets nobody in without a certificate, nor with one to the topics of another',
  },
  'cp new.crt hub.crt && cp new.key hub.key': {
    test: 'server/secure-mqtt › in place of the first is used once its files have changed',
  },
  'kill -HUP PID': { test: 'server/secure-mqtt › is read at once on SIGHUP, which ends nothing' },
  'openssl s_client -connect 127.0.0.1:8883 </dev/null | openssl x509 -noout -serial -enddate': {
    test: 'server/secure-mqtt › in place of the first is used once its files have changed',
    why: 'the test compares the certificate itself',
  },
  'docs/zones.md hocon': { test: 'server/zone-auth › asks as the page has it ask', why: 'Debian has no EMQX' },
  'docker compose -f deploy/compose.yaml up --build': {
    test: 'server/deploy › the compose file names files and settings that there are',
    why: 'there is no container engine',
  },
  'kubectl apply -f deploy/kubernetes.yaml': {
    test: 'server/deploy › every manifest has a kind, and sets what the hub knows',
    why: 'there is no cluster',
  },
  'docker buildx imagetools inspect node:24.21.0-bookworm-slim': {
    test: 'scripts/image › has the Node that the hub is tested with',
    why: 'there is no registry of images',
  },
  ...Object.fromEntries(
    [
      'docker compose -f deploy/compose.yaml exec hub1 npm run reset-admin',
      'docker compose -f deploy/compose.yaml exec hub1 npm run backup -- /data/2026-11-16',
      'docker compose run --rm hub1 npm run restore -- FOLDER',
      'kubectl exec deploy/device-center -- npm run outbox',
    ].map((line) => [
      line,
      { test: 'scripts/image › runs the operator commands', why: 'there is no container engine' },
    ]),
  ),
};
