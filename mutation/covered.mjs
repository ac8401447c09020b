// Every mutated file imports this: it tells which changes a run passes by, so that only tests that reach a change are
// run against it. Hubs are processes of their own, so each process and thread writes a file of its own.
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { threadId } from 'node:worker_threads';

const folder = fileURLToPath(new URL('./covered/', import.meta.url));

if (!process.env.__STRYKER_ACTIVE_MUTANT__) {
  mkdirSync(folder, { recursive: true });
  let known = 0;
  const tell = () => {
    const ids = Object.keys(globalThis.__stryker__?.mutantCoverage?.static ?? {});
    if (ids.length === known) return;
    known = ids.length;
    writeFileSync(`${folder}${process.pid}-${threadId}.json`, JSON.stringify(ids));
  };
  // A process may also be killed.
  setInterval(tell, 100).unref();
  process.on('exit', tell);
}
