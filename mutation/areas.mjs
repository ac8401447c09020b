/** Areas of mutation testing: files to mutate, and the tests that must kill the mutants, fastest first. */
const server = (...names) => names.map((name) => `packages/server/test/${name}.test.ts`);
const inServer = (...names) => names.map((name) => `packages/server/src/${name}.ts`);

export const areas = {
  signatures: {
    mutate: ['packages/contract/src/mqtt/signature.ts', 'packages/device-sdk/src/upgrade/manifest.ts'],
    tests: ['packages/contract/src/mqtt/signature.test.ts', ...server('sdk-firmware-key', 'sdk-upgrade-verify')],
  },
  'device-authentication': {
    mutate: inServer('features/bucket/device-login', 'features/connectivity/authenticate-message'),
    tests: server(
      'connectivity-login',
      'connectivity-refusals',
      'connectivity-token',
      'connectivity-admission',
      'message-deduplication',
    ),
  },
  authentication: {
    mutate: inServer(
      'features/session/session.service',
      'features/account/account.service',
      'features/account/login-throttle',
      'platform/passwords',
      'platform/hashes',
    ),
    tests: server('login', 'sessions', 'attacks/forged-tokens', 'codes', 'codes-use', 'api-keys', 'sweeps'),
  },
  permission: {
    mutate: ['packages/contract/src/permissions.ts', ...inServer('db/scope', 'platform/actor', 'http/permit')],
    tests: [
      'packages/contract/src/errors.test.ts',
      ...server('menus', 'roles', 'login', 'api-keys', 'contract', 'isolation', 'access-matrix'),
    ],
  },
  upgrades: {
    mutate: ['packages/contract/src/rules/ota-task.ts'],
    tests: ['packages/contract/src/rules/ota-task.test.ts'],
  },
  'upgrades-of-the-hub': {
    mutate: inServer('features/ota/ota.lifecycle', 'features/ota/ota.stages', 'features/ota/ota.runs'),
    tests: server('ota-tasks', 'ota-model'),
  },
};
