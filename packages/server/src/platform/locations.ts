/** The bundle is one flat folder, packages/server/dist/, beside src/. */
const isBundled = !import.meta.url.endsWith('.ts');
const source = new URL(isBundled ? '../src/' : '../', import.meta.url);

/** File that the bundle does not contain, such as a migration; its path is relative to src/. */
export const assetUrl = (path: string): URL => new URL(path, source);

/** Module that runs as a separate process or thread; its path is relative to src/. */
export const programUrl = (path: string): URL =>
  isBundled ? new URL(`./${programName(path)}.js`, import.meta.url) : new URL(path, source);

/** Name of a program in the bundle, which has no folders: `library/demo/process.ts` becomes `library-demo-process`. */
export const programName = (path: string): string => path.replace(/\.ts$/, '').replaceAll('/', '-');
