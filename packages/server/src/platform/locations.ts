/** The bundle is one flat folder, packages/server/dist/, beside src/. */
const isBundled = !import.meta.url.endsWith('.ts');
const source = new URL(isBundled ? '../src/' : '../', import.meta.url);

/** A file that the bundle does not contain, such as a migration: its path from src/. */
export const assetUrl = (path: string): URL => new URL(path, source);

/** A module that runs as a process or a thread of its own: its path from src/. */
export const programUrl = (path: string): URL =>
  isBundled ? new URL(`./${programName(path)}.js`, import.meta.url) : new URL(path, source);

/** The name of a program in the bundle, which has no folders: `library/demo/process.ts` is `library-demo-process`. */
export const programName = (path: string): string => path.replace(/\.ts$/, '').replaceAll('/', '-');
