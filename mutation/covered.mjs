// Every mutated file imports this: it tells which changes a run passes by, so that only tests that reach a change are
// run against it. Hubs are processes of their own, so each process and thread writes a file of its own.
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { threadId } from 'node:worker_threads';

const folder = fileURLToPath(new URL('./covered/', import.meta.url));

if (!process.env.__STRYKER_ACTIVE_MUTANT__) {
  const passed = {};
  let isDue = false;
  const tell = () => {
    isDue = false;
    mkdirSync(folder, { recursive: true });
    writeFileSync(`${folder}${process.pid}-${threadId}.json`, JSON.stringify(Object.keys(passed)));
  };
  // At once, since whoever runs this may be killed when it is done.
  const note = (_, id) => {
    if (!Object.hasOwn(passed, id) && !isDue) {
      isDue = true;
      setImmediate(tell);
    }
    passed[id] = 1;
    return true;
  };
  globalThis.__stryker__ = { mutantCoverage: { static: new Proxy(passed, { set: note }), perTest: {} } };
}
