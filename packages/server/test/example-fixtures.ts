import { type ChildProcess, spawn } from 'node:child_process';
import { controlCalls, deviceCalls, recordCalls } from '@device-center/contract';
import { expect } from 'vitest';
import type { ProductFixture } from './device-fixtures.ts';
import { type Hub, unique } from './hub.ts';

/** Programs of docs/examples, each as a device of a real hub. */
export const WAITING = 'waiting for a command';

export type Program = {
  deviceId: string;
  child: ChildProcess;
  output: () => string;
  /** Resolves when the line was printed; rejects with the whole output when the program ends without it. */
  says: (line: string) => Promise<void>;
  exited: Promise<number | null>;
};

export const running = new Set<ChildProcess>();
export const killAll = ({ pid }: ChildProcess): void => {
  if (pid) process.kill(-pid, 'SIGKILL');
};

export const runDevice = (
  hub: Hub,
  { productId, productSecret }: ProductFixture,
  [command = '', ...args]: string[],
  env: Record<string, string> = {},
): Program => {
  const deviceId = env.DEVICE_ID ?? unique('other');
  const who = { HUB_URL: hub.url, PRODUCT_ID: productId, DEVICE_ID: deviceId, SECRET: productSecret };
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(command, args, {
    // The compiled SDK is the same for every device on Node.
    env: {
      PATH,
      ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }),
      LANG: 'C.UTF-8',
      PYTHONDONTWRITEBYTECODE: '1',
      ...who,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A process group of its own: killing it also ends what the script started.
    detached: true,
  });
  running.add(child);
  let output = '';
  const looks = new Set<() => void>();
  const take = (bytes: Buffer): void => {
    output += bytes.toString();
    for (const look of looks) look();
  };
  child.stdout.on('data', take);
  child.stderr.on('data', take);
  const exited = new Promise<number | null>((resolve) =>
    child.once('close', (code) => {
      running.delete(child);
      resolve(code);
    }),
  );
  const says = (line: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (output.split('\n').includes(line)) resolve();
      };
      looks.add(look);
      look();
      void exited.then((code) => reject(new Error(`it ended with ${code}, having said:\n${output}`)));
    });
  return { deviceId, child, output: () => output, says, exited };
};

/** Retries the command until the device is online for the hub. */
export const commandWhenOnline = async (hub: Hub, deviceId: string, functionId: string, functionValue: string) => {
  const command = { deviceId, functionId, functionValue, timeout: 30_000 };
  for (;;) {
    const answer = await hub.admin.call(controlCalls.commandDeviceFunction, command);
    if (answer.data) return answer.data;
    if (!answer.success && answer.code !== 'DEVICE_OFFLINE') throw new Error(answer.code);
  }
};

/** Sends commands to the waiting device, and expects its messages and results to be stored. */
export const expectCommandsExecuted = async (hub: Hub, program: Program): Promise<void> => {
  const { deviceId } = program;
  await program.says(WAITING);
  await expect
    .poll(() => hub.admin.ok(recordCalls.getLatestValues, { deviceId }), { timeout: 20_000 })
    .toMatchObject([{ signCode: 'power', value: true }]);
  const answer = await commandWhenOnline(hub, deviceId, 'power', 'false');
  expect({ ...answer, said: program.output() }).toMatchObject({
    status: 'answered',
    code: 200,
    output: { power: false },
  });
  expect(await program.exited, program.output()).toBe(0);
  expect(program.output()).toContain('command: {"properties":{"power":false}}');
  expect(await hub.admin.ok(recordCalls.getLatestValues, { deviceId })).toMatchObject([
    { signCode: 'power', value: false },
  ]);
  const { versionNumber } = await hub.admin.ok(deviceCalls.getDeviceDetails, { deviceId });
  expect(versionNumber).toBe('1.0.0');
};
