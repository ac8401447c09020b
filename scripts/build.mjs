// npm run build: builds the console and the hub's bundle if their sources have changed since the last build
import { ensureConsole, ensureServer } from './lib/builds.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { fail } from './lib/run.mjs';

await ensureInstalled();
await Promise.all([ensureConsole(), ensureServer()]).catch((error) => fail(error.message));
