import type { Envelope, ModelFunction } from '@device-center/contract';
import { createDevice, type Device, type DeviceClient, DeviceError } from '@device-center/device-sdk';
import { type Body, createBody, type Random } from '@device-center/virtual-device';
import type { FaultKind, Order } from './arguments.ts';
import type { Secrets } from './secrets.ts';
import { count, type Figures } from './stats.ts';
import { countUpgrades, upgradeFaultOf, upgradeFor } from './upgrades.ts';

/** One that speaks: a device of the fleet, or a child of it. */
export type Member = {
  /** The device that has the connection. */
  device: Device;
  speaker: DeviceClient;
  isOnline: () => boolean;
  kind: Kind;
  /** Nothing until the model is known. */
  body: () => Body | null;
};

export type Kind = 'device' | 'child';
/** What all members share; a model is known once the hub has told it to one of its kind. */
export type Crew = {
  order: Order;
  secrets: Secrets;
  figures: Figures;
  random: Random;
  models: Map<Kind, ModelFunction[]>;
};

const SLOW_MS = [2_000, 8_000] as const;
const FLAPS = 3;
const CONFIG = 2;
const EVENT = 3;

/** Whether this fault happens now; counted when it does. */
const strikes = ({ order, figures, random }: Crew, kind: FaultKind): boolean => {
  if (order.faults[kind] === 0 || random() >= order.faults[kind]) return false;
  figures.faults[kind]++;
  return true;
};

const wronglySigned = (envelope: Envelope): Envelope => ({
  ...envelope,
  signature: [...envelope.signature].reverse().join(''),
});

const lateBy = (random: Random): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, SLOW_MS[0] + random() * (SLOW_MS[1] - SLOW_MS[0])));

const serveCommands = (crew: Crew, member: Member): void => {
  const { figures, random } = crew;
  const answer = async <Result>(work: (body: Body) => Result): Promise<Result> => {
    if (strikes(crew, 'slow')) await lateBy(random);
    figures.commands++;
    const body = member.body();
    if (!body) throw new DeviceError('BUSY');
    return work(body);
  };
  member.speaker.onService('*', (input, service) => answer((body) => body.serve(service, input)));
  member.speaker.onSet((properties) => answer((body) => body.set(properties)));
  member.speaker.onGet((signCodes) => answer((body) => body.read(signCodes)));
};

const countPresence = ({ figures }: Crew, on: Device['on'], speaker: DeviceClient): void => {
  countUpgrades(figures, on, speaker);
  on('online', () => {
    figures.online++;
    figures.everOnline++;
  });
  on('offline', () => {
    figures.online--;
  });
  on('refused', ({ refusal }) => count(figures.refusals, refusal.word));
  on('step', ({ step, ok, code, message }) => {
    if (!ok && code === undefined) count(figures.troubles, `${step}: ${message}`);
  });
};

const lazyBody = ({ models, random }: Crew, kind: Kind): Member['body'] => {
  let body: Body | null = null;
  return () => {
    const model = models.get(kind);
    if (model) body ??= createBody(model, random);
    return body;
  };
};

export const createMember = (crew: Crew, index: number): Member => {
  const { order, secrets, figures } = crew;
  const deviceId = order.device?.deviceId ?? `${order.prefix}${index + 1}`;
  const fault = upgradeFaultOf(order, index);
  const device: Device = createDevice({
    hubUrl: order.hub,
    productId: order.product,
    deviceId,
    deviceName: deviceId,
    versionNumber: order.version,
    upgrade: upgradeFor({ order, figures, fault, leave: () => void device.stop() }),
    signMethod: order.sign,
    secret: order.device?.secret ?? secrets.of(deviceId),
    ...(order.secret ? { productSecret: order.secret } : {}),
    onSecret: (secret) => secrets.keep(deviceId, secret),
    qos: order.qos,
    // Not a repeat: the hub may have stored the message already, and a rejection would then count it as not stored.
    beforeSend: (envelope, { isRepeat }) =>
      !isRepeat && envelope.dataFlow === 0 && [CONFIG, EVENT].includes(envelope.type) && strikes(crew, 'badSignature')
        ? wronglySigned(envelope)
        : envelope,
  });
  const body = lazyBody(crew, 'device');
  const member: Member = { device, speaker: device, isOnline: () => device.online, kind: 'device', body };
  countPresence(crew, device.on, device);
  serveCommands(crew, member);
  return member;
};

export const createChildOf = (crew: Crew, { device }: Member, index: number): Member => {
  const { order, secrets, figures } = crew;
  const deviceId = `${device.deviceId}-${index + 1}`;
  const child = device.addChild({
    productId: order.childProduct,
    deviceId,
    deviceName: deviceId,
    versionNumber: order.version,
    // The faults are those of the devices with a connection of their own.
    upgrade: upgradeFor({ order, figures, fault: '', leave: () => undefined }),
    signMethod: order.sign,
    secret: secrets.of(deviceId),
    productSecret: order.childSecret,
    onSecret: (secret) => secrets.keep(deviceId, secret),
  });
  const body = lazyBody(crew, 'child');
  const member: Member = { device, speaker: child, isOnline: () => child.online, kind: 'child', body };
  countPresence(crew, child.on, child);
  serveCommands(crew, member);
  return member;
};

const backOnline = (device: Device): Promise<void> =>
  new Promise((resolve) => {
    const stopListening = device.on('online', () => {
      stopListening();
      resolve();
    });
  });

const flap = async (device: Device): Promise<void> => {
  for (let times = 0; times < FLAPS; times++) {
    const back = backOnline(device);
    await device.reconnect();
    await back;
  }
};

/** What happens to a device after it has said something. */
export const strikeConnection = (crew: Crew, { device }: Member): void => {
  if (strikes(crew, 'drops')) device.disrupt();
  else if (strikes(crew, 'flap')) void flap(device);
};
