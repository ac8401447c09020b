import { describe, expect, it } from 'vitest';
import { importsOf, violations } from './lib/imports.mjs';

const manifests = {
  server: { dependencies: { fastify: '5', '@fastify/static': '1' } },
  console: { dependencies: { react: '19' }, devDependencies: { vite: '8' } },
  root: { devDependencies: { vitest: '4' } },
};
const wrongIn = (path, text) => violations([{ path: `packages/${path}`, text }], manifests);

describe('importsOf', () => {
  it('reads every form, and whether it stays at run time', () => {
    const text = [
      "import a, { b } from './a.ts';",
      "import type { C } from './c.ts';",
      "import { type D } from './d.ts';",
      "import './e.css';",
      "export * from './f.ts';",
      "export type { G } from './g.ts';",
      'import {\n  h,\n  i,\n} from "./h.ts";',
      "const j = await import('./j.ts');",
      "type K = import('./k.ts').K;",
      "type L = typeof import('./l.ts');",
      "// import m from './m.ts';",
      "import type from './n.ts';",
    ].join('\n');
    expect(
      Object.fromEntries(importsOf(text).map(({ name, type }) => [name.slice(2, 3), type ? 'type' : 'run'])),
    ).toEqual({
      ...{ a: 'run', c: 'type', d: 'run', e: 'run', f: 'run', g: 'type', h: 'run', j: 'run', k: 'type', l: 'type' },
      n: 'run',
    });
  });
});

describe('violations', () => {
  it.each([
    ['contract/src/a.ts', "import { z } from 'zod';"],
    ['contract/src/a.test.ts', "import { it } from 'vitest';"],
    ['server/src/main.ts', "import { startAdmin } from './admin.ts';"],
    ['server/src/admin.ts', "import { otaRoutes } from './features/ota/ota.routes.ts';"],
    ['server/src/features/ota/ota.routes.ts', "import { mount } from '../../http/mount.ts';"],
    ['server/src/features/ota/ota.queries.ts', "import type { DeviceService } from '../device/device.service.ts';"],
    ['server/src/features/ota/ota.test.ts', "import { x } from '../device/device.service.ts';"],
    ['server/src/features/ota/ota.test.ts', "import { Device } from '@device-center/device-sdk';"],
    ['server/src/http/mount.ts', "import files from '@fastify/static';\nimport { readFile } from 'node:fs/promises';"],
    ['server/src/cli/outbox.ts', "import { list } from '../features/outbox/outbox.service.ts';"],
    ['server/src/library/demo/seed.ts', "import { sign } from '../../features/firmware/firmware.signer.ts';"],
    ['console/src/main.tsx', "import { App } from './app/app.tsx';"],
    ['console/src/ui/table.tsx', "import { t } from '../i18n/index.ts';"],
    ['console/src/paths.ts', "import type { xSearch } from './features/ota/ota-search.ts';"],
    ['console/vite.config.ts', "import { defineConfig } from 'vite';"],
    ['device-sdk/src/device.ts', "import { topics } from '@device-center/contract';"],
    ['simulator/src/main.ts', "import { Device } from '@device-center/device-sdk';"],
  ])('finds nothing in %s: %s', (path, text) => expect(wrongIn(path, text)).toEqual([]));

  it.each([
    ['contract/src/a.ts', "import fastify from 'fastify';", 'zod and nothing else'],
    ['contract/src/a.ts', "import { readFile } from 'node:fs';", 'zod and nothing else'],
    ['contract/src/a.ts', "import type { X } from '@device-center/server';", 'must not import package server'],
    ['server/src/main.ts', "import { x } from './features/ota/ota.queries.ts';", 'main must not import features'],
    ['server/src/admin.ts', "import { x } from './device.ts';", 'processes of their own'],
    ['server/src/features/ota/a.ts', "import { x } from '../../library/seed.ts';", 'must not import library'],
    ['server/src/admin.ts', "import { x } from './main.ts';", 'stands above'],
    [
      'server/src/features/ota/a.ts',
      "import { x } from '../device/device.queries.ts';",
      'slice ota imports slice device',
    ],
    ['server/src/features/ota/a.ts', "const x = await import('../device/b.ts');", 'slice ota imports slice device'],
    ['server/src/features/ota/a.ts', "import type { X } from '../../admin.ts';", 'stands above'],
    ['server/src/db/a.ts', "import type { X } from '../features/ota/ota.queries.ts';", 'stands above'],
    ['server/src/something-new/a.ts', "import { x } from '../features/ota/ota.queries.ts';", 'stands above'],
    ['server/src/a.test.ts', "import { x } from '@device-center/console';", 'must not import package console'],
    ['server/src/a.test.ts', "import { x } from '../../console/src/a.ts';", 'by its path'],
    ['server/src/http/a.ts', "import { x } from 'kysely';", 'not among the dependencies'],
    ['server/src/http/a.ts', "import { x } from 'vitest';", 'not among the dependencies'],
    ['console/src/api/a.ts', "import type { X } from '@device-center/server';", 'must not import package server'],
    ['console/src/api/a.ts', "import { x } from '../ui/table.tsx';", 'api must not import ui'],
    ['console/src/ui/a.tsx', "import { x } from '@/api/send.ts';", 'ui must not import api'],
    ['console/src/ui/a.tsx', "import { x } from '../features/ota/list.tsx';", 'stands above'],
    ['console/src/paths.ts', "import { xSearch } from './features/ota/ota-search.ts';", 'stands above'],
    ['console/src/features/ota/a.tsx', "export * from '../device/list.tsx';", 'slice ota imports slice device'],
    ['console/src/features/ota/a.tsx', "import { x } from '../../app/router.tsx';", 'stands above'],
    ['device-sdk/src/a.ts', "import { x } from '@device-center/simulator';", 'must not import package simulator'],
    ['simulator/src/a.ts', "import { x } from '@device-center/server';", 'must not import package server'],
  ])('finds the fault in %s: %s', (path, text, reason) => {
    expect(wrongIn(path, text)).toEqual([expect.stringContaining(reason)]);
  });
});
