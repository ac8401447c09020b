import { fork } from 'node:child_process';
import { LOAD_STARTED, type LoadOptions, type LoadResult } from './load-messages.ts';

export type Load = { pid: number; begun: Promise<void>; result: Promise<LoadResult> };

/** Starts the load generator, whose devices send as fast as possible for a while. */
export const startLoad = (order: LoadOptions): Load => {
  const child = fork(new URL('./load.ts', import.meta.url));
  const begun = new Promise<void>((resolve) => {
    child.on('message', (message) => message === LOAD_STARTED && resolve());
  });
  const result = new Promise<LoadResult>((resolve, reject) => {
    child.on('message', (message) => message !== LOAD_STARTED && resolve(message as LoadResult));
    child.once('exit', (code) => code !== 0 && reject(new Error(`the load generator exited with ${code}`)));
  });
  child.send(order);
  return { pid: child.pid ?? 0, begun, result };
};
