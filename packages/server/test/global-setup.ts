import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** All temporary files of a run lie in one folder, so that nothing is left behind, also not by a setup that failed. */
export default (): (() => void) => {
  const before = process.env.TMPDIR;
  const folder = mkdtempSync(join(tmpdir(), 'device-center-tests-'));
  // Some tests run programs as another user, in folders of that user below this one.
  chmodSync(folder, 0o711);
  process.env.TMPDIR = folder;
  return () => {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
};
