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
import { type Body, createBody } from './device-behavior.ts';
import { createMockUpgrade, type MockUpgrade } from './mock-upgrade.ts';

export type RefusalWord = 'REFUSED' | 'BUSY' | 'UNSUPPORTED';

/** What goes wrong on demand. */
export type MockFaults = {
  /** So many of the next messages are signed wrongly. */
  wrongSignatures: number;
  /** Answers come so much later. */
  answerDelayMs: number;
  /** Every command is refused with this. */
  refuseWith: RefusalWord | null;
  /** Commands are not answered at all. */
  silent: boolean;
};

/** A command that waits for somebody's answer. */
export type PendingCall = {
  id: number;
  deviceId: string;
  kind: 'service' | 'set' | 'get';
  /** The service; of properties their sign codes. */
  name: string;
  input: unknown;
  at: number;
  /** The output of a service, or properties as they now are. */
  answer: (output: Values) => void;
  refuse: (word: RefusalWord, message?: string) => void;
};

export type MockEvents = {
  /** Commands that wait for an answer by hand, as they now are. */
  pending: PendingCall[];
  /** Which children are mounted, or on their way; told anew when one of them comes online or goes. */
  mounted: string[];
  /** What goes wrong on demand, as it now is. */
  faults: Readonly<MockFaults>;
  /** A message of our own making, as it is handed over to be sent. */
  said: Omit<MockStep, 'after'>;
  /** How the upgrade of one of them stands, or how it fails on demand, has changed. */
  upgrade: { deviceId: string };
  /** One went away since its fault says so. */
  left: { deviceId: string };
  /** It was told to stop: whoever plays for it stops too. */
  stopped: true;
};

export type MockOptions = Pick<
  DeviceOptions,
  'hubUrl' | 'transport' | 'keepAlive' | 'backoff' | 'connectAt' | 'fetch'
> & {
  details: Pick<MockDetails, keyof MockProfile | 'tenantId' | 'firstDataId' | 'children'>;
  random?: () => number;
  /** Milliseconds that an installation takes. */
  installMs?: number;
};

type Unit = { info: MockProfile; body: Body; speaker: Child | null; upgrade: ReturnType<typeof createMockUpgrade> };

const NO_FAULTS: Readonly<MockFaults> = Object.freeze({
  wrongSignatures: 0,
  answerDelayMs: 0,
  refuseWith: null,
  silent: false,
});

const SPOILED: ReadonlySet<number> = new Set([MessageType.config, MessageType.event, MessageType.log]);
/** Somebody at a panel may take his time; the hub has long stopped waiting. */
const BY_HAND_MS = 600_000;

const wait = (ms: number): Promise<void> => new Promise((resolve) => void after(ms, resolve));

/** A mock device with its children: the body of a device that has no other. */
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

  const spoiled = (envelope: Envelope): Envelope => {
    if (faults.wrongSignatures <= 0 || envelope.dataFlow !== 0 || !SPOILED.has(envelope.type)) return envelope;
    arm({ wrongSignatures: faults.wrongSignatures - 1 });
    return { ...envelope, signature: [...envelope.signature].reverse().join('') };
  };

  const leave = (deviceId: string): void => {
    void (deviceId === details.deviceId ? stop() : unmount(deviceId)).then(() => events.emit('left', { deviceId }));
  };

  const unitFor = (info: MockProfile): Unit => {
    const { deviceId, functions, defaults } = info;
    const upgrade = createMockUpgrade({
      info,
      hubUrl: options.hubUrl,
      installMs,
      leave: () => leave(deviceId),
      onChange: () => events.emit('upgrade', { deviceId }),
    });
    return { info, body: createBody(functions, random, defaults), speaker: null, upgrade };
  };

  const units = new Map([details, ...details.children].map((info) => [info.deviceId, unitFor(info)]));

  const unitOf = (deviceId: string): Unit => {
    const unit = units.get(deviceId);
    if (!unit) throw new TypeError(`${deviceId} is not of this mock device`);
    return unit;
  };

  const credentialsOf = ({ info, upgrade }: Unit) => {
    const { productId, deviceId, deviceName, deviceSecret: secret, signMethod } = info;
    const { versionNumber } = upgrade.known;
    return { productId, deviceId, deviceName, secret, signMethod, versionNumber, upgrade: upgrade.options };
  };

  const device: Device = createDevice({
    connectAt: bucketViaHub(options.hubUrl),
    ...options,
    ...credentialsOf(unitOf(details.deviceId)),
    tenantId: details.tenantId,
    firstDataId: details.firstDataId,
    beforeSend: spoiled,
  });

  const tellPending = (): void => events.emit('pending', [...pending.values()]);

  const answeredByHand = (call: Omit<PendingCall, 'id' | 'at' | 'answer' | 'refuse'>): Promise<Values> => {
    const { promise, resolve, reject } = Promise.withResolvers<Values>();
    const id = ++calls;
    const cancel = after(BY_HAND_MS, () => settle(() => reject(new DeviceError('BUSY'))));
    const settle = (how: () => void): void => {
      cancel();
      if (!pending.delete(id)) return;
      how();
      tellPending();
    };
    pending.set(id, {
      ...call,
      id,
      at: Date.now(),
      answer: (output) => settle(() => resolve(output)),
      refuse: (word, message) => settle(() => reject(new DeviceError(word, message))),
    });
    tellPending();
    return promise;
  };

  /** Every command passes here: what goes wrong on demand comes first, then whoever answers. */
  const answer = async (
    unit: Unit,
    call: Pick<PendingCall, 'kind' | 'name' | 'input'>,
    byItself: () => Values,
  ): Promise<Values> => {
    if (faults.silent) await new Promise(() => undefined);
    if (faults.answerDelayMs > 0) await wait(faults.answerDelayMs);
    if (faults.refuseWith) throw new DeviceError(faults.refuseWith);
    if (!answering.byHand) return byItself();
    return answeredByHand({ ...call, deviceId: unit.info.deviceId });
  };

  const serve = (unit: Unit, speaker: Child): void => {
    unit.speaker = speaker;
    unit.upgrade.follow(speaker);
    const { body } = unit;
    speaker.onService('*', (input, name) =>
      answer(unit, { kind: 'service', name, input }, () => body.serve(name, input)),
    );
    speaker.onSet(async (input) => {
      const name = Object.keys(input).join(', ');
      return body.set(await answer(unit, { kind: 'set', name, input }, () => input));
    });
    speaker.onGet((codes) =>
      answer(unit, { kind: 'get', name: codes.join(', '), input: codes }, () => body.read(codes)),
    );
  };

  const mounted = (): string[] =>
    [...units.values()]
      .filter(({ speaker }) => speaker !== null && speaker !== device)
      .map(({ info }) => info.deviceId);

  const mount = (deviceId: string): Child => {
    const unit = unitOf(deviceId);
    const child = device.addChild(credentialsOf(unit));
    serve(unit, child);
    const tell = (): void => events.emit('mounted', mounted());
    child.on('online', tell);
    child.on('offline', tell);
    tell();
    return child;
  };

  const speakerOf = (deviceId: string): DeviceClient => {
    const { speaker } = unitOf(deviceId);
    if (!speaker) throw new DeviceError('NOT_YOUR_CHILD');
    return speaker;
  };

  const unmount = async (deviceId: string): Promise<void> => {
    unitOf(deviceId).speaker = null;
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
    /** Counts from now on. */
    arm,
    disarm: (): void => arm(NO_FAULTS),
    answering,
    on: events.on,
    pending: (): PendingCall[] => [...pending.values()],
    deviceIds: [...units.keys()],
    modelOf: (deviceId: string) => unitOf(deviceId).info.functions,
    bodyOf: (deviceId: string): Body => unitOf(deviceId).body,
    defaultsOf: (deviceId: string): Values => unitOf(deviceId).info.defaults,
    isOnline: (deviceId: string): boolean => unitOf(deviceId).speaker?.online === true,
    /** Of a child only while it is mounted. */
    settingsOf: (deviceId: string) => unitOf(deviceId).speaker?.settings ?? null,

    upgradeOf: (deviceId: string): MockUpgrade => unitOf(deviceId).upgrade.known,
    /** From the next step on. */
    setUpgradeFault: (deviceId: string, fault: MockUpgradeFault): void => unitOf(deviceId).upgrade.setFault(fault),

    mounted,
    mount,
    mountAll: (): void => {
      for (const { deviceId } of details.children) if (!unitOf(deviceId).speaker) mount(deviceId);
    },
    unmount,
    /** What it says from now on unless it knows better. */
    setDefaults: (deviceId: string, defaults: Values): void => {
      const unit = unitOf(deviceId);
      unit.info = { ...unit.info, defaults };
      unit.body.setDefaults(defaults);
    },

    /** Properties, an event or a log line; holds when the hub has it. Whatever is given is sent: also what does not fit. */
    say: (said: Omit<MockStep, 'after'>): Promise<void> => {
      const speaker = speakerOf(said.deviceId);
      events.emit('said', said);
      if (said.kind === 'log')
        return speaker.log(Number(said.name) as Parameters<DeviceClient['log']>[0], String(said.value));
      if (said.kind === 'event') return speaker.event(said.name, said.value as Values);
      return speaker.report(said.value as Values);
    },

    /** Says goodbye; commands that wait are refused first. */
    stop,
  };
};

export type Mock = ReturnType<typeof createMock>;
