import { DeviceError } from '@device-center/device-sdk';
import type { DeviceBehavior } from '@device-center/virtual-device';
import { type FleetContext, injectConnectionFault, type SimulatedDevice } from './simulated-device.ts';
import type { Stats } from './stats.ts';

type MessageKind = keyof Stats['acknowledged'];

const TICK_MS = 20;
/** Limits the backlog to one second, so that a machine that slept does not send a burst. */
const BACKLOG_MAX_S = 1;
/** A device with this many unacknowledged messages is skipped: the hub is the bottleneck. */
const IN_FLIGHT_MAX = 32;
const EVENT_SHARE = 0.04;
const LOG_SHARE = 0.02;

const send = (
  { random }: FleetContext,
  { client }: SimulatedDevice,
  behavior: DeviceBehavior,
): [MessageKind, Promise<void>] => {
  const draw = random();
  const sampleEvent = draw < EVENT_SHARE ? behavior.nextEvent() : null;
  if (sampleEvent) return ['event', client.event(sampleEvent.event, sampleEvent.output)];
  const values = draw < 1 - LOG_SHARE ? behavior.nextReport() : null;
  if (values) return ['report', client.report(values)];
  return ['log', client.log(4, `up for ${Math.round(performance.now() / 1_000)} s`)];
};

const follow = (stats: Stats, [kind, promise]: [MessageKind, Promise<void>]): void => {
  const sentAt = performance.now();
  stats.sent++;
  promise.then(
    () => {
      stats.acknowledged[kind]++;
      // The SDK batches log lines, so their latency is not the hub's.
      if (kind !== 'log') stats.latency.add(performance.now() - sentAt);
    },
    (error: unknown) => {
      if (error instanceof DeviceError) stats.rejected++;
      else stats.lost++;
    },
  );
};

/** Sends messages of all devices at the configured total rate, round-robin. */
export const startTraffic = (fleet: FleetContext, devices: SimulatedDevice[]) => {
  const { options, stats } = fleet;
  let turn = 0;
  let due = 0;
  let lastAt = performance.now();

  const nextReady = (): [SimulatedDevice, DeviceBehavior] | undefined => {
    for (let tries = 0; tries < devices.length; tries++) {
      const next = devices[turn++ % devices.length];
      if (!next?.isOnline() || next.device.pending >= IN_FLIGHT_MAX) continue;
      const behavior = next.behavior();
      if (behavior) return [next, behavior];
    }
    return undefined;
  };

  const tick = (): void => {
    const now = performance.now();
    due = Math.min(due + ((now - lastAt) / 1_000) * options.rate, Math.max(1, options.rate * BACKLOG_MAX_S));
    lastAt = now;
    while (due >= 1) {
      const ready = nextReady();
      if (!ready) return;
      const [device, behavior] = ready;
      due--;
      follow(stats, send(fleet, device, behavior));
      injectConnectionFault(fleet, device);
    }
  };

  const timer = setInterval(tick, TICK_MS);
  return { stop: () => clearInterval(timer) };
};
