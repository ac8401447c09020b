// Imported by every mutated file: records which mutants a run reaches, so that only tests that reach a mutant run
// against it. Hubs are separate processes, so each process and thread writes its own file.
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { threadId } from 'node:worker_threads';

const folder = fileURLToPath(new URL('./covered/', import.meta.url));

if (!process.env.__STRYKER_ACTIVE_MUTANT__) {
  const passed = {};
  let isDue = false;
  const save = () => {
    isDue = false;
    mkdirSync(folder, { recursive: true });
    writeFileSync(`${folder}${process.pid}-${threadId}.json`, JSON.stringify(Object.keys(passed)));
  };
  // Write at once: the process may be killed at any time.
  const note = (_, id) => {
    if (!Object.hasOwn(passed, id) && !isDue) {
      isDue = true;
      setImmediate(save);
    }
    passed[id] = 1;
    return true;
  };
  globalThis.__stryker__ = { mutantCoverage: { static: new Proxy(passed, { set: note }), perTest: {} } };
}
