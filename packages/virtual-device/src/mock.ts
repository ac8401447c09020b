import {
  type Envelope,
  MessageType,
  type MockDetails,
  type MockProfile,
  type MockStep,
  type MockUpgradeFault,
} from '@device-center/contract';
import {
  after,
  type Child,
  createDevice,
  createEmitter,
  type Device,
  type DeviceClient,
  DeviceError,
  type DeviceOptions,
  type Emitter,
  type Values,
} from '@device-center/device-sdk';
import { bucketViaHub } from './bucket-via-hub.ts';
import { createDeviceBehavior, type DeviceBehavior } from './device-behavior.ts';
import { createMockUpgrade, type MockUpgrade } from './mock-upgrade.ts';

export type RejectCode = 'REFUSED' | 'BUSY' | 'UNSUPPORTED';

/** Faults that the user has switched on. */
export type MockFaults = {
  /** How many of the next messages get an invalid signature. */
  wrongSignatures: number;
  /** Delay of each response, in milliseconds. */
  answerDelayMs: number;
  /** Rejects every command with this code. */
  refuseWith: RejectCode | null;
  /** Does not respond to commands. */
  silent: boolean;
};

/** A command that waits for a manual response. */
export type PendingCall = {
  id: number;
  deviceId: string;
  kind: 'service' | 'set' | 'get';
  /** Name of the service, or the sign codes of the properties. */
  name: string;
  input: unknown;
  at: number;
  /** Responds with the output of the service, or the current property values. */
  answer: (output: Values) => void;
  refuse: (code: RejectCode, message?: string) => void;
};

export type MockEvents = {
  /** The commands that wait for a manual response have changed. */
  pending: PendingCall[];
  /** Children that are mounted or being mounted; emitted again when one comes online or goes offline. */
  mounted: string[];
  /** The faults have changed. */
  faults: Readonly<MockFaults>;
  /** A message from send() enters the send queue. */
  sent: Omit<MockStep, 'after'>;
  /** The upgrade state or upgrade fault of the device or a child has changed. */
  upgrade: { deviceId: string };
  /** The device or a child went offline because of its upgrade fault. */
  left: { deviceId: string };
  /** stop() was called: running automations must stop too. */
  stopped: true;
};

export type MockOptions = Pick<
  DeviceOptions,
  'hubUrl' | 'transport' | 'keepAlive' | 'backoff' | 'connectAt' | 'fetch'
> & {
  details: Pick<MockDetails, keyof MockProfile | 'tenantId' | 'firstDataId' | 'children'>;
  random?: () => number;
  /** Duration of an installation, in milliseconds. */
  installMs?: number;
};

type MockUnit = {
  info: MockProfile;
  behavior: DeviceBehavior;
  client: Child | null;
  upgrade: ReturnType<typeof createMockUpgrade>;
};

const NO_FAULTS: Readonly<MockFaults> = Object.freeze({
  wrongSignatures: 0,
  answerDelayMs: 0,
  refuseWith: null,
  silent: false,
});

const FAULTY_TYPES: ReadonlySet<number> = new Set([MessageType.config, MessageType.event, MessageType.log]);
/** Time limit of a manual response. The hub's own timeout is much shorter: it no longer waits by then. */
const MANUAL_TIMEOUT_MS = 600_000;

const wait = (ms: number): Promise<void> => new Promise((resolve) => void after(ms, resolve));

/** Creates a mock device with its children. */
export const createMock = ({ details, random = Math.random, installMs, ...options }: MockOptions) => {
  let faults = NO_FAULTS;
  const answering = { byHand: false };
  const events: Emitter<MockEvents> = createEmitter<MockEvents>();
  const pending = new Map<number, PendingCall>();
  let calls = 0;

  const arm = (change: Partial<MockFaults>): void => {
    faults = { ...faults, ...change };
    events.emit('faults', faults);
  };

  const applySignatureFault = (envelope: Envelope): Envelope => {
    if (faults.wrongSignatures <= 0 || envelope.dataFlow !== 0 || !FAULTY_TYPES.has(envelope.type)) return envelope;
    arm({ wrongSignatures: faults.wrongSignatures - 1 });
    return { ...envelope, signature: [...envelope.signature].reverse().join('') };
  };

  const goOffline = (deviceId: string): void => {
    void (deviceId === details.deviceId ? stop() : unmount(deviceId)).then(() => events.emit('left', { deviceId }));
  };

  const createUnit = (info: MockProfile): MockUnit => {
    const { deviceId, functions, defaults } = info;
    const upgrade = createMockUpgrade({
      info,
      hubUrl: options.hubUrl,
      installMs,
      goOffline: () => goOffline(deviceId),
      onChange: () => events.emit('upgrade', { deviceId }),
    });
    return { info, behavior: createDeviceBehavior(functions, random, defaults), client: null, upgrade };
  };

  const units = new Map([details, ...details.children].map((info) => [info.deviceId, createUnit(info)]));

  const unitOf = (deviceId: string): MockUnit => {
    const unit = units.get(deviceId);
    if (!unit) throw new TypeError(`${deviceId} is not part of this mock device`);
    return unit;
  };

  const credentialsOf = ({ info, upgrade }: MockUnit) => {
    const { productId, deviceId, deviceName, deviceSecret: secret, signMethod } = info;
    const { versionNumber } = upgrade.current;
    return { productId, deviceId, deviceName, secret, signMethod, versionNumber, upgrade: upgrade.options };
  };

  const device: Device = createDevice({
    connectAt: bucketViaHub(options.hubUrl),
    ...options,
    ...credentialsOf(unitOf(details.deviceId)),
    tenantId: details.tenantId,
    firstDataId: details.firstDataId,
    beforeSend: applySignatureFault,
  });

  const emitPending = (): void => events.emit('pending', [...pending.values()]);

  const answerManually = (call: Omit<PendingCall, 'id' | 'at' | 'answer' | 'refuse'>): Promise<Values> => {
    const { promise, resolve, reject } = Promise.withResolvers<Values>();
    const id = ++calls;
    const cancel = after(MANUAL_TIMEOUT_MS, () => settle(() => reject(new DeviceError('BUSY'))));
    const settle = (action: () => void): void => {
      cancel();
      if (!pending.delete(id)) return;
      action();
      emitPending();
    };
    pending.set(id, {
      ...call,
      id,
      at: Date.now(),
      answer: (output) => settle(() => resolve(output)),
      refuse: (code, message) => settle(() => reject(new DeviceError(code, message))),
    });
    emitPending();
    return promise;
  };

  /** Handles every command: applies the faults, then responds automatically or manually. */
  const answer = async (
    unit: MockUnit,
    call: Pick<PendingCall, 'kind' | 'name' | 'input'>,
    automaticAnswer: () => Values,
  ): Promise<Values> => {
    if (faults.silent) await new Promise(() => undefined);
    if (faults.answerDelayMs > 0) await wait(faults.answerDelayMs);
    if (faults.refuseWith) throw new DeviceError(faults.refuseWith);
    if (!answering.byHand) return automaticAnswer();
    return answerManually({ ...call, deviceId: unit.info.deviceId });
  };

  const serve = (unit: MockUnit, client: Child): void => {
    unit.client = client;
    unit.upgrade.follow(client);
    const { behavior } = unit;
    client.onService('*', (input, name) =>
      answer(unit, { kind: 'service', name, input }, () => behavior.serve(name, input)),
    );
    client.onSet(async (input) => {
      const name = Object.keys(input).join(', ');
      return behavior.set(await answer(unit, { kind: 'set', name, input }, () => input));
    });
    client.onGet((codes) =>
      answer(unit, { kind: 'get', name: codes.join(', '), input: codes }, () => behavior.read(codes)),
    );
  };

  const mounted = (): string[] =>
    [...units.values()].filter(({ client }) => client !== null && client !== device).map(({ info }) => info.deviceId);

  const mount = (deviceId: string): Child => {
    const unit = unitOf(deviceId);
    const child = device.addChild(credentialsOf(unit));
    serve(unit, child);
    const emitMounted = (): void => events.emit('mounted', mounted());
    child.on('online', emitMounted);
    child.on('offline', emitMounted);
    emitMounted();
    return child;
  };

  const clientOf = (deviceId: string): DeviceClient => {
    const { client } = unitOf(deviceId);
    if (!client) throw new DeviceError('NOT_YOUR_CHILD');
    return client;
  };

  const unmount = async (deviceId: string): Promise<void> => {
    unitOf(deviceId).client = null;
    await device.removeChild(deviceId);
    events.emit('mounted', mounted());
  };

  const stop = (): Promise<void> => {
    for (const call of pending.values()) call.refuse('BUSY');
    events.emit('stopped', true);
    return device.stop();
  };

  serve(unitOf(details.deviceId), device);

  return {
    device,
    get faults(): Readonly<MockFaults> {
      return faults;
    },
    /** Sets faults for the messages and commands from now on. */
    arm,
    disarm: (): void => arm(NO_FAULTS),
    answering,
    on: events.on,
    pending: (): PendingCall[] => [...pending.values()],
    deviceIds: [...units.keys()],
    modelOf: (deviceId: string) => unitOf(deviceId).info.functions,
    behaviorOf: (deviceId: string): DeviceBehavior => unitOf(deviceId).behavior,
    defaultsOf: (deviceId: string): Values => unitOf(deviceId).info.defaults,
    isOnline: (deviceId: string): boolean => unitOf(deviceId).client?.online === true,
    /** Null for a child that is not mounted. */
    settingsOf: (deviceId: string) => unitOf(deviceId).client?.settings ?? null,

    upgradeOf: (deviceId: string): MockUpgrade => unitOf(deviceId).upgrade.current,
    /** Takes effect from the next step of an upgrade. */
    setUpgradeFault: (deviceId: string, fault: MockUpgradeFault): void => unitOf(deviceId).upgrade.setFault(fault),

    mounted,
    mount,
    mountAll: (): void => {
      for (const { deviceId } of details.children) if (!unitOf(deviceId).client) mount(deviceId);
    },
    unmount,
    /** Replaces the default values of a device. */
    setDefaults: (deviceId: string, defaults: Values): void => {
      const unit = unitOf(deviceId);
      unit.info = { ...unit.info, defaults };
      unit.behavior.setDefaults(defaults);
    },

    /**
     * Sends properties, an event or a log line; resolves when the hub has stored it. Does not validate, so that the user
     * can send invalid values.
     */
    send: (message: Omit<MockStep, 'after'>): Promise<void> => {
      const client = clientOf(message.deviceId);
      events.emit('sent', message);
      if (message.kind === 'log')
        return client.log(Number(message.name) as Parameters<DeviceClient['log']>[0], String(message.value));
      if (message.kind === 'event') return client.event(message.name, message.value as Values);
      return client.report(message.value as Values);
    },

    /** Rejects pending commands, then disconnects. */
    stop,
  };
};

export type Mock = ReturnType<typeof createMock>;
