import { fork } from 'node:child_process';
import { LOAD_BEGUN, type LoadOrder, type LoadResult } from './order.ts';

export type Load = { pid: number; begun: Promise<void>; result: Promise<LoadResult> };

/** Devices that send all they can for a while, in a process of their own. */
export const startLoad = (order: LoadOrder): Load => {
  const child = fork(new URL('./load.ts', import.meta.url));
  const begun = new Promise<void>((resolve) => {
    child.on('message', (message) => message === LOAD_BEGUN && resolve());
  });
  const result = new Promise<LoadResult>((resolve, reject) => {
    child.on('message', (message) => message !== LOAD_BEGUN && resolve(message as LoadResult));
    child.once('exit', (code) => code !== 0 && reject(new Error(`the load ended with ${code}`)));
  });
  child.send(order);
  return { pid: child.pid ?? 0, begun, result };
};
