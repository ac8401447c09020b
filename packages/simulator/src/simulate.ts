import type { Options } from './arguments.ts';
import { type Output, startProgress } from './progress.ts';
import { openSecrets } from './secrets.ts';
import {
  createSimulatedChild,
  createSimulatedDevice,
  type FleetContext,
  type Kind,
  type SimulatedDevice,
} from './simulated-device.ts';
import { allAcknowledged, createStats, type Stats } from './stats.ts';
import { startTraffic } from './traffic.ts';

/** Logins per second while the fleet starts. */
const RAMP_PER_S = 200;
const RAMP_TICK_MS = 50;
const STOPS_AT_ONCE = 100;
/** Time limit for the acknowledgements of the last messages. */
const DRAIN_MS = 10_000;
/** The run ends if no device is online by then. */
const FIRST_ONLINE_MS = 30_000;

const wait = (ms: number, stop: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (stop.aborted) return resolve();
    const timer = setTimeout(resolve, ms);
    stop.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });

const until = async (condition: () => boolean, ms: number, stop: AbortSignal): Promise<boolean> => {
  const end = performance.now() + ms;
  while (!condition() && performance.now() < end && !stop.aborted) await wait(RAMP_TICK_MS, stop);
  return condition();
};

/** Fetches the function model through a device of that kind that is online. */
const fetchModel = async (
  { models }: FleetContext,
  members: SimulatedDevice[],
  kind: Kind,
  stop: AbortSignal,
): Promise<void> => {
  while (!models.has(kind) && !stop.aborted) {
    const source = members.find((member) => member.kind === kind && member.isOnline());
    const synced = await source?.client.sync(['model']).catch(() => null);
    if (synced?.model) models.set(kind, synced.model.functions);
    else await wait(RAMP_TICK_MS, stop);
  }
};

const rampUp = async (fleet: FleetContext, members: SimulatedDevice[], stop: AbortSignal): Promise<void> => {
  const { options } = fleet;
  const perTick = Math.ceil((RAMP_PER_S * RAMP_TICK_MS) / 1_000);
  const devices: SimulatedDevice[] = [];
  while (devices.length < options.devices && !stop.aborted) {
    for (let count = 0; count < perTick && devices.length < options.devices; count++) {
      const member = createSimulatedDevice(fleet, devices.length);
      devices.push(member);
      members.push(member);
      // Events report failures; the promise rejects if the fleet stops before the device is online.
      member.device.start().catch(() => undefined);
      for (let index = 0; index < options.children; index++) members.push(createSimulatedChild(fleet, member, index));
    }
    await wait(RAMP_TICK_MS, stop);
  }
};

const stopDevices = async (members: SimulatedDevice[]): Promise<void> => {
  const devices = members.filter(({ kind }) => kind === 'device').map(({ device }) => device);
  for (let start = 0; start < devices.length; start += STOPS_AT_ONCE)
    await Promise.all(devices.slice(start, start + STOPS_AT_ONCE).map((device) => device.stop()));
};

const NEVER = new AbortController().signal;

/** Runs a fleet for the configured duration; `stop` ends it early. */
export const simulate = async (options: Options, output: Output, stop: AbortSignal): Promise<Stats> => {
  const stats = createStats();
  const fleet: FleetContext = {
    options,
    stats,
    random: Math.random,
    secrets: openSecrets(options.stateFile),
    models: new Map(),
  };
  const members: SimulatedDevice[] = [];
  const progress = options.quiet ? null : startProgress(stats, output);
  const ended = new AbortController();
  const starting = rampUp(fleet, members, AbortSignal.any([stop, ended.signal]));
  const isAnyOnline = await until(() => stats.online > 0, FIRST_ONLINE_MS, stop);
  if (isAnyOnline) {
    void fetchModel(fleet, members, 'device', ended.signal);
    if (options.children > 0) void fetchModel(fleet, members, 'child', ended.signal);
    const traffic = startTraffic(fleet, members);
    await wait(options.duration * 1_000, stop);
    traffic.stop();
    ended.abort();
    const isSettled = () => allAcknowledged(stats) + stats.rejected + stats.lost === stats.sent;
    await until(isSettled, DRAIN_MS, NEVER);
  }
  ended.abort();
  await starting;
  progress?.stop();
  await stopDevices(members);
  return stats;
};
