import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const hub = process.env.HUB_URL ?? 'http://127.0.0.1:8080';

/** What the hub answers itself; everything else is the console. */
const hubPaths = ['/iot-hub', '/api', '/docs', '/openapi.json', '/health'];

export default defineConfig({
  plugins: [react()],
  root: import.meta.dirname,
  server: { proxy: Object.fromEntries(hubPaths.map((path) => [path, { target: hub, changeOrigin: false }])) },
  build: {
    target: 'es2022',
    // The hub's policy allows fonts and styles from itself only: a data: address would be refused.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 900,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            {
              name: 'base',
              test: /node_modules[\\/](react|react-dom|scheduler|@tanstack[\\/](?!react-virtual|virtual-core)[^\\/]+|i18next|react-i18next|zod|zustand)[\\/]/,
            },
            // What most pages need is fetched once; what few need stays with them. Many small files would compress badly.
            { name: 'icons', test: /node_modules[\\/]lucide-react[\\/]/, minShareCount: 3 },
            { name: 'ui', test: /node_modules[\\/](antd|@rc-component|@ant-design)[\\/]/, minShareCount: 12 },
          ],
        },
      },
    },
  },
});
