/** Builds the console into dist/, then lays a .br and a .gz beside every file worth compressing. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'vite';

const COMPRESSIBLE = /\.(js|css|svg|json|txt|webmanifest)$/;
const WORTH_IT_BYTES = 512;

const compress = async (file: string): Promise<void> => {
  const content = await readFile(file);
  if (content.length < WORTH_IT_BYTES) return;
  const [brotli, gzipped] = await Promise.all([
    promisify(brotliCompress)(content, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length },
    }),
    promisify(gzip)(content, { level: 9 }),
  ]);
  await Promise.all([writeFile(`${file}.br`, brotli), writeFile(`${file}.gz`, gzipped)]);
};

// npm start builds aside and moves the result into place.
const dist = process.env.OUT_DIR ?? join(import.meta.dirname, 'dist');
await build({
  configFile: join(import.meta.dirname, 'vite.config.ts'),
  build: { outDir: dist, emptyOutDir: true },
});

const files = await readdir(dist, { recursive: true });
// index.html is left out: the hub writes a nonce into each answer.
await Promise.all(files.filter((file) => COMPRESSIBLE.test(file)).map((file) => compress(join(dist, file))));
