import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { antdStyles } from './vite/antd-styles-plugin.ts';

const hub = process.env.HUB_URL ?? 'http://127.0.0.1:8080';

/** What the hub answers itself; everything else is the console. */
const hubPaths = ['/iot-hub', '/api', '/docs', '/openapi.json', '/health'];

/** Many small files would compress badly, so what a page surely needs is put together: e2e/weight.spec.ts has the sums. */
const groups = [
  {
    name: 'base',
    tags: ['$initial' as const],
    test: /node_modules[\\/](react|react-dom|scheduler|@tanstack[\\/](?!react-virtual|virtual-core)[^\\/]+|i18next|react-i18next|zod|zustand)[\\/]/,
  },
  // The entry keeps a file of its own: a page finds by its name that the hub has a newer console.
  { name: 'first', tags: ['$initial' as const], test: /[\\/](console|contract)[\\/]src[\\/](?!main\.tsx).*\.tsx?$/ },
  { name: 'icons', test: /node_modules[\\/]lucide-react[\\/]/, minShareCount: 3 },
  { name: 'login', test: /[\\/]account[\\/]login-page\.tsx$/ },
  {
    name: 'list',
    includeDependenciesRecursively: false,
    test: /[\\/]console[\\/]src[\\/]ui[\\/](data-table|table-|card-grid|bulk-bar|filter-|page-header|states|row-menu|copy-id|confirm-delete|relative-time|time-columns|status-dot)[^\\/]*\.tsx?$/,
  },
  {
    name: 'ui',
    minShareCount: 12,
    // Dependencies are taken as the sources name them, and would bring back what the test leaves out.
    includeDependenciesRecursively: false,
    // Without forms, tabs and panels: many pages have them, but no list.
    test: new RegExp(
      [
        'node_modules/(',
        'antd/es/(?!form/(?!context|hooks|util|validate)|tabs|collapse)|',
        '@rc-component/(?!tabs|collapse|async-validator|form/es/(?!FormContext|FieldContext|hooks|utils/(?!validate)))|',
        '@ant-design/|@babel/runtime/|@emotion/|stylis/|clsx/|throttle-debounce/|is-mobile/|react-is/',
        ')',
      ]
        .join('')
        .replaceAll('/', '[\\\\/]'),
    ),
  },
];

export default defineConfig({
  plugins: [react(), antdStyles()],
  root: import.meta.dirname,
  server: { proxy: Object.fromEntries(hubPaths.map((path) => [path, { target: hub, changeOrigin: false }])) },
  build: {
    target: 'es2022',
    // The hub's policy allows fonts and styles from itself only: a data: address would be refused.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 900,
    rolldownOptions: {
      // They do not declare it themselves, and antd's inputs would bring the whole engine of forms to every list.
      treeshake: {
        moduleSideEffects: [{ test: /node_modules[\\/]@(rc-component|ant-design)[\\/]/, sideEffects: false }],
      },
      output: { codeSplitting: { groups } },
    },
  },
});
