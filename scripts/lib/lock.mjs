import { createHash } from 'node:crypto';
import { linkSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from './root.mjs';

const place = createHash('sha256').update(root).digest('hex').slice(0, 12);
const beat = 2_000;
const silent = 20_000;

const alive = (pid) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
};

const abandoned = (file) => {
  try {
    return !alive(Number(readFileSync(file, 'utf8'))) || Date.now() - statSync(file).mtimeMs > silent;
  } catch {
    return false;
  }
};

const take = (file) => {
  const mine = `${file}.${process.pid}`;
  writeFileSync(mine, String(process.pid));
  try {
    // Creating a link is atomic, so that a lock always contains its owner's process id.
    linkSync(mine, file);
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    return false;
  } finally {
    rmSync(mine, { force: true });
  }
};

/** Runs `work` exclusively among the processes of this user in this repository. */
export const withLock = async (name, work) => {
  const file = join(tmpdir(), `device-center-${process.getuid?.() ?? 'user'}-${place}-${name}.lock`);
  while (!take(file)) {
    if (abandoned(file)) rmSync(file, { force: true });
    else await sleep(100);
  }
  const release = () => rmSync(file, { force: true });
  const heart = setInterval(() => utimesSync(file, new Date(), new Date()), beat);
  process.once('exit', release);
  try {
    return await work();
  } finally {
    clearInterval(heart);
    process.off('exit', release);
    release();
  }
};
