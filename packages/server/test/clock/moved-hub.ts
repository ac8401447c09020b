import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accountCalls } from '@device-center/contract';
import { type Client, createClient } from '../client.ts';
import { ADMIN_PASSWORD, type SpawnedHub, spawnHub } from '../hub.ts';
import { adminProcess, deviceProcess, type HubProcess, startHubProcess } from '../hub-process.ts';
import { eventually } from '../mailbox.ts';

export const PRELOAD = new URL('./shifted-clock.mjs', import.meta.url).href;

/** A hub on a clock of its own, which the test sets when it starts the hub or while the hub runs. */
export const createMovedHub = async (from: number, settings: Record<string, string> = {}) => {
  let offset = from - Date.now();
  const folder = mkdtempSync(join(tmpdir(), 'clock-'));
  const file = join(folder, 'clock');
  writeFileSync(file, '');
  const env = (minuteMs: number) => ({
    NODE_OPTIONS: `--import=${PRELOAD}`,
    CLOCK_OFFSET_MS: String(offset),
    CLOCK_FILE: file,
    CLOCK_MINUTE_MS: String(minuteMs),
  });
  const hub: SpawnedHub = await spawnHub({ ...env(60_000), ...settings });
  const ports = { PORT: new URL(hub.url).port, MQTT_PORT: String(hub.process.mqttPort) };
  let running: HubProcess = hub.process;

  /** Its processes go by it 20 ms later at most. */
  const setTime = (time: number): void => {
    offset = time - Date.now();
    writeFileSync(file, String(offset));
  };

  return {
    hub,
    /** What the hub's clock shows. */
    now: (): number => Date.now() + offset,
    /** On the same data and the same ports, with its clock set. */
    async startAt(time: number, { minuteMs = 60_000, more = {} } = {}): Promise<void> {
      offset = time - Date.now();
      writeFileSync(file, '');
      running = await startHubProcess({ ...hub.env, ...env(minuteMs), ...ports, ...more });
    },
    setTime,
    /** Sets the clock while the hub runs, and waits until both of its processes have noticed. */
    async moveTo(time: number): Promise<void> {
      setTime(time);
      const isSetIn = (pid: number): boolean => {
        const told = `${file}.${pid}`;
        return existsSync(told) && readFileSync(told, 'utf8') === String(offset);
      };
      await eventually(
        'the clock is set',
        () => [adminProcess, deviceProcess].every((side) => isSetIn(side(running))) || undefined,
      );
    },
    kill: (): Promise<void> => running.kill(),
    stop: (): Promise<number | null> => running.stop(),
    /** Its sessions are short for a clock that jumps. */
    async operator(): Promise<Client> {
      const { token } = await hub.anonymous.ok(accountCalls.login, { username: 'admin', password: ADMIN_PASSWORD });
      return createClient(hub.url, token);
    },
    async close(): Promise<void> {
      await running.stop();
      await hub.close();
      rmSync(folder, { recursive: true });
    },
  };
};

export type MovedHub = Awaited<ReturnType<typeof createMovedHub>>;
