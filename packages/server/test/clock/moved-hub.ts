import { accountCalls } from '@device-center/contract';
import { type Client, createClient } from '../client.ts';
import { ADMIN_PASSWORD, type Hub, startHub } from '../hub.ts';
import { type HubProcess, startHubProcess } from '../hub-process.ts';

export const PRELOAD = new URL('./shifted-clock.mjs', import.meta.url).href;

/** A hub on a clock of its own, which can be moved whenever it is started anew. */
export const createMovedHub = async (from: number, settings: Record<string, string> = {}) => {
  let offset = from - Date.now();
  const env = (minuteMs: number) => ({
    NODE_OPTIONS: `--import=${PRELOAD}`,
    CLOCK_OFFSET_MS: String(offset),
    CLOCK_MINUTE_MS: String(minuteMs),
  });
  const hub: Hub = await startHub({ ...env(60_000), ...settings });
  const ports = { PORT: new URL(hub.url).port, MQTT_PORT: String(hub.process.mqttPort) };
  let running: HubProcess = hub.process;

  return {
    hub,
    /** What the hub's clock shows. */
    now: (): number => Date.now() + offset,
    /** On the same data and the same ports, with its clock set. */
    async startAt(time: number, { minuteMs = 60_000, more = {} } = {}): Promise<void> {
      offset = time - Date.now();
      running = await startHubProcess({ ...hub.env, ...env(minuteMs), ...ports, ...more });
    },
    kill: (): Promise<void> => running.kill(),
    stop: (): Promise<number | null> => running.stop(),
    /** Its sessions are short for a clock that jumps. */
    async operator(): Promise<Client> {
      const { token } = await hub.stranger.get(accountCalls.login, { username: 'admin', password: ADMIN_PASSWORD });
      return createClient(hub.url, token);
    },
    async close(): Promise<void> {
      await running.stop();
      await hub.close();
    },
  };
};

export type MovedHub = Awaited<ReturnType<typeof createMovedHub>>;
