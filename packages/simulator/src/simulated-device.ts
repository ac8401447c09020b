import type { Envelope, ModelFunction } from '@device-center/contract';
import { createDevice, type Device, type DeviceClient, DeviceError } from '@device-center/device-sdk';
import { createDeviceBehavior, type DeviceBehavior, type Random } from '@device-center/virtual-device';
import type { FaultKind, Options } from './arguments.ts';
import type { Secrets } from './secrets.ts';
import { count, type Stats } from './stats.ts';
import { countUpgrades, upgradeFaultOf, upgradeFor } from './upgrades.ts';

/** A device of the fleet, or a child of one. */
export type SimulatedDevice = {
  /** The device that owns the connection. */
  device: Device;
  client: DeviceClient;
  isOnline: () => boolean;
  kind: Kind;
  /** Null until the model is known. */
  behavior: () => DeviceBehavior | null;
};

export type Kind = 'device' | 'child';
/** Shared by all devices of the fleet. A model is known after one device of its kind has fetched it. */
export type FleetContext = {
  options: Options;
  secrets: Secrets;
  stats: Stats;
  random: Random;
  models: Map<Kind, ModelFunction[]>;
};

const SLOW_MS = [2_000, 8_000] as const;
const FLAPS = 3;
const CONFIG = 2;
const EVENT = 3;

/** Whether to inject this fault now; counts it if so. */
const shouldInject = ({ options, stats, random }: FleetContext, kind: FaultKind): boolean => {
  if (options.faults[kind] === 0 || random() >= options.faults[kind]) return false;
  stats.faults[kind]++;
  return true;
};

const withInvalidSignature = (envelope: Envelope): Envelope => ({
  ...envelope,
  signature: [...envelope.signature].reverse().join(''),
});

const waitSlowly = (random: Random): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, SLOW_MS[0] + random() * (SLOW_MS[1] - SLOW_MS[0])));

const serveCommands = (fleet: FleetContext, simulated: SimulatedDevice): void => {
  const { stats, random } = fleet;
  const answer = async <Result>(work: (behavior: DeviceBehavior) => Result): Promise<Result> => {
    if (shouldInject(fleet, 'slow')) await waitSlowly(random);
    stats.commands++;
    const behavior = simulated.behavior();
    if (!behavior) throw new DeviceError('BUSY');
    return work(behavior);
  };
  simulated.client.onService('*', (input, service) => answer((behavior) => behavior.serve(service, input)));
  simulated.client.onSet((properties) => answer((behavior) => behavior.set(properties)));
  simulated.client.onGet((signCodes) => answer((behavior) => behavior.read(signCodes)));
};

const countEvents = ({ stats }: FleetContext, on: Device['on'], client: DeviceClient): void => {
  countUpgrades(stats, on, client);
  on('online', () => {
    stats.online++;
    stats.everOnline++;
  });
  on('offline', () => {
    stats.online--;
  });
  on('refused', ({ refusal }) => count(stats.rejections, refusal.codeName));
  on('step', ({ step, ok, code, message }) => {
    if (!ok && code === undefined) count(stats.errors, `${step}: ${message}`);
  });
};

const lazyBehavior = ({ models, random }: FleetContext, kind: Kind): SimulatedDevice['behavior'] => {
  let behavior: DeviceBehavior | null = null;
  return () => {
    const model = models.get(kind);
    if (model) behavior ??= createDeviceBehavior(model, random);
    return behavior;
  };
};

export const createSimulatedDevice = (fleet: FleetContext, index: number): SimulatedDevice => {
  const { options, secrets, stats } = fleet;
  const deviceId = options.device?.deviceId ?? `${options.prefix}${index + 1}`;
  const fault = upgradeFaultOf(options, index);
  const device: Device = createDevice({
    hubUrl: options.hub,
    productId: options.product,
    deviceId,
    deviceName: deviceId,
    versionNumber: options.version,
    upgrade: upgradeFor({ options, stats, fault, goOffline: () => void device.stop() }),
    signMethod: options.sign,
    secret: options.device?.secret ?? secrets.of(deviceId),
    ...(options.secret ? { productSecret: options.secret } : {}),
    onSecret: (secret) => secrets.keep(deviceId, secret),
    qos: options.qos,
    // Not a repeat: the hub may have stored the message already, and a rejection would then count it as not stored.
    beforeSend: (envelope, { isRepeat }) =>
      !isRepeat &&
      envelope.dataFlow === 0 &&
      [CONFIG, EVENT].includes(envelope.type) &&
      shouldInject(fleet, 'badSignature')
        ? withInvalidSignature(envelope)
        : envelope,
  });
  const behavior = lazyBehavior(fleet, 'device');
  const simulated: SimulatedDevice = {
    device,
    client: device,
    isOnline: () => device.online,
    kind: 'device',
    behavior,
  };
  countEvents(fleet, device.on, device);
  serveCommands(fleet, simulated);
  return simulated;
};

export const createSimulatedChild = (
  fleet: FleetContext,
  { device }: SimulatedDevice,
  index: number,
): SimulatedDevice => {
  const { options, secrets, stats } = fleet;
  const deviceId = `${device.deviceId}-${index + 1}`;
  const child = device.addChild({
    productId: options.childProduct,
    deviceId,
    deviceName: deviceId,
    versionNumber: options.version,
    // Upgrade faults apply only to devices with a connection of their own.
    upgrade: upgradeFor({ options, stats, fault: '', goOffline: () => undefined }),
    signMethod: options.sign,
    secret: secrets.of(deviceId),
    productSecret: options.childSecret,
    onSecret: (secret) => secrets.keep(deviceId, secret),
  });
  const behavior = lazyBehavior(fleet, 'child');
  const simulated: SimulatedDevice = { device, client: child, isOnline: () => child.online, kind: 'child', behavior };
  countEvents(fleet, child.on, child);
  serveCommands(fleet, simulated);
  return simulated;
};

const nextOnline = (device: Device): Promise<void> =>
  new Promise((resolve) => {
    const stopListening = device.on('online', () => {
      stopListening();
      resolve();
    });
  });

const flap = async (device: Device): Promise<void> => {
  for (let times = 0; times < FLAPS; times++) {
    const online = nextOnline(device);
    await device.reconnect();
    await online;
  }
};

/** Injects connection faults after a message. */
export const injectConnectionFault = (fleet: FleetContext, { device }: SimulatedDevice): void => {
  if (shouldInject(fleet, 'drops')) device.dropConnection();
  else if (shouldInject(fleet, 'flap')) void flap(device);
};
