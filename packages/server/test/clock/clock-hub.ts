import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accountCalls } from '@device-center/contract';
import { type Client, createClient } from '../client.ts';
import { ADMIN_PASSWORD, type SpawnedHub, spawnHub } from '../hub.ts';
import { adminProcess, deviceProcess, type HubProcess, startHubProcess } from '../hub-process.ts';
import { waitFor } from '../mailbox.ts';

export const PRELOAD = new URL('./shifted-clock.mjs', import.meta.url).href;

/** A hub whose clock the test sets, at its start or while it runs. */
export const createClockHub = async (from: number, settings: Record<string, string> = {}) => {
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

  /** The hub's processes apply the time within 20 ms. */
  const setTime = (time: number): void => {
    offset = time - Date.now();
    writeFileSync(file, String(offset));
  };

  return {
    hub,
    /** The hub's time. */
    now: (): number => Date.now() + offset,
    /** Starts the hub on the same data and ports, with its clock set. */
    async startAt(time: number, { minuteMs = 60_000, more = {} } = {}): Promise<void> {
      offset = time - Date.now();
      writeFileSync(file, '');
      running = await startHubProcess({ ...hub.env, ...env(minuteMs), ...ports, ...more });
    },
    setTime,
    /** Sets the clock while the hub runs, and waits until both processes apply it. */
    async moveTo(time: number): Promise<void> {
      setTime(time);
      const isSetIn = (pid: number): boolean => {
        const told = `${file}.${pid}`;
        return existsSync(told) && readFileSync(told, 'utf8') === String(offset);
      };
      await waitFor(
        'the clock is set',
        () => [adminProcess, deviceProcess].every((side) => isSetIn(side(running))) || undefined,
      );
    },
    kill: (): Promise<void> => running.kill(),
    stop: (): Promise<number | null> => running.stop(),
    /** Logs in again: a jump of the clock ends sessions. */
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

export type ClockHub = Awaited<ReturnType<typeof createClockHub>>;
