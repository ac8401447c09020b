/** What the clock shows here, in a child of this process and in a thread of it. */
import { fork } from 'node:child_process';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';

const times = () => [
  Date.now(),
  Date.parse(new Date().toISOString()),
  Date.parse(Date()),
  new Date(Date.now()).getTime(),
];
const heard = (emitter) => new Promise((resolve) => emitter.once('message', resolve));

if (!isMainThread) parentPort.postMessage(times());
else if (process.send) process.send(times());
else {
  const thread = await heard(new Worker(new URL(import.meta.url)));
  const child = await heard(fork(new URL(import.meta.url)));
  process.stdout.write(JSON.stringify([times(), thread, child]));
}
