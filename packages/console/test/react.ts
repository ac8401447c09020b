import { createRequire } from 'node:module';
import type { act as Act } from 'react';

// The production builds of React and antd, as users get them: the development builds take more CPU time per render.
const require = createRequire(import.meta.url);
const { NODE_ENV } = process.env;
process.env.NODE_ENV = 'production';
const React = require('react') as { act?: unknown };
const { flushSync } = require('react-dom') as typeof import('react-dom');
for (const name of ['react-dom/client', 'react-dom/test-utils', 'react/jsx-runtime']) require(name);
// Loaded with NODE_ENV=production the router assumes that it runs on a server.
process.env.NODE_ENV = NODE_ENV;
await import('@tanstack/react-router');
process.env.NODE_ENV = 'production';
if (Object.values(require.cache).some((module) => module?.loaded && module.filename.endsWith('react.development.js')))
  throw new Error('React was loaded before test/react.ts');

/** Testing Library wraps each render and event in `act`, which the production build does not have. */
React.act ??= ((callback: () => unknown) => {
  const result = flushSync(callback);
  const isAwaited = typeof (result as PromiseLike<unknown> | undefined)?.then === 'function';
  // biome-ignore lint/suspicious/noThenProperty: `act` answers a thenable.
  return isAwaited ? result : { then: (resolve: (value: unknown) => void) => resolve(result) };
}) as typeof Act;
