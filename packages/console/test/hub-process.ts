import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    hubUrl: string;
    adminPassword: string;
  }
}

// Started by path, not imported: the console depends on the hub's calls only. `npm test` builds the bundle.
const MAIN = fileURLToPath(
  new URL(process.env.TEST_BUNDLE ? '../../server/dist/main.js' : '../../server/src/main.ts', import.meta.url),
);
const ADMIN_PASSWORD = 'Adm1n-pass';

/** One real hub for the whole run, as `npm start` runs it. Without a mail server it stores e-mails in the outbox. */
const startHub = async (dataDir: string) => {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [MAIN], {
    env: {
      PATH,
      HOME,
      PORT: '0',
      MQTT_PORT: '0',
      DATA_DIR: dataDir,
      ADMIN_PASSWORD,
      RATE_LIMIT: '1000000',
      RATE_LIMIT_PUBLIC: '1000000',
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // Vitest can exit without running the teardown.
  const kill = () => child.kill('SIGTERM');
  process.once('exit', kill);
  let output = '';
  const exitPromise = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const url = await new Promise<string>((resolve, reject) => {
    const readOutput = (bytes: Buffer) => {
      output += bytes.toString();
      const ready = /^ready (http:\S+)/m.exec(output)?.[1];
      if (ready) resolve(ready);
    };
    child.stdout.on('data', readOutput);
    child.stderr.on('data', readOutput);
    void exitPromise.then(() => reject(new Error(`hub exited before it was ready:\n${output}`)));
  });
  const stop = async (): Promise<void> => {
    process.off('exit', kill);
    kill();
    await exitPromise;
  };
  return { url, stop };
};

export default async ({ provide }: TestProject): Promise<() => Promise<void>> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'device-center-console-'));
  const removeDataDir = () => rmSync(dataDir, { recursive: true, force: true });
  const hub = await startHub(dataDir).catch((error: unknown) => {
    removeDataDir();
    throw error;
  });
  provide('hubUrl', hub.url);
  provide('adminPassword', ADMIN_PASSWORD);
  return async () => {
    await hub.stop();
    removeDataDir();
  };
};
