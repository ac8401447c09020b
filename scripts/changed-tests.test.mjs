import { describe, expect, it } from 'vitest';
import { testsOf } from './lib/changed-tests.mjs';

const inTests = (name) => `packages/server/test/${name}`;
const files = [
  [inTests('hub.ts'), "import { startAdmin } from '../src/admin.ts';"],
  [inTests('zone-kit.ts'), "import { startHub } from './hub.ts';"],
  [inTests('role.test.ts'), "import { startHub } from './hub.ts';"],
  [inTests('menus.test.ts'), "import { roleCalls } from '@device-center/contract';\nimport { a } from './hub.ts';"],
  [inTests('zone-broker.test.ts'), "import { startZone } from './zone-kit.ts';"],
  [inTests('rotation.test.ts'), "import { batch } from '../src/records/batch.ts';"],
].map(([path, text]) => ({ path, text }));

describe('testsOf', () => {
  it.each([
    ['a slice of the hub', 'packages/server/src/features/role/role.service.ts', ['role.test.ts', 'menus.test.ts']],
    ['a slice of the contract', 'packages/contract/src/http/role.ts', ['role.test.ts', 'menus.test.ts']],
    ['a slice whose name is part of another word', 'packages/server/src/features/ota/ota.service.ts', []],
    ['a module that a test imports', 'packages/server/src/records/batch.ts', ['rotation.test.ts']],
    ['a module of the whole hub', 'packages/server/src/admin.ts', []],
    ['a kit', inTests('zone-kit.ts'), ['zone-broker.test.ts']],
    ['the kit of all', inTests('hub.ts'), ['zone-broker.test.ts', 'role.test.ts', 'menus.test.ts']],
    ['a test', inTests('role.test.ts'), ['role.test.ts']],
    ['a test that was deleted', inTests('gone.test.ts'), []],
    ['a page of the console', 'packages/console/src/features/role/role-list.tsx', []],
  ])('selects the tests for %s', (_what, changed, expected) => {
    expect(testsOf(changed, files).sort()).toEqual(expected.map(inTests).sort());
  });
});
